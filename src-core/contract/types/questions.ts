import type { CallRules } from '../types.ts';

/**
 * A call that asks the user before it runs: of a gateway or realtime model, or of a run that no window shows any more.
 */
export interface CallQuestion {
  /** Id of the call in the Executor's history; of a series, its own id. */
  callId: string;
  toolId: string;
  methodName: string;
  /** JSON text of the arguments, every number as it was written. */
  argsJson: string;
  /** The rules of a call by hand; absent: the user's own. */
  rules?: CallRules;
  /** How often a series would make the call. */
  count?: number;
  /** Why the call can do harm; absent if every call asks. */
  danger?: string;
  /** Epoch ms. */
  askedAt: number;
  /** Epoch ms at which it counts as refused. */
  expiresAt: number;
}

import type { JsonObject } from '../../tools/json.ts';

/** A call of a model, a gateway's or a realtime one, that asks a person before it runs. */
export interface CallQuestion {
  /** Id of the call in the Executor's history. */
  callId: string;
  toolId: string;
  methodName: string;
  args: JsonObject;
  /** Why the call can do harm; absent where every call asks. */
  danger?: string;
  /** Epoch ms. */
  askedAt: number;
  /** Epoch ms at which it counts as refused. */
  expiresAt: number;
}

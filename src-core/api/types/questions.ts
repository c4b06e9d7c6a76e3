/** A call of a model, a gateway's or a realtime one, that asks a person before it runs. */
export interface CallQuestion {
  /** Id of the call in the Executor's history. */
  callId: string;
  toolId: string;
  methodName: string;
  /** JSON text of the arguments, every number as it was written. */
  argsJson: string;
  /** Why the call can do harm; absent where every call asks. */
  danger?: string;
  /** Epoch ms. */
  askedAt: number;
  /** Epoch ms at which it counts as refused. */
  expiresAt: number;
}

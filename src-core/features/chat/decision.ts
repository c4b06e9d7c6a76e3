/** The user's word on a call that waits. */
export type ChatDecision =
  | {
      action: 'approve';
      /** JSON text of the arguments to send instead of the model's. */
      argsJson?: string | undefined;
      /** Also every later call of this method, for the rest of the chat. Not for dangerous ones, which always ask. */
      always?: boolean | undefined;
    }
  /** The reason goes to the model. */
  | { action: 'refuse'; reason?: string | undefined };

/** What was asked for cannot be done; the message is for the user who asked, and says what to do instead. */
export class RequestError extends Error {
  /** The input field it is about, where there is one. */
  readonly field: string | undefined;

  constructor(message: string, options: { field?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'RequestError';
    this.field = options.field;
  }
}

import { RequestError } from '../../base/requestError.ts';

/** The connection to a realtime server could not be made, or has ended. */
export class RealtimeConnectionError extends RequestError {
  /** True if a retry cannot help: a refused key, an invalid address, a policy. */
  readonly final: boolean;

  constructor(message: string, options: { final: boolean; field?: string; cause?: unknown }) {
    const { final, ...rest } = options;
    super(message, rest);
    this.name = 'RealtimeConnectionError';
    this.final = final;
  }

  /** The same, with what the server had said before. */
  because(complaint: string): RealtimeConnectionError {
    const { final, field, cause } = this;
    const more = { final, cause, ...(field !== undefined && { field }) };
    return new RealtimeConnectionError(`${this.message} The server said: ${complaint}`, more);
  }
}

import type { GatewayErrorCode } from './messages.ts';

/** Something that a client is told in an `error` frame: a code, what happened, and what is known of it. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: GatewayErrorCode;
  /** May be empty. */
  readonly details: string;

  constructor(code: GatewayErrorCode, message: string, details = '', options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

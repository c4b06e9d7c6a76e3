import type { GatewayErrorCode } from '../features/gateway/messages.ts';

/** The gateway answered with an `error` frame (docs/protocols/gateway.md#errors). */
export class GatewayRequestError extends Error {
  override readonly name = 'GatewayRequestError';
  readonly code: GatewayErrorCode;
  /** What the gateway knows of it; may be empty. */
  readonly details: string;

  constructor({ code, message, details = '' }: { code: GatewayErrorCode; message: string; details?: string }) {
    super(`${code}: ${message}${details === '' ? '' : ` (${details})`}`);
    this.code = code;
    this.details = details;
  }
}

/** There is no connection: it could not be made, it ended before the answer came, or it was closed here. */
export class GatewayConnectionError extends Error {
  override readonly name = 'GatewayConnectionError';
  /** Of the close frame; 1006 if none came, 1013 if the gateway has too many clients, 1000 if it was closed here. */
  readonly closeCode: number;

  constructor(message: string, closeCode = 1006) {
    super(message);
    this.closeCode = closeCode;
  }
}

/** The gateway is connected and said nothing in time. */
export class GatewayTimeoutError extends Error {
  override readonly name = 'GatewayTimeoutError';
}

/** What an `error` event says: the fields of the vendors' own (spec/realtime.md). */
export interface EventErrorInit {
  /** `invalid_request_error` unless told. */
  type?: 'invalid_request_error' | 'server_error';
  code: string;
  message: string;
  /** The field it is about: `session.tools[0].name`. */
  param?: string;
}

/** A client event that cannot be done; the connection goes on. */
export class EventError extends Error {
  readonly type: string;
  readonly code: string;
  readonly param: string | undefined;

  constructor({ type = 'invalid_request_error', code, message, param }: EventErrorInit) {
    super(message);
    this.name = 'EventError';
    this.type = type;
    this.code = code;
    this.param = param;
  }
}

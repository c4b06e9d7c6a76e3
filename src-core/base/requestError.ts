import type { Localized } from './messages/localize.ts';
import type { Message } from './messages/message.ts';
import { requestKinds, type RequestCode, type RequestKind } from './messages/requestKinds.ts';

/** A request of the user that cannot be fulfilled: why, and what to do instead. `message` is the English sentence. */
export class RequestError extends Error {
  /** The sentence with its code and parameters. */
  readonly said: Message;
  /** The input field that the error concerns, if there is one. */
  readonly field: string | undefined;

  constructor(said: Localized<RequestCode> | string, options: { field?: string; cause?: unknown } = {}) {
    super(
      typeof said === 'string' ? said : said.text,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = 'RequestError';
    this.said = typeof said === 'string' ? { text: said } : said;
    this.field = options.field;
  }

  get kind(): RequestKind {
    return requestKinds[this.said.code as RequestCode] ?? 'conflict';
  }
}

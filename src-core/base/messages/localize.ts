import { en } from './en/index.ts';
import { renderSentence, type Message, type MessageParams } from './message.ts';

/** Every code of the catalogues. */
export type MessageCode = keyof typeof en;

/** A message may be passed for a text. */
type Given<T> = T extends string ? T | Message : T extends readonly (infer E)[] ? readonly Given<E>[] : T;
type Arguments<C extends MessageCode> = (typeof en)[C] extends (params: infer P) => string
  ? [params: { readonly [K in keyof P]: Given<P[K]> }]
  : [];

/** A message with a code of the catalogues. */
export type Localized<C extends MessageCode = MessageCode> = Message & { code: C };

/** Returns the message with that code and those parameters, and its English text. */
export function localize<C extends MessageCode>(code: C, ...[params]: Arguments<C>): Localized<C> {
  const given = params as MessageParams | undefined;
  return { text: renderSentence(en[code], given, en), code, ...(given !== undefined && { params: given }) };
}

/**
 * A text for the user that the window can show in its own language. `text` is the English rendering, or the words of
 * a device, a server or a model. `code` names a sentence of the catalogues, `params` are its parameters. Plain
 * data: it is sent to the window and stored as it is.
 */
export interface Message {
  text: string;
  code?: string | undefined;
  params?: MessageParams | undefined;
}

/** Parameters by name. A message among them is rendered in the same language as the sentence. */
export type MessageParams = Readonly<Record<string, MessageValue>>;
export type MessageValue = string | number | boolean | Message | readonly MessageValue[];

/** Sentences by code: a text, or a function that returns the text for an object of parameters. */
export type Catalogue = Readonly<Record<string, string | ((params: never) => string)>>;

/** The same codes with the same parameters in another language. A missing sentence does not compile. */
export type Translation<T extends Catalogue> = {
  readonly [C in keyof T]: T[C] extends (params: infer P) => string ? (params: P) => string : string;
};

/**
 * The message in the language of the catalogue. Returns its `text` if the catalogue does not have the sentence or cannot
 * render it with these parameters, as with a record of an earlier version.
 */
export function renderMessage({ text, code, params }: Message, catalogue: Catalogue): string {
  if (code === undefined || !Object.hasOwn(catalogue, code)) return text;
  try {
    return renderSentence(catalogue[code], params, catalogue);
  } catch {
    return text;
  }
}

/** @throws {Error} If a parameter that the sentence uses is missing or has another type. */
export function renderSentence(
  sentence: Catalogue[string] | undefined,
  params: MessageParams = {},
  catalogue: Catalogue,
): string {
  if (typeof sentence !== 'function') return String(sentence);
  const values = Object.entries(params).map(([name, value]) => [name, renderValue(value, catalogue)] as const);
  const render = sentence as (params: object) => string;
  return render(new Proxy(Object.fromEntries(values), { get: requireParam }));
}

function renderValue(value: MessageValue, catalogue: Catalogue): string | number | boolean | unknown[] {
  if (typeof value !== 'object') return value;
  if (!('text' in value)) return value.map((item) => renderValue(item, catalogue));
  return renderMessage(value, catalogue);
}

function requireParam(values: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(values, name)) return values[name];
  throw new Error(`The parameter "${name}" is missing.`);
}

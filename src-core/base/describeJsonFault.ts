import { parse } from 'lossless-json';

import { describeThrown } from './describeThrown.ts';

/** A message of a parser that states a position in every message, and the clause that replaces it. */
const clauses: readonly [RegExp, string][] = [
  [/^Comma/, 'a comma is expected'],
  [/^Colon/, 'a colon behind the name is expected'],
  [/^(JSON value|Object value|Array item) expected/, 'a value is expected'],
  [/^Array item or end/, 'a value or ] is expected'],
  [/^Quoted object key expected/, 'a name in double quotes is expected'],
  [/^Quoted object key or end/, 'a name in double quotes or } is expected'],
  [/^Expected end/, 'something follows the JSON'],
  [/^Invalid number/, 'a digit is expected'],
  [/^End of string/, 'a text has no closing quote'],
  [/^Invalid character/, 'a text contains a character that must be escaped'],
  [/^Invalid (escape|unicode)/, 'a backslash does not begin a valid escape'],
  [/^Duplicate key/, 'a name occurs twice, with different values'],
];

/**
 * The position and cause of a JSON syntax error, as a clause: "line 3, column 5: a comma is expected"; lines and
 * columns count from 1. If the text is valid, so that `error` has another cause, the message of `error`. Never throws.
 */
export function describeJsonFault(text: string, error: unknown): string {
  const message = faultOf(text) ?? describeThrown(error);
  const clause = clauses.find(([says]) => says.test(message))?.[1];
  const at = / at position (\d+)$/.exec(message)?.[1];
  if (clause === undefined || at === undefined) return message;
  const comma = extraComma(text, Number(at));
  if (comma !== undefined)
    return `${placeAt(text.slice(0, comma))}: there is a comma before ${text.charAt(Number(at))}`;
  const isAtEnd = message.includes('but reached end of input');
  const before = isAtEnd ? text.trimEnd() : text.slice(0, Number(at));
  return `${placeAt(before)}: ${isAtEnd ? clauseAtEnd(text, clause) : clause}`;
}

/** The offset of a comma before the bracket at `at`, which closes a list or an object. */
function extraComma(text: string, at: number): number | undefined {
  const before = text.slice(0, at).trimEnd();
  return /^[}\]]/.test(text.slice(at, at + 1)) && before.endsWith(',') ? before.length - 1 : undefined;
}

const placeAt = (before: string): string =>
  `line ${before.split('\n').length}, column ${before.length - before.lastIndexOf('\n')}`;

/** What to add at the end of a text. There, the parser expects a member or an item also behind one that is whole. */
function clauseAtEnd(text: string, clause: string): string {
  if (text.trim() === '') return 'the text is empty; add a value';
  const isMember = !/[[{]\s*$/.test(text);
  const bracket = isMember ? / or ([}\]]) is expected$/.exec(clause)?.[1] : undefined;
  const missing = bracket === undefined ? clause.replace(' is expected', '') : `a comma or ${bracket}`;
  return `the text ends too early; add ${clause.startsWith('a text') ? 'the closing quote' : missing}`;
}

/** The number of the first character at which a text is not JSON, counted from 1; `undefined` if it is not known. Never throws. */
export function jsonFaultAt(text: string): number | undefined {
  const at = / at position (\d+)$/.exec(faultOf(text) ?? '')?.[1];
  return at === undefined ? undefined : Number(at) + 1;
}

/** Whether a text is the beginning of an incomplete JSON text. Never throws. */
export function isCutJson(text: string): boolean {
  return faultOf(text)?.includes('but reached end of input') === true;
}

function faultOf(text: string): string | undefined {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    return error instanceof SyntaxError ? error.message : undefined;
  }
}

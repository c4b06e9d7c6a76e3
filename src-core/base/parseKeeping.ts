import type { JsonValue } from './json.ts';
import { rawJson } from './rawJson.ts';

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Prefix of each text that represents a number. Random, so that no other text can be mistaken for one. */
const mark = `number ${crypto.getRandomValues(new Uint32Array(4)).join('-')} `;

/** The text has more numbers to keep than may be. It is refused, since they would be rounded otherwise. */
export class TooManyNumbersError extends SyntaxError {
  constructor(most: number) {
    super(`JSON with more than ${most} numbers that cannot be read without rounding them`);
  }
}

/** How to find the numbers that are kept as they are written. */
export interface KeptNumbers {
  /** Matches from a delimiter into a number that may need to be kept; with the flag `g`. */
  candidates: RegExp;
  /** Whether a number as JSON writes it is to be kept. */
  keeps: (source: string) => boolean;
  /** How many may be kept. Each takes as long as about 2 kB of other JSON. */
  most: number;
}

/**
 * Reads JSON text with some numbers kept as they are written. JSON.parse reads it, with a text in place of each such number:
 * a reviver would be called for every value, which takes ten times as long. @throws SyntaxError if the text is not
 * JSON, TooManyNumbersError if it has more than `most` numbers to keep.
 */
export function parseKeeping(text: string, numbers: KeptNumbers): JsonValue {
  const marked = markNumbers(text, numbers);
  if (marked === text) return JSON.parse(text) as JsonValue;
  const holder = { value: parseMarked(marked, text) };
  restoreNumbers(holder);
  return holder.value;
}

/** Words an error by the text itself, not by the marked one. */
function parseMarked(marked: string, text: string): JsonValue {
  try {
    return JSON.parse(marked) as JsonValue;
  } catch {
    return JSON.parse(text) as JsonValue;
  }
}

/**
 * JSON text with a text in place of each number to keep, for a reader that is not ours. `restoreNumbers` puts the numbers
 * into what it has read. @throws TooManyNumbersError if there are more than `most`.
 */
export function markNumbers(text: string, { candidates, keeps, most }: KeptNumbers): string {
  const pieces: string[] = [];
  const token = /[-+.\deE]+/y;
  const asKey = /\s*:/y;
  const isInString = createStringTracker(text);
  let done = 0;
  let kept = 0;
  for (const { 0: match, index } of text.matchAll(candidates)) {
    const start = index + match.search(/[-\d]/);
    if (isInString(start)) continue;
    token.lastIndex = start;
    const source = token.exec(text)?.[0] ?? '';
    asKey.lastIndex = start + source.length;
    // A number as a key is not JSON, and must not become JSON.
    if (!jsonNumber.test(source) || !keeps(source) || asKey.test(text)) continue;
    if (kept === most) throw new TooManyNumbersError(most);
    kept += 1;
    pieces.push(text.slice(done, start), `"${mark}${source}"`);
    done = start + source.length;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(done);
}

/** Tells whether positions, in ascending order, are inside a string. */
function createStringTracker(text: string): (at: number) => boolean {
  let isInside = false;
  let next = text.indexOf('"');
  return (at) => {
    while (next !== -1 && next < at) {
      if (!isInside || !isEscaped(text, next)) isInside = !isInside;
      next = text.indexOf('"', next + 1);
    }
    return isInside;
  };
}

function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === '\\') start -= 1;
  return (at - start) % 2 === 1;
}

/** Restores the numbers that `markNumbers` marked in a value. Not recursive, because the depth is unknown. */
export function restoreNumbers(holder: object): void {
  const open: object[] = [holder];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    const restore = (key: string | number, value: unknown): void => {
      if (typeof value === 'object' && value !== null) open.push(value);
      else if (typeof value === 'string' && value.startsWith(mark)) setNumber(parent, key, value.slice(mark.length));
    };
    // The keys of an array as texts would take as long as the rest.
    if (Array.isArray(parent)) parent.forEach((value, at) => restore(at, value));
    else for (const key of Object.keys(parent)) restore(key, (parent as Record<string, unknown>)[key]);
  }
}

function setNumber(parent: object, key: string | number, source: string): void {
  const value = rawJson.rawJSON(source);
  if (Array.isArray(parent)) parent[Number(key)] = value;
  // Assigning to `__proto__` would set the prototype.
  else Object.defineProperty(parent, key, { value, writable: true, enumerable: true, configurable: true });
}

import type { JsonProblem } from './jsonNode.ts';

/** Quotes that a model writes for a string, with what closes each. Only the first is JSON. */
export const closingQuotes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
]);

const plainEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

const fourHex = /[0-9a-fA-F]{4}/y;

export interface ScannedString {
  /** The meaning, escapes undone. */
  text: string;
  /** Offset after the closing quote, or the text's end. */
  end: number;
  closed: boolean;
  problems: JsonProblem[];
  /** For each character of `text` its offset in the source, and the offset after the last; only if requested. */
  offsets?: Uint32Array;
}

/**
 * Reads the string that begins at `start`, up to its closing quote or `limit`. Every fault is noted with what mends it,
 * and reading goes on; with `strict` it ends at the first.
 */
export function scanString(
  source: string,
  { start, limit, strict, mapped = false }: { start: number; limit: number; strict: boolean; mapped?: boolean },
): ScannedString {
  const closer = closingQuotes.get(source.charAt(start)) ?? '"';
  const closerCode = closer.charCodeAt(0);
  const problems: JsonProblem[] = [];
  const offsets: number[] = [];
  let text = '';
  let copied = start + 1;
  let at = start + 1;
  const take = (end: number): void => {
    text += source.slice(copied, end);
    if (mapped) for (let offset = copied; offset < end; offset++) offsets.push(offset);
  };
  const done = (closed: boolean): ScannedString => {
    take(at);
    if (mapped) offsets.push(at);
    const end = closed ? at + 1 : at;
    return { text, end, closed, problems, ...(mapped && { offsets: Uint32Array.from(offsets) }) };
  };

  while (at < limit) {
    const code = source.charCodeAt(at);
    if (code === closerCode) return done(true);
    if (code === 0x5c) {
      if (at + 1 >= limit) break;
      const escape = readEscape(source, at, limit);
      take(at);
      text += escape.text;
      if (mapped) offsets.push(at);
      if (escape.problem !== undefined) problems.push(escape.problem);
      at += escape.length;
      copied = at;
    } else {
      if (code < 0x20) problems.push(controlProblem(source, at));
      at++;
    }
    if (strict && problems.length > 0) break;
  }
  return done(false);
}

function readEscape(
  source: string,
  at: number,
  limit: number,
): { text: string; length: number; problem?: JsonProblem } {
  const sign = source.charAt(at + 1);
  const plain = plainEscapes.get(sign);
  if (plain !== undefined) return { text: plain, length: 2 };
  fourHex.lastIndex = at + 2;
  if (sign === 'u' && at + 6 <= limit && fourHex.test(source))
    return { text: String.fromCharCode(Number.parseInt(source.slice(at + 2, at + 6), 16)), length: 6 };
  const range = { start: at, end: at + 2 };
  if (sign === "'") {
    const edits = [{ ...range, newText: "'" }];
    return { text: "'", length: 2, problem: { ...range, what: "\\' is not a JSON escape", edits } };
  }
  // Read as the backslash that it shows; the character after it is read by itself.
  const edits = [{ start: at, end: at + 1, newText: '\\\\' }];
  return {
    text: '\\',
    length: 1,
    problem: { ...range, what: 'a backslash does not begin a valid JSON escape', edits },
  };
}

function controlProblem(source: string, at: number): JsonProblem {
  const newText = JSON.stringify(source.charAt(at)).slice(1, -1);
  const what = newText === '\\n' ? 'a string contains a line break' : `a string contains an unescaped ${newText}`;
  return { start: at, end: at + 1, what, edits: [{ start: at, end: at + 1, newText }] };
}

import { stripVTControlCharacters } from 'node:util';

/** The first line of an untrusted text, fit for a terminal: at most 100 characters, no control characters. */
export function firstLine(text: string): string {
  const line = printable(text.trimStart().slice(0, 1000)).split('\n', 1)[0] ?? '';
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}

/** An untrusted text without what a terminal would obey. Newlines and tabs stay. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replace(
    /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
    (character) => (character === '\n' || character === '\t' ? character : ''),
  );
}

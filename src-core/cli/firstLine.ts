import { escapeControls } from '../base/hiddenCharacters.ts';

/** The first line of an untrusted text with its control characters escaped, cut to 100 characters. */
export function firstLine(text: string): string {
  return firstCharacters(text, 100);
}

/** The first line of a message, whose end says what to do. */
export function messageLine(text: string): string {
  return firstCharacters(text, 300);
}

function firstCharacters(text: string, most: number): string {
  const [first = ''] = text.trimStart().slice(0, 1000).split(/\r?\n/, 1);
  const line = escapeControls(first);
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

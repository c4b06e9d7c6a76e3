import { escapeControls } from '../base/hiddenCharacters.ts';

/** The first line of an untrusted text with its control characters escaped, cut to 100 characters. */
export function firstLine(text: string): string {
  const [first = ''] = text.trimStart().slice(0, 1000).split(/\r?\n/, 1);
  const line = escapeControls(first);
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}

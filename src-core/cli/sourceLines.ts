import { escapeControls } from '../base/hiddenCharacters.ts';
import { trimEndOf } from '../base/trimEndOf.ts';
import { textWidth } from './textTable.ts';

/** Columns of a source line that are shown. */
const maxColumns = 100;
/** Columns of context kept before the marked place in a line that is too long. */
const before = 30;

/** Finds lines in a text. Lines and columns count from 1, columns in characters as typed. */
export interface LineIndex {
  position(offset: number): { line: number; column: number };
  lineText(line: number): string;
}

export function lineIndex(text: string): LineIndex {
  const starts = [0];
  for (const { index, 0: ending } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + ending.length);
  return {
    position(offset) {
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if ((starts[middle] ?? 0) <= offset) low = middle;
        else high = middle - 1;
      }
      return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
    },
    lineText: (line) => trimEndOf(text.slice(starts[line - 1], starts[line] ?? text.length), '\r\n'),
  };
}

/** The line of the beginning of a range, with carets under the part of the range that lies in it. */
export function excerpt(lines: LineIndex, { start, end }: { start: number; end: number }): string {
  const { line, column } = lines.position(start);
  const text = lines.lineText(line);
  const from = column - 1;
  const cut = text.length > maxColumns ? Math.max(0, from - before) : 0;
  const shown = text.slice(cut, cut + maxColumns);
  const lead = visible(shown.slice(0, from - cut));
  const marked = visible(shown.slice(from - cut, from - cut + Math.max(1, end - start)));
  const gutter = String(line);
  return [
    `  ${gutter} | ${visible(shown)}`,
    `  ${' '.repeat(gutter.length)} | ${' '.repeat(textWidth(lead))}${'^'.repeat(Math.max(1, textWidth(marked)))}`,
  ].join('\n');
}

function visible(text: string): string {
  return escapeControls(text.replaceAll('\t', ' '));
}

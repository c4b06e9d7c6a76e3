import { firstLine } from './firstLine.ts';

interface TableOptions {
  /** Columns of the terminal, to which a row is cut. */
  columns?: number | undefined;
  /** For each row, the lines below it. */
  below?: readonly (readonly string[])[];
}

/** Rows of cells as lines with columns. The cells are untrusted text. */
export function textTable(rows: readonly (readonly string[])[], { columns, below }: TableOptions = {}): string {
  const lines = rows.map((row) => row.map(firstLine));
  const widths: number[] = [];
  for (const line of lines)
    for (const [at, cell] of line.entries()) widths[at] = Math.max(widths[at] ?? 0, textWidth(cell));
  const textOf = (line: string[]): string =>
    line.map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - textWidth(cell))).join('  ');
  return lines
    .flatMap((line, at) => [cutTo(textOf(line).trimEnd(), columns), ...(below?.[at] ?? []).map((text) => `  ${text}`)])
    .map((line) => `${line}\n`)
    .join('');
}

/** `1 tool`, `2 tools`, `– tools`. */
export function toolsText(count: number | string): string {
  return `${count} ${count === 1 ? 'tool' : 'tools'}`;
}

/** A line that is not wider than a terminal. If `columns` is absent or 0, the width is not known, and the line is not cut. */
export function cutTo(line: string, columns = 0): string {
  if (columns <= 0 || textWidth(line) <= columns) return line;
  let cut = '';
  let width = 1;
  for (const character of line) {
    width += textWidth(character);
    if (width > columns) break;
    cut += character;
  }
  return `${cut}…`;
}

/** Columns in a terminal: East Asian characters take two, combining marks none. */
export function textWidth(text: string): number {
  let columns = 0;
  for (const character of text) {
    if (/\p{Mn}|\u200d|\ufe0f/u.test(character)) continue;
    columns +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return columns;
}

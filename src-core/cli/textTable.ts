import { firstLine } from './firstLine.ts';

/** Rows of cells as lines with columns. The cells are untrusted text. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((row) => row.map(firstLine));
  const widths: number[] = [];
  for (const line of lines)
    for (const [at, cell] of line.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  const textOf = (line: string[]): string => line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ');
  return lines.map((line) => `${textOf(line).trimEnd()}\n`).join('');
}

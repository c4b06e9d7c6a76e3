import { cellsOf, cellText, type JsonTable } from './jsonTable.ts';

/** Rows whose cells are measured. */
const lookedAt = 100;
/** px of a character of the cells, about. */
const charWidth = 7.3;
/** px beside the text: the gap to the next column, and the arrow of a sorted head. */
const beside = 30;
const [narrowest, widest] = [64, 320];

/** How wide each column is drawn, px: as its name and the first cells ask for, within bounds. */
export function columnWidths({ lines, rows, columns }: JsonTable): number[] {
  const chars = new Map(columns.map((name) => [name, name.length]));
  for (const row of rows.slice(0, lookedAt)) {
    for (const [name, source] of cellsOf(lines, row)) {
      const longest = chars.get(name);
      if (longest !== undefined) chars.set(name, Math.max(longest, cellText(source).length));
    }
  }
  return columns.map((name) =>
    Math.max(narrowest, Math.min(widest, Math.ceil((chars.get(name) ?? 0) * charWidth) + beside)),
  );
}

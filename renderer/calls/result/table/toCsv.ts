import { cellOf, cellText, type JsonTable } from './jsonTable.ts';

/** What a spreadsheet takes for the beginning of a formula; also behind white space, which some of them skip. */
const formula = /^\s*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r]/u;
/** A number is one, with whatever sign. */
const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * The table as CSV (RFC 4180), with a line of names. Answers come from strangers: a text that a spreadsheet would run as a
 * formula gets an apostrophe before it, which keeps it a text; numbers stay as they are.
 */
export function toCsv(table: JsonTable, rows: readonly number[]): string {
  const line = (cells: readonly string[]): string => cells.map(csvCell).join(',');
  const body = rows.map((row) => line(table.columns.map((column) => cellText(cellOf(table, row, column)))));
  return [line(table.columns), ...body].join('\r\n');
}

/** A text as a cell of CSV: harmless, and quoted where it has to be. */
export function csvCell(text: string): string {
  const safe = formula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

import { cellsOf, cellText, namesOf, type JsonTable } from './jsonTable.ts';

/** Matches what a spreadsheet treats as the start of a formula, also after white space, which some of them skip. */
const formula = /^\s*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r]/u;
/** A number is harmless, with any sign. */
const plainNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Maximum of rows × columns. A list whose objects all have different member names would make a huge text. */
const maxCells = 5_000_000;

/** The columns of all rows, not only of the drawn ones. `leftOut` is the number of columns that exceed the limit. */
export function csvColumns({ lines, rows }: JsonTable): { columns: string[]; leftOut: number } {
  const names = namesOf(lines, rows);
  const columns = names.slice(0, Math.max(1, Math.floor(maxCells / rows.length)));
  return { columns, leftOut: names.length - columns.length };
}

/**
 * The table as CSV (RFC 4180), with a header line. Answers are untrusted: a text that a spreadsheet would run as a
 * formula is prefixed with an apostrophe, which keeps it a text. Numbers are unchanged.
 */
export function toCsv({ lines }: JsonTable, rows: readonly number[], columns: readonly string[]): string {
  const line = (cells: readonly string[]): string => cells.map(csvCell).join(',');
  const body = rows.map((row) => {
    const cells = cellsOf(lines, row);
    return line(columns.map((column) => cellText(cells.get(column))));
  });
  return [line(columns), ...body].join('\r\n');
}

/** Escapes a text as a CSV cell, quoted if necessary. */
export function csvCell(text: string): string {
  const safe = formula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

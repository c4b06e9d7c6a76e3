import { cellsOf, cellText, namesOf, type JsonTable } from './jsonTable.ts';

/** What a spreadsheet takes for the beginning of a formula; also behind white space, which some of them skip. */
const formula = /^\s*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r]/u;
/** A number is one, with whatever sign. */
const plainNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Rows by columns: a list whose every object has names of its own would make a text without end. */
const maxCells = 5_000_000;

/** The columns of all rows, not of those that are drawn alone; `leftOut`: how many there are beyond what one CSV takes. */
export function csvColumns({ lines, rows }: JsonTable): { columns: string[]; leftOut: number } {
  const names = namesOf(lines, rows);
  const columns = names.slice(0, Math.max(1, Math.floor(maxCells / rows.length)));
  return { columns, leftOut: names.length - columns.length };
}

/**
 * The table as CSV (RFC 4180), with a line of names. Answers come from strangers: a text that a spreadsheet would run as a
 * formula gets an apostrophe before it, which keeps it a text; numbers stay as they are.
 */
export function toCsv({ lines }: JsonTable, rows: readonly number[], columns: readonly string[]): string {
  const line = (cells: readonly string[]): string => cells.map(csvCell).join(',');
  const body = rows.map((row) => {
    const cells = cellsOf(lines, row);
    return line(columns.map((column) => cellText(cells.get(column))));
  });
  return [line(columns), ...body].join('\r\n');
}

/** A text as a cell of CSV: harmless, and quoted where it has to be. */
export function csvCell(text: string): string {
  const safe = formula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

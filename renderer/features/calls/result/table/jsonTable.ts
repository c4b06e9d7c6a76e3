import { holdsMembers, kindOf, nameOf, nextOf, sourceOf } from '../../../../ui/json/jsonRow.ts';
import type { JsonLines } from '../../../../ui/json/jsonScan.ts';

/** A list of objects as a table. */
export interface JsonTable {
  lines: JsonLines;
  /** The line of each object. */
  rows: readonly number[];
  /** The drawn member names, in order of appearance. */
  columns: readonly string[];
  /** How many further names the inspected rows have. */
  moreColumns: number;
}

/** Further columns are not drawn; the tree shows them. */
const maxColumns = 64;
/** Number of rows that are inspected to find the columns. */
const lookedAt = 1_000;

/** The answer itself or its longest list, if all items are objects; undefined if there is no such list. */
export function jsonTable(lines: JsonLines): JsonTable | undefined {
  const lists = kindOf(lines, 0) === 'object' ? membersOf(lines, 0) : [0];
  let rows: number[] = [];
  for (const list of lists) {
    if (kindOf(lines, list) !== 'array' || (lines.size[list] ?? 0) <= rows.length) continue;
    const items = membersOf(lines, list);
    if (items.every((item) => holdsMembers(lines, item) && kindOf(lines, item) === 'object')) rows = items;
  }
  if (rows.length === 0) return undefined;
  const columns = namesOf(lines, rows.slice(0, lookedAt));
  return { lines, rows, columns: columns.slice(0, maxColumns), moreColumns: Math.max(0, columns.length - maxColumns) };
}

/** The member names of these objects, in order of appearance. */
export function namesOf(lines: JsonLines, rows: readonly number[]): string[] {
  const names = new Set<string>();
  for (const row of rows) for (const member of membersOf(lines, row)) names.add(nameOf(lines, member) ?? '');
  return [...names];
}

/** The source text of a cell; undefined if the object has no such member. Of duplicate members the last one counts. */
export const cellOf = ({ lines }: JsonTable, row: number, column: string): string | undefined =>
  cellsOf(lines, row).get(column);

/** The source texts of a row's cells, by column. */
export function cellsOf(lines: JsonLines, row: number): Map<string, string> {
  const places = new Map<string, number>();
  for (const member of membersOf(lines, row)) places.set(nameOf(lines, member) ?? '', member);
  return new Map([...places].map(([name, member]) => [name, sourceOf(lines, member)]));
}

/** A cell as text: a string without its quotes, anything else as JSON. */
export const cellText = (source: string | undefined): string =>
  source?.startsWith('"') === true ? (JSON.parse(source) as string) : (source ?? '');

/** Sorts the rows by a column: numbers before texts, rows without the member last. */
export function sortRows(table: JsonTable, column: string, direction: 1 | -1): number[] {
  const keyed = table.rows.map((row) => {
    const source = cellOf(table, row, column);
    const amount = source === undefined || source.startsWith('"') ? Number.NaN : Number(source);
    return { row, source, amount, text: cellText(source) };
  });
  keyed.sort((a, b) => {
    if (a.source === undefined || b.source === undefined)
      return Number(a.source === undefined) - Number(b.source === undefined);
    const [first, second] = [Number.isNaN(a.amount), Number.isNaN(b.amount)];
    if (first !== second) return direction * (Number(first) - Number(second));
    if (!first) return direction * (a.amount - b.amount);
    return a.text === b.text ? 0 : direction * (a.text < b.text ? -1 : 1);
  });
  return keyed.map(({ row }) => row);
}

/** The rows as a JSON array; each row keeps its source text. */
export const toJson = ({ lines }: JsonTable, rows: readonly number[]): string =>
  `[${rows.map((row) => sourceOf(lines, row)).join(',\n')}]`;

function membersOf(lines: JsonLines, line: number): number[] {
  const members: number[] = [];
  if (holdsMembers(lines, line))
    for (let member = line + 1; member !== -1; member = nextOf(lines, member)) members.push(member);
  return members;
}

/** Rows whose cells are measured. */
const measured = 100;
/** px of a character of the cells, about. */
const charWidth = 7.3;
/** px beside the text: the gap to the next column, and the arrow of a sorted head. */
const beside = 30;
const [narrowest, widest] = [64, 320];

/** How wide each column is drawn, px: as its name and the first cells ask for, within bounds. */
export function columnWidths({ lines, rows, columns }: JsonTable): number[] {
  const chars = new Map(columns.map((name) => [name, name.length]));
  for (const row of rows.slice(0, measured)) {
    for (const [name, source] of cellsOf(lines, row)) {
      const longest = chars.get(name);
      if (longest !== undefined) chars.set(name, Math.max(longest, cellText(source).length));
    }
  }
  return columns.map((name) =>
    Math.max(narrowest, Math.min(widest, Math.ceil((chars.get(name) ?? 0) * charWidth) + beside)),
  );
}

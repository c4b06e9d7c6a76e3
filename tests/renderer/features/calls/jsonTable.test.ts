import { describe, expect, it, test } from 'vitest';

import {
  cellOf,
  cellText,
  columnWidths,
  jsonTable,
  sortRows,
  toJson,
  type JsonTable,
} from '../../../../renderer/features/calls/result/table/jsonTable.ts';
import { csvCell, csvColumns, toCsv } from '../../../../renderer/features/calls/result/table/toCsv.ts';
import { JsonScan } from '../../../../renderer/ui/json/jsonScan.ts';

function tableOf(text: string): JsonTable | undefined {
  const lines = new JsonScan(text).run(() => false);
  if (lines === undefined || lines === false) throw new Error('No JSON.');
  return jsonTable(lines);
}

const csvOf = (table: JsonTable): string => toCsv(table, table.rows, csvColumns(table).columns);

describe('what is a table', () => {
  it.each([
    ['a list of objects', '[{"a":1},{"b":2}]', ['a', 'b'], 2],
    ['the longest list of objects in an object', '{"few":[{"x":1}],"many":[{"y":1},{"y":2}],"n":3}', ['y'], 2],
    ['a list beside a longer one that holds no objects', '{"rows":[{"x":1}],"words":["a","b","c"]}', ['x'], 1],
  ])('%s', (_, text, columns, rows) => {
    expect(tableOf(text)).toMatchObject({ columns });
    expect(tableOf(text)?.rows).toHaveLength(rows);
  });

  it.each(['[]', '{}', '[1,2]', '[{"a":1},2]', '[{}]', '"text"', '{"a":{"b":[{"c":1}]}}', 'null', '[[{"a":1}]]'])(
    '%s is not a table',
    (text) => {
      expect(tableOf(text)).toBeUndefined();
    },
  );

  it('has at most 64 columns, and only those of the first thousand rows', () => {
    const wide = JSON.stringify([Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`c${at}`, at]))]);
    expect(tableOf(wide)?.columns).toHaveLength(64);
    expect(tableOf(wide)?.moreColumns).toBe(36);
    expect(csvOf(tableOf(wide)!).split('\r\n')[1]?.split(',')).toHaveLength(100);
    const long = [...Array.from({ length: 1_000 }, () => ({ a: 1 })), { a: 1, late: 2 }];
    expect(tableOf(JSON.stringify(long))).toMatchObject({ columns: ['a'], moreColumns: 0 });
    expect(csvOf(tableOf(JSON.stringify(long))!)).toMatch(/^a,late\r\n1,\r\n[^]*1,2$/);
  });
});

test('cells are what was written, and sort numbers before texts and what is absent last', () => {
  const table = tableOf('[{"v":"b"},{"v":9007199254740993},{"n":0},{"v":-2},{"v":"a","n":1}]')!;
  const shown = (rows: readonly number[]): string[] => rows.map((row) => cellText(cellOf(table, row, 'v')));
  expect(tableOf('[{"a":1},{}]')).toBeUndefined();
  expect(shown(sortRows(table, 'v', 1))).toEqual(['-2', '9007199254740993', 'a', 'b', '']);
  expect(shown(sortRows(table, 'v', -1))).toEqual(['b', 'a', '9007199254740993', '-2', '']);
  expect(toJson(table, table.rows.slice(1, 2))).toBe('[{"v":9007199254740993}]');
});

test('CSV is quoted by RFC 4180, names included', () => {
  const table = tableOf('[{"a,b":"x\\"y","n":-1.50,"o":{"p":[1,2]}},{"n":null,"a,b":"two\\r\\nlines"}]')!;
  expect(csvOf(table)).toBe(['"a,b",n,o', '"x""y",-1.50,"{""p"":[1,2]}"', '"two\r\nlines",null,'].join('\r\n'));
});

describe('a cell that a spreadsheet would run', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
    ['+cmd', "'+cmd"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\rx', '"\'\rx"'],
    ['  =1', "'  =1"],
    ['\n=1', '"\'\n=1"'],
    ['＝1+1', "'＝1+1"],
  ])('%j stays a text', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  it.each(['-5', '-1.5e-3', '+12', '0', '-.5', '12345678901234567890', 'a=b', 'x@y', '2026-01-01', '', "it's"])(
    '%j is left as it is',
    (text) => {
      expect(csvCell(text)).toBe(text);
    },
  );

  it('a name of a column is guarded, too', () => {
    const table = tableOf('[{"=x":"=y"}]')!;
    expect(csvOf(table)).toBe("'=x\r\n'=y");
  });
});

test('of a duplicate member the last counts, as in the form', () => {
  const table = tableOf('[{"a":1,"b":0,"a":2}]')!;
  expect(cellOf(table, table.rows[0]!, 'a')).toBe('2');
  expect(csvOf(table)).toBe('a,b\r\n2,0');
});

test('a CSV that would have no end is cut by its columns, and says by how many', () => {
  const rows = Array.from({ length: 3_000 }, (_, at) => ({ [`c${at}`]: at }));
  const { columns, leftOut } = csvColumns(tableOf(JSON.stringify(rows))!);
  expect(columns).toHaveLength(Math.floor(5_000_000 / 3_000));
  expect(columns.length + leftOut).toBe(3_000);
});

test('columns are as wide as their contents, within limits', () => {
  const table = tableOf(JSON.stringify([{ id: 1, name: 'a lamp in the hall', text: 'x'.repeat(500) }]))!;
  const [id = 0, name = 0, text = 0] = columnWidths(table);
  expect([id, text]).toEqual([64, 320]);
  expect(name).toBeGreaterThan(18 * 7);
  expect(name).toBeLessThan(200);
});

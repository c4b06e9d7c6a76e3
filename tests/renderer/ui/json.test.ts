import fc from 'fast-check';
import { describe, expect, it, test, vi } from 'vitest';

import type { ExactJson } from '../../../src-core/base/exactJson.ts';
import { lookUp, searchable } from '../../../src-core/features/collections/jsonPath.ts';
import { unlimitedWork } from '../../../src-core/base/workBudget.ts';
import { jsonRow, linesToFold, openLines, pathOf, sourceOf } from '../../../renderer/ui/json/jsonRow.ts';
import { JsonScan, type JsonLines } from '../../../renderer/ui/json/jsonScan.ts';
import { searchJson } from '../../../renderer/ui/json/searchJson.ts';
import { jsonTokens } from '../../../renderer/ui/jsonTokens.ts';
import { prettyFrame } from '../../../renderer/features/log/prettyFrame.ts';

describe('prettyFrame', () => {
  it('lays JSON out without reading it: every digit stays', () => {
    expect(prettyFrame('{"id":9007199254740993,"a":[],"b":{ },"c":[1.10]}')).toBe(
      '{\n  "id": 9007199254740993,\n  "a": [],\n  "b": {},\n  "c": [\n    1.10\n  ]\n}',
    );
  });

  it('means the same as what went over the wire', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.parse(prettyFrame(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('shows what is not valid JSON as it came', () => {
    expect(prettyFrame('hello there')).toBe('hello there');
    expect(prettyFrame('{hello  there}')).toBe('{hello  there}');
  });

  it('formats the beginning of a truncated frame and keeps its end unchanged', () => {
    expect(prettyFrame('{"a":1,"b":"cut  off', true)).toBe('{\n  "a": 1,\n  "b": "cut  off');
    expect(prettyFrame('["a\\', true)).toBe('[\n  "a\\');
  });
});

describe('jsonTokens', () => {
  it('colours keys, strings, numbers and words', () => {
    expect(jsonTokens('"a": [1, "b:", true]').map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'key "a"',
      'plain :',
      'plain  [',
      'number 1',
      'plain , ',
      'string "b:"',
      'plain , ',
      'word true',
      'plain ]',
    ]);
  });

  it('covers every character of any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(
          jsonTokens(text)
            .map((token) => token.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });
});

/** All lines of a text, read at once. */
function linesOf(text: string): JsonLines | false {
  const lines = new JsonScan(text).run(() => false);
  if (lines === undefined) throw new Error('It stopped.');
  return lines;
}
const textOf = (lines: JsonLines): string =>
  openLines(lines, new Set(), 1e9)
    .map((line) => jsonRow(lines, line, false))
    .map(({ name, text, comma }) => `${name === undefined ? '' : `${JSON.stringify(name)}:`}${text}${comma ? ',' : ''}`)
    .join('');

describe('the lines of a JSON text', () => {
  it('are what JSON.parse reads, for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(3), (value, space) => {
        const lines = linesOf(JSON.stringify(value, null, space));
        expect(lines && JSON.parse(textOf(lines))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('are refused if JSON.parse refuses', () => {
    const json = fc
      .json()
      .chain((text) =>
        fc
          .tuple(fc.nat(text.length), fc.constantFrom('', ',', ']', '}', '"', '\\', '1', '-', '.', 'e', '\n', 'x'))
          .map(([at, more]) => text.slice(0, at) + more + text.slice(at + 1)),
      );
    fc.assert(
      fc.property(json, (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        expect(linesOf(text) !== false).toBe(valid);
      }),
      { numRuns: 2_000 },
    );
  });

  it('are the same when they are read a part at a time', () => {
    const text = JSON.stringify(Array.from({ length: 5_000 }, (_, at) => ({ at, half: at / 2 })));
    const scan = new JsonScan(text);
    let turns = 1;
    let lines = scan.run(() => true);
    for (; lines === undefined; turns += 1) lines = scan.run(() => true);
    expect(turns).toBeGreaterThan(10);
    expect(lines && textOf(lines)).toBe(text);
  });

  it('have JSON paths that assertions take, and leave out what is folded', () => {
    const text = '{"a/b":[1,{"~\\"\'":null}],"c":{"0":{"d_1":2}}}';
    const lines = linesOf(text) as JsonLines;
    const all = openLines(lines, new Set(), 100);
    expect(all.map((line) => pathOf(lines, line))).toEqual([
      '$',
      '$["a/b"]',
      '$["a/b"][0]',
      '$["a/b"][1]',
      '$["a/b"][1]["~\\"\'"]',
      '$["a/b"][1]',
      '$["a/b"]',
      '$.c',
      '$.c["0"]',
      '$.c["0"].d_1',
      '$.c["0"]',
      '$.c',
      '$',
    ]);
    const value = searchable(JSON.parse(text) as ExactJson);
    for (const line of all)
      expect(lookUp({ path: pathOf(lines, line) }, value, unlimitedWork)).toMatchObject({ isEmpty: false });
    const folded = openLines(lines, new Set([1, 7]), 100);
    expect(folded.map((line) => pathOf(lines, line))).toEqual(['$', '$["a/b"]', '$.c', '$']);
    expect(jsonRow(lines, 1, true)).toMatchObject({ count: 2, comma: true, text: '[' });
    expect(all.map((line) => sourceOf(lines, line))[1]).toBe('[1,{"~\\"\'":null}]');
  });

  it('preview the first member of a folded object only if it is short, and without reading what it contains', () => {
    const previews = [`{"a":1}`, `{"a":{"a":1}}`, `{"a":"${'x'.repeat(90)}"}`].map((text) => {
      const encode = vi.spyOn(TextEncoder.prototype, 'encode');
      const { preview } = jsonRow(linesOf(text) as JsonLines, 0, true);
      expect(encode.mock.calls).toEqual([[text]]);
      encode.mockRestore();
      return preview;
    });
    expect(previews).toEqual(['"a": 1', '', '']);
  });

  it('keep every digit, and show the part of a long string that was looked for', () => {
    const long = `${'x'.repeat(9_000)}needle${'y'.repeat(9_000)}`;
    const lines = linesOf(`[9007199254740993, 1.10, ${JSON.stringify(long)}]`) as JsonLines;
    expect(jsonRow(lines, 1, false).text).toBe('9007199254740993');
    expect(jsonRow(lines, 2, false).text).toBe('1.10');
    expect(jsonRow(lines, 3, false).text).toHaveLength(2_003);
    expect(jsonRow(lines, 3, false, 'needle').text).toContain('needle');
  });

  it('are found by name and value, escaped or not, whatever the case', () => {
    const lines = linesOf('{"Name":"x","v":"\\u4e2d文","n":{"deep":"NAME"}}') as JsonLines;
    const search = (find: string): number[] | undefined => searchJson(lines, find)(() => false);
    expect(search('name')).toEqual([1, 4]);
    expect(search('中文')).toEqual([2]);
    expect(search('nothing')).toEqual([]);
  });
});

test('lines are folded at the deepest level at which few enough are open', () => {
  const lines = linesOf('{"id":2,"result":{"tools":[{"a":{"b":1}},{"a":2}]}}');
  if (lines === false) throw new Error('It is JSON.');
  const opened = (most: number): string[] =>
    openLines(lines, linesToFold(lines, most), 1e9).map((line) => jsonRow(lines, line, false).text);
  expect(opened(99)).toHaveLength(15);
  expect(opened(10)).toEqual(['{', '2', '{', '[', '{', '{', ']', '}', '}']);
  expect(opened(6)).toEqual(['{', '2', '{', '[', '}', '}']);
  expect(opened(1)).toEqual(['{', '2', '{', '}']);
});

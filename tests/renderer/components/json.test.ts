import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { jsonRows } from '../../../renderer/components/jsonRows.ts';
import { jsonTokens } from '../../../renderer/components/jsonTokens.ts';
import { prettyFrame } from '../../../renderer/components/log/prettyFrame.ts';

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

  it('shows what is no JSON as it came', () => {
    expect(prettyFrame('hello there')).toBe('hello there');
    expect(prettyFrame('{hello  there}')).toBe('{hello  there}');
  });

  it('lays out the beginning of a frame that was cut, with the end as it stands', () => {
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

  it('loses nothing of any text', () => {
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

describe('jsonRows', () => {
  it('names every member by its JSON Pointer and leaves out what is folded', () => {
    const value = { 'a/b': [1, { '~': null }], c: {} };
    expect(jsonRows(value, new Set()).map((row) => row.path)).toEqual([
      '',
      '/a~1b',
      '/a~1b/0',
      '/a~1b/1',
      '/a~1b/1/~0',
      '/a~1b/1',
      '/a~1b',
      '/c',
      '',
    ]);
    const folded = jsonRows(value, new Set(['/a~1b']));
    expect(folded.map((row) => row.path)).toEqual(['', '/a~1b', '/c', '']);
    expect(folded[1]).toMatchObject({ collapsed: true, count: 2, comma: true });
  });
});

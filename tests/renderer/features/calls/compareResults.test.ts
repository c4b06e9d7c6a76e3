import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compareResults } from '../../../../renderer/features/calls/compare/compareResults.ts';
import { maxRows } from '../../../../renderer/features/calls/compare/comparison.ts';
import { shownPart } from '../../../../renderer/features/calls/compare/markDifferences.ts';

const json = (left: unknown, right: unknown) => compareResults(JSON.stringify(left), JSON.stringify(right));
const found = ({ differences }: ReturnType<typeof compareResults>) =>
  differences.map(({ kind, path }) => `${kind} ${path ?? ''}`.trim());
const side = ({ rows }: ReturnType<typeof compareResults>, which: 'left' | 'right') =>
  rows.flatMap((row) => row[which] ?? []);

describe('two JSON results', () => {
  it('are compared by path: keys that came, went and changed, whatever their order', () => {
    const result = json(
      { id: 1, name: 'lamp', gone: null, deep: { 'a/b': { '~': 1 } } },
      { deep: { 'a/b': { '~': 2 } }, name: 'lamp', id: 1, come: [1] },
    );
    expect(result.by).toBe('json');
    expect(found(result)).toEqual(['removed $.gone', 'changed $.deep["a/b"]["~"]', 'added $.come']);
  });

  it('lists by index', () => {
    expect(found(json([1, { v: 1 }, 3], [1, { v: 2 }]))).toEqual(['changed $[1].v', 'removed $[2]']);
  });

  it('lists of MCP by the names of their items, whatever their order, unless a name is missing or double', () => {
    const tool = (name: string, more = {}) => ({ name, description: 'd', ...more });
    const result = json(
      { result: { tools: [tool('gone'), tool('echo', { inputSchema: { type: 'object' } }), tool('sum')] } },
      {
        result: {
          tools: [tool('sum', { description: 'e' }), tool('echo', { inputSchema: { type: 'array' } }), tool('new')],
        },
      },
    );
    expect(found(result)).toEqual([
      'removed $.result.tools["gone"]',
      'changed $.result.tools["echo"].inputSchema.type',
      'changed $.result.tools["sum"].description',
      'added $.result.tools["new"]',
    ]);
    expect(found(json({ tools: [tool('a'), tool('a')] }, { tools: [tool('b'), tool('a')] }))).toEqual([
      'changed $.tools[0].name',
    ]);
    expect(found(json({ resources: [{ uri: 'a:1', size: 1 }] }, { resources: [{ uri: 'a:1', size: 2 }] }))).toEqual([
      'changed $.resources["a:1"].size',
    ]);
  });

  it('a member `text` with JSON by its values; as a text if only one side has JSON', () => {
    const frame = (text: string) => ({ payload: { id: 1, result: { content: [{ type: 'text', text }] } } });
    const result = json(frame('{"level":5,"on":true}'), frame('{"on":true,"level":6}'));
    expect(found(result)).toEqual(['changed $.payload.result.content[0].text.level']);
    expect(side(result, 'left')).toContain('"level": 5');
    const path = 'changed $.payload.result.content[0].text';
    expect(found(json(frame('{"level":5}'), frame('{"level":')))).toEqual([path]);
    expect(found(json(frame('[1]'), frame('[1, 2]')))).toEqual(['added $.payload.result.content[0].text[1]']);
  });

  it('nothing differs at an ignored path', () => {
    const [left, right] = ['{"id":1,"result":{"id":1}}', '{"id":2,"result":{"id":2}}'];
    expect(found(compareResults(left, right, new Set(['$.id'])))).toEqual(['changed $.result.id']);
  });

  it('a value of another kind is changed as a whole, its lines side by side', () => {
    const result = json({ v: { a: 1, b: [] } }, { v: 'text' });
    expect(found(result)).toEqual(['changed $.v']);
    expect(result.rows.slice(1, -1)).toEqual([
      { kind: 'changed', depth: 1, left: '"v": {', right: '"v": "text"' },
      { kind: 'changed', depth: 2, left: '"a": 1' },
      { kind: 'changed', depth: 2, left: '"b": []' },
      { kind: 'changed', depth: 1, left: '}' },
    ]);
  });

  it('numbers that no double holds are told apart, and other spellings of one number are not', () => {
    expect(found(compareResults('[9007199254740993, 1.0]', '[9007199254740992, 1]'))).toEqual(['changed $[0]']);
  });

  it('handles keys with special names; of a duplicate key the last counts', () => {
    expect(found(compareResults('{"__proto__":1}', '{"constructor":1}'))).toEqual([
      'removed $.__proto__',
      'added $.constructor',
    ]);
    expect(found(compareResults('{"a":1,"a":2}', '{"a":2}'))).toEqual([]);
  });

  it('an empty object beside a full one, and two empty ones', () => {
    expect(found(json({ a: {} }, { a: { b: 1 } }))).toEqual(['added $.a.b']);
    expect(json({}, {}).rows).toEqual([{ kind: 'same', depth: 0, left: '{}', right: '{}' }]);
  });

  it('compares a very long text up to a limit, and says so', () => {
    const long = Array.from({ length: maxRows + 10 }, (_, at) => at);
    const { rows, cut } = json(long, []);
    expect(cut).toBe(true);
    expect(rows.length).toBeLessThan(maxRows + 5);
    expect(json([1], [2]).cut).toBe(false);
  });

  it('a text of one line beside one of 150,000', () => {
    const { rows, cut, by } = compareResults(
      'one',
      Array.from({ length: 150_000 }, (_, at) => `line ${at}`).join('\n'),
    );
    expect([by, cut, rows.length]).toEqual(['text', true, maxRows]);
  });

  it('differ nowhere from themselves, and as often one way as the other', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (a, b) => {
        expect(json({ a }, { a }).differences).toEqual([]);
        expect(json({ a }, { a: b }).differences).toHaveLength(json({ a: b }, { a }).differences.length);
      }),
    );
  });
});

describe('two texts', () => {
  it('are compared by lines: common lines are aligned', () => {
    const result = compareResults('a\nb\nc\nd', 'a\nx\nc\nnew\nd');
    expect(result.by).toBe('text');
    expect(result.rows.map(({ kind, left, right }) => [kind, left, right])).toEqual([
      ['same', 'a', 'a'],
      ['changed', 'b', 'x'],
      ['same', 'c', 'c'],
      ['added', undefined, 'new'],
      ['same', 'd', 'd'],
    ]);
  });

  it.each([
    ['one is JSON', '{"a":1}', 'out of order'],
    ['one was cut', '{"a":[1,2', '{"a":[1,2]}'],
    ['plain words', 'on', 'off'],
    ['nothing', '', 'text'],
  ])('where %s', (_what, left, right) => {
    const result = compareResults(left, right);
    expect(result).toMatchObject({ by: 'text', cut: false });
    expect(found(result)).toEqual(['changed']);
  });

  it('lose no line, whatever they hold', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (left, right) => {
        const result = compareResults(left, right);
        expect([side(result, 'left').join('\n'), side(result, 'right').join('\n')]).toEqual([left, right]);
        expect(result.differences.length > 0).toBe(left !== right);
      }),
    );
  });

  it('with many thousand different lines are aligned by line number', () => {
    const lines = (word: string) => Array.from({ length: 3_000 }, (_, at) => `${word} ${at}`).join('\n');
    expect(compareResults(lines('a'), lines('b')).differences).toHaveLength(3_000);
  });
});

describe('what is drawn of a long line', () => {
  it('shows a long line around its difference and a short one whole', () => {
    expect(shownPart('a', 'b')).toEqual({ left: 'a', right: 'b' });
    const long = 'x'.repeat(5_000);
    const { left, right } = shownPart(`${long}left`, `${long}right`);
    expect([left?.startsWith('…x'), left?.endsWith('xleft'), right?.endsWith('xright')]).toEqual([true, true, true]);
    expect(shownPart(long, undefined)).toEqual({ left: `${'x'.repeat(2_000)}…`, right: undefined });
    expect(shownPart(long, long).right).toHaveLength(2_001);
  });
});

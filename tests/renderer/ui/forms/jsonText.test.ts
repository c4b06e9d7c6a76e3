import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { removeJsonAt, setJsonAt } from '../../../../renderer/ui/forms/json/editJsonText.ts';
import { nodeAt, type JsonNode } from '../../../../renderer/ui/forms/json/jsonNode.ts';
import { parseJsonText } from '../../../../renderer/ui/forms/json/parseJsonText.ts';
import { jsonOf } from '../../../../renderer/ui/forms/json/nodeFacts.ts';

const rootOf = (text: string): JsonNode => {
  const parsed = parseJsonText(text);
  if (!parsed.ok) throw new Error(`not JSON: ${text}`);
  return parsed.root;
};

/** Objects as people space them: one line, several, tabs, nothing. */
const spaced = fc
  .tuple(
    fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
    fc.constantFrom(undefined, 1, 2, 4, '\t'),
  )
  .map(([value, space]) => ({
    value: JSON.parse(JSON.stringify(value)) as Record<string, unknown>,
    text: JSON.stringify(value, null, space),
  }));

describe('parseJsonText', () => {
  it('reads what JSON.parse reads, and refuses what it refuses', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.string(),
          fc.json().map((text) => text.slice(0, -1)),
          fc.json().map((text) => `${text},`),
        ),
        (text) => {
          let expected: string | undefined;
          try {
            expected = JSON.stringify(JSON.parse(text));
          } catch {
            expected = undefined;
          }
          const parsed = parseJsonText(text);
          expect(parsed.ok ? JSON.stringify(JSON.parse(jsonOf(parsed.root))) : undefined).toBe(expected);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('keeps numbers as they are written', () => {
    const root = rootOf('{"id": 9007199254740993, "x": 1.0, "y": 1e3}');
    expect(jsonOf(root)).toBe('{"id":9007199254740993,"x":1.0,"y":1e3}');
  });

  it.each([
    ['', 'the text is empty', 1, 1],
    ['{"a": 1,}', 'there is a comma before }', 1, 8],
    ['{"a": 1\n "b": 2}', 'a comma is missing', 2, 2],
    ['[1 2]', 'a comma or the end is expected here', 1, 4],
    ['{"a": 1]', '] closes nothing', 1, 8],
    ['{"a" 1}', 'a colon is expected here', 1, 6],
    ['{name: 1}', 'a key has no quotes', 1, 2],
    ['{"a": 1, 亮度: 1}', 'a key in double quotes is expected here', 1, 10],
    ['{,}', 'a key in double quotes is expected here', 1, 2],
    ['{"a": \'x\'}', 'a string is in quotes other than "', 1, 7],
    ['{"a": 1 // one\n}', 'JSON has no comments', 1, 9],
    ['/* a */ {}', 'JSON has no comments', 1, 1],
    ['{} # end', 'text follows the JSON', 1, 4],
    ['{"a": True}', 'True is written true in JSON', 1, 7],
    ['{"a": "x', 'the text ends inside a string', 1, 9],
    ['{"a": "x\ny"}', 'a string contains a line break', 1, 9],
    ['{"a": "\\q"}', 'a backslash does not begin a valid JSON escape', 1, 8],
    ['{} {}', 'text follows the JSON', 1, 4],
    ["{'a': 1}", 'a string is in quotes other than "', 1, 2],
    ['[01]', 'this is not a valid JSON number', 1, 2],
    ['{"lat":1，"lon":2}', 'the comma is a full-width one', 1, 9],
    ['{"lat"：1}', 'the colon is a full-width one', 1, 7],
    ['{"lat":１}', '“１” is full-width, where “1” is needed', 1, 8],
    ['｛"lat":1}', '“｛” is full-width, where “{” is needed', 1, 1],
    ['{“lat”:1}', 'a string is in quotes other than "', 1, 2],
  ])('says where %j stops being JSON', (text, what, line, column) => {
    const parsed = parseJsonText(text);
    expect(parsed.ok).toBe(false);
    if (!parsed.ok) expect(parsed.problem).toMatchObject({ what, line, column });
  });

  it('refuses nesting that would exhaust the stack', () => {
    const parsed = parseJsonText('['.repeat(100_000));
    expect(parsed).toMatchObject({ ok: false, problem: { what: 'it is nested more than 200 levels deep' } });
  });
});

describe('editing JSON text', () => {
  it('sets one value and touches nothing else', () => {
    fc.assert(
      fc.property(spaced, fc.string(), fc.jsonValue(), ({ value, text }, key, given) => {
        const json = JSON.stringify(given);
        const edited = setJsonAt(text, [key], json);
        const expected = new Map(Object.entries(value));
        expected.set(key, JSON.parse(json));
        expect(new Map(Object.entries(JSON.parse(edited) as object))).toEqual(expected);
        const before = rootOf(text);
        const after = rootOf(edited);
        for (const other of Object.keys(value)) {
          if (other === key) continue;
          const old = nodeAt(before, [other]);
          const now = nodeAt(after, [other]);
          expect(now && edited.slice(now.start, now.end)).toBe(old && text.slice(old.start, old.end));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('a value that was set and left out again leaves the others as they were', () => {
    fc.assert(
      fc.property(spaced, fc.string(), ({ value, text }, key) => {
        fc.pre(!Object.hasOwn(value, key));
        const without = removeJsonAt(setJsonAt(text, [key], '1'), [key]);
        expect(JSON.parse(without)).toEqual(value);
        // An object that became empty again may be spaced anew; every other comes back letter by letter.
        if (Object.keys(value).length > 0) expect(without).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it('makes the objects on the way, in the indentation around', () => {
    expect(setJsonAt('{\n  "a": 1\n}', ['color', 'r'], '255')).toBe('{\n  "a": 1,\n  "color": {\n    "r": 255\n  }\n}');
    expect(setJsonAt('{"a":1}', ['b'], '2')).toBe('{"a":1, "b": 2}');
    expect(setJsonAt('{}', ['b'], '2')).toBe('{\n  "b": 2\n}');
  });

  it('removes every occurrence of a key, and sets the one that counts', () => {
    expect(removeJsonAt('{"a": 1, "b": 2, "a": 3}', ['a'])).toBe('{"b": 2}');
    expect(setJsonAt('{"a": 1, "a": 3}', ['a'], '9')).toBe('{"a": 1, "a": 9}');
  });

  it('keeps keys that other objects inherit as plain data', () => {
    const edited = setJsonAt('{}', ['__proto__'], '{"x":1}');
    expect(edited).toContain('"__proto__": {"x":1}');
    expect(nodeAt(rootOf(edited), ['constructor'])).toBeUndefined();
  });

  it('refuses to write through a value that is not an object', () => {
    expect(() => setJsonAt('{"a": [1]}', ['a', 'b'], '1')).toThrow(RangeError);
    expect(() => setJsonAt('[1]', ['a'], '1')).toThrow(RangeError);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cloneJson, maximumJsonDepth } from '../../../src-core/base/cloneJson.ts';

describe('JSON is copied', () => {
  test('returns an equal value that shares no object', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const cloned = cloneJson(value);
        // -0 is 0 in JSON, so both are compared as text.
        expect(JSON.stringify('value' in cloned && cloned.value)).toBe(JSON.stringify(value));
      }),
    );
  });

  test('later changes to the original change nothing, and the parts are counted', () => {
    const original = { list: [1, 2], inner: { on: true } };
    const cloned = cloneJson(original);
    original.list.push(3);
    original.inner.on = false;
    expect(cloned).toEqual({ value: { list: [1, 2], inner: { on: true } } });
  });

  test('__proto__ is plain data and pollutes nothing', () => {
    const cloned = cloneJson(JSON.parse('{"__proto__":{"polluted":true},"constructor":1}'));
    const value = 'value' in cloned ? (cloned.value as object) : {};
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('undefined in an object counts as absent', () => {
    expect(cloneJson({ a: undefined, b: 1 })).toEqual({ value: { b: 1 } });
  });
});

describe('what is not JSON is a problem with its place', () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  test.each([
    [{ a: [1, Number.NaN] }, ['a', 1], 'NaN is not a number that JSON has'],
    [{ a: Infinity }, ['a'], 'Infinity is not a number that JSON has'],
    [[undefined], [0], 'a value of type undefined is not JSON'],
    [{ f: () => 1 }, ['f'], 'a value of type function is not JSON'],
    [{ b: 1n }, ['b'], 'a value of type bigint is not JSON'],
    [{ '\ud800': 1 }, [], 'a key contains an incomplete character'],
  ])('%o', (value, path, problem) => {
    expect(cloneJson(value)).toEqual({ problem, path });
  });

  test('a value inside itself, or nested too deep', () => {
    expect(cloneJson(circle)).toMatchObject({
      problem: expect.stringContaining(`more than ${maximumJsonDepth} levels`),
    });
    const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as unknown;
    expect(cloneJson(deep)).toMatchObject({ problem: expect.stringContaining('levels deep') });
  });

  test('a getter that throws is passed on as it is', () => {
    const value = {
      get broken() {
        throw new Error('no luck');
      },
    };
    expect(() => cloneJson(value)).toThrow('no luck');
  });
});

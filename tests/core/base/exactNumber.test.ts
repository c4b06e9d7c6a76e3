import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  exactToBigInt,
  isExactNumber,
  parseExactly,
  roundExact,
  writeWithBigInts,
} from '../../../src-core/base/exactNumber.ts';
import type { JsonObject } from '../../../src-core/base/json.ts';
import { parseArgsJson } from '../../../src-core/schema/parseArgsJson.ts';
import { readArguments } from '../../../src-core/schema/readArguments.ts';

const inputSchema = {
  type: 'object',
  properties: { id: { type: 'integer', minimum: 0 }, name: { type: 'string' }, list: { type: 'array' } },
};
const read = (text: string) => readArguments({ args: parseArgsJson(text), inputSchema, source: 'json' });

describe('numbers that JavaScript would write otherwise', () => {
  it.each(['9007199254740993', '-9007199254740993', '123456789012345678901234567890', '18446744073709551615'])(
    '%s is written as it was read',
    (digits) => {
      const text = `{"id":${digits},"list":[1,{"deep":${digits}}],"x":1.5}`;
      expect(JSON.stringify(parseExactly(text))).toBe(text);
    },
  );

  it('keeps any number that JSON has as it is written', () => {
    const text = fc
      .tuple(fc.stringMatching(/^(0|[1-9][0-9]{0,29})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,4})?$/), fc.boolean())
      .map(([digits, negative]) => (negative ? `-${digits}` : digits));
    fc.assert(
      fc.property(fc.array(text), (numbers) => {
        const json = `{"n":[${numbers.join(',')}]}`;
        expect(JSON.stringify(parseExactly(json))).toBe(json);
      }),
      { numRuns: 1_000 },
    );
  });

  it('returns the nearest number, or none if there is none', () => {
    expect(exactToBigInt(parseExactly('[1.0, -0, 0.1000000000000000055511151231257827, 1e2]'))).toEqual([
      1, -0, 0.1, 100,
    ]);
    expect(() => exactToBigInt(parseExactly('[1e400]'))).toThrow('1e400 is larger than any number');
    expect(() => exactToBigInt(parseExactly(`[${'9'.repeat(400)}]`))).toThrow(/^9{40}… is larger/);
  });

  it('leaves every other number what JSON.parse makes of it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(roundExact(parseExactly(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('keeps any integer through the conversion and the check of arguments', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }), (id) => {
        const { args, issues } = read(`{"id": ${String(id)}}`);
        expect(issues).toEqual([]);
        expect(JSON.stringify(args)).toBe(`{"id":${String(id)}}`);
      }),
    );
  });

  it('is an integer to the check: out of range and in the place of text it is refused', () => {
    expect(read('{"id": -9007199254740993}').issues[0]).toMatchObject({ parameter: 'id' });
    expect(read('{"name": 9007199254740993}').issues[0]).toMatchObject({ parameter: 'name' });
  });

  it('takes no number for the whole arguments', () => {
    expect(() => parseArgsJson('9007199254740993')).toThrow(/Write an object/);
  });

  it('comes to a handler as a bigint, and is a rounded number where it is only shown', () => {
    const args = parseExactly('{"__proto__": {"a": 1}, "list": [9007199254740993], "same": {"b": 1}}') as JsonObject;
    expect(Object.entries(exactToBigInt(args))).toEqual([
      ['__proto__', { a: 1 }],
      ['list', [9007199254740993n]],
      ['same', { b: 1 }],
    ]);
    expect(roundExact(args)['list']).toEqual([Number('9007199254740993')]);
    const plain = { a: [1, { b: 'x' }] };
    expect(roundExact(plain)).toBe(plain);
    expect(isExactNumber({ rawJSON: '1' })).toBe(false);
  });

  it('is written if a handler answers with a bigint', () => {
    expect(writeWithBigInts({ id: 9007199254740993n, list: [1n] })).toBe('{"id":9007199254740993,"list":[1]}');
    expect(writeWithBigInts(undefined)).toBeUndefined();
  });
});

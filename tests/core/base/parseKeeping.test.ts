import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';

import { readDeviceMessage } from '../../../src-core/features/devices/wire/deviceMessage.ts';
import { maxForeignNumbers, parseExactly, parseIntegersExactly } from '../../../src-core/base/exactNumber.ts';
import { parseArgsJson } from '../../../src-core/schema/parseArgsJson.ts';
import { TooManyNumbersError } from '../../../src-core/base/parseKeeping.ts';
import { rawJson } from '../../../src-core/base/rawJson.ts';

/** What a reviver makes of every number of a text: slow, and surely right. */
function parseByReviver(text: string): unknown {
  return rawJson.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && JSON.stringify(value) !== source
      ? rawJson.rawJSON(source)
      : value,
  );
}

const number = fc.oneof(
  fc.bigInt().map(String),
  fc.constantFrom('-0', '1.0', '1e400', '-1.50E+2', '0.0000001', '12345678901234567890', '1', '0.1'),
);
const piece = fc.oneof(number, fc.constantFrom('"', '\\', ',', ':', '[', ']', '{', '}', ' ', '"a"', '"a":', '\\"'));

test('a text is read as with a reviver, or refused as JSON refuses it', () => {
  const text = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    fc
      .array(fc.tuple(fc.string(), number))
      .map((all) => `{${all.map(([k, n]) => `${JSON.stringify(k)}: ${n}`).join()}}`),
  );
  fc.assert(
    fc.property(text, (json) => {
      let expected: unknown;
      try {
        expected = JSON.parse(json);
      } catch (error) {
        expect(() => parseExactly(json)).toThrow(error);
        return;
      }
      expect(JSON.stringify(parseExactly(json))).toBe(JSON.stringify(parseByReviver(json)));
      expect(inDoubles(parseIntegersExactly(json))).toEqual(inDoubles(expected));
    }),
    { numRuns: 2_000, examples: [[`1${'0'.repeat(309)}`]] },
  );
});

/** Its numbers as doubles; null for those beyond the largest. */
function inDoubles(value: unknown): unknown {
  const copy = (from: unknown): unknown => JSON.parse(JSON.stringify(from));
  return copy(copy(value));
}

test('texts that look like numbers stay texts, and a number is not a key', () => {
  const json = '{"a":"x:12345678901234567890","b\\\\":[",12345678901234567890",12345678901234567890],"__proto__":1.0}';
  expect(JSON.stringify(parseExactly(json))).toBe(json);
  expect(() => parseIntegersExactly('{12345678901234567890:1}')).toThrow(SyntaxError);
});

test('one long number does not have every value of the text looked at by a reviver', () => {
  const parse = vi.spyOn(JSON, 'parse');
  const text = `[${'{"a":1},'.repeat(1_000)}12345678901234567890]`;
  expect(JSON.stringify(parseIntegersExactly(text))).toBe(text);
  expect(parse.mock.calls.map(({ length }) => length)).toEqual([1]);
  parse.mockRestore();
});

test('a hundred thousand levels are read without recursion', () => {
  const text = `${'['.repeat(100_000)}12345678901234567890${']'.repeat(100_000)}`;
  expect(Array.isArray(parseIntegersExactly(text))).toBe(true);
});

const numbers = (count: number): string => `[${Array.from({ length: count }, () => '12345678901234567890').join()}]`;

test('a text of others with more exact numbers than are read is refused before JSON.parse, never rounded', () => {
  expect(JSON.stringify(parseIntegersExactly(numbers(maxForeignNumbers)))).toBe(numbers(maxForeignNumbers));
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const tooMany = numbers(maxForeignNumbers + 1);
  expect(() => parseIntegersExactly(tooMany)).toThrow(TooManyNumbersError);
  expect(() => parseArgsJson(`{"all":${tooMany}}`)).toThrow(
    'The arguments have more than 10000 numbers that cannot be read without rounding them.',
  );
  expect(readDeviceMessage(`{"type":"mcp","payload":${tooMany}}`)).toEqual({
    ok: false,
    reason: 'JSON with more than 10000 numbers that cannot be read without rounding them',
  });
  expect(parse).not.toHaveBeenCalled();
  expect(JSON.stringify(parseExactly(tooMany))).toBe(tooMany);
});

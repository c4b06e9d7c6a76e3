import fc from 'fast-check';
import { expect, test } from 'vitest';

import { hasMoreValues } from '../../../src-core/base/hasMoreValues.ts';
import { measureJson } from '../../../src-core/base/measureJson.ts';

/** Values and names of parsed JSON. */
function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countOf(item), 1);
  return Object.values(value).reduce<number>((sum, item) => sum + 1 + countOf(item), 1);
}

test('never counts fewer values than there are, and at most one more for each empty list or object', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (json) => {
      const count = countOf(JSON.parse(json));
      const empty = json.match(/\[\]|\{\}/g)?.length ?? 0;
      expect(hasMoreValues(json, count - 1)).toBe(true);
      expect(hasMoreValues(json, count + empty)).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['signs in a text', '"[1,2,{:"', 1, false],
  ['an escaped quote', String.raw`["\",,,,\\\",,", 1]`, 3, false],
  ['an escaped backslash at the end of a text', String.raw`["\\",1,2]`, 3, true],
  ['a text that does not end', '["[[[[[[', 2, false],
  ['a list that does not end', '['.repeat(100), 50, true],
])('counts %s', (_what, json, most, expected) => {
  expect(hasMoreValues(json, most)).toBe(expected);
});

test('parsed values of a text that passes are bounded, too', () => {
  const json = JSON.stringify(Array.from({ length: 10_000 }, () => ({ a: 1 })));
  expect(hasMoreValues(json, 30_001)).toBe(false);
  expect(measureJson(JSON.parse(json), 30_001)).toBeLessThanOrEqual(30_001);
});

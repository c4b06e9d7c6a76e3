import fc from 'fast-check';
import { expect, test } from 'vitest';

import { boundedJson } from '../../../../src-core/features/chat/boundedJson.ts';

test('is the JSON of the value, or its beginning', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(200), (value, most) => {
      const json = JSON.stringify(value);
      const { text, isWhole } = boundedJson(value, most);
      expect(isWhole).toBe(json.length <= most);
      expect(text).toBe(isWhole ? json : json.slice(0, most).toWellFormed());
    }),
    { numRuns: 2_000 },
  );
});

test('leaves out members that are undefined, as JSON does', () => {
  const value = { a: undefined, b: [undefined, 1], c: undefined };
  expect(boundedJson(value, 100)).toEqual({ text: JSON.stringify(value), isWhole: true });
});

test('reads no more of a value than it writes', () => {
  let read = 0;
  const message = {
    get content() {
      read += 1;
      return 'x'.repeat(1_000);
    },
  };
  const { text, isWhole } = boundedJson({ messages: Array.from({ length: 10_000 }, () => message) }, 10_000);
  expect(isWhole).toBe(false);
  expect(text).toHaveLength(10_000);
  expect(read).toBeLessThanOrEqual(11);
});

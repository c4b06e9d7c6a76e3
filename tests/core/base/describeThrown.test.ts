import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeThrown } from '../../../src-core/base/describeThrown.ts';

const hostile = new Proxy(
  {},
  {
    get: () => {
      throw new Error('trap');
    },
    has: () => true,
  },
);

test.each([
  [new Error('disk full'), 'disk full'],
  [new TypeError(''), 'TypeError'],
  ['just text', 'just text'],
  [42, '42'],
  [null, 'null'],
  [undefined, 'undefined'],
  [Symbol('odd'), 'Symbol(odd)'],
  [{ message: 'like an error' }, 'like an error'],
  [{ code: 7 }, '{"code":7}'],
  ['', 'An empty value was thrown.'],
  [hostile, 'A value was thrown that has no text.'],
  [Object.create(null), '{}'],
])('%#', (thrown, text) => {
  expect(describeThrown(thrown)).toBe(text);
});

test('long messages are cut', () => {
  expect(describeThrown(new Error('x'.repeat(1_000_000))).length).toBe(10_000);
});

test('describes any thrown value', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withNullPrototype: true, withSymbol: true } as object), (thrown) => {
      expect(describeThrown(thrown)).not.toBe('');
    }),
  );
});

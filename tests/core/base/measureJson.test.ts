import { expect, test } from 'vitest';

import { measureJson } from '../../../src-core/base/measureJson.ts';

test('counts values, keys and texts', () => {
  expect(measureJson({ a: [1, 2, 'x'.repeat(200)] }, 100)).toBeCloseTo(1 + 0.01 + 1 + 3 + 2);
});

test('ends for a value inside itself', () => {
  const value: Record<string, unknown> = {};
  value['self'] = value;
  expect(measureJson(value, 50)).toBeGreaterThan(50);
});

test('reads no item of a list that is too long', () => {
  let reads = 0;
  const list = new Proxy(new Array(1_000_000).fill(0), {
    get: (target, key, receiver): unknown => {
      if (key !== 'length') reads += 1;
      return Reflect.get(target, key, receiver);
    },
  });
  expect(measureJson(list, 100)).toBe(101);
  expect(reads).toBe(0);
});

import { expect, test } from 'vitest';

import { formatAgo } from '../../../renderer/i18n/formatAgo.ts';

test('the time since uses the largest unit', () => {
  const minute = 60_000;
  expect([0, 59_000, 14 * minute, 90 * minute, 47 * 60 * minute, 48 * 60 * minute].map(formatAgo)).toEqual([
    '0 s',
    '59 s',
    '14 min',
    '1 h',
    '47 h',
    '2 d',
  ]);
  expect(formatAgo(-5_000)).toBe('0 s');
});

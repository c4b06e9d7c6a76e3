import { analyse } from 'scslre';
import { expect, test } from 'vitest';

import { allowed, literals } from '../regularExpressionLiterals.ts';

function isLinear(literal: string): boolean {
  const end = literal.lastIndexOf('/');
  return analyse({ source: literal.slice(1, end), flags: literal.slice(end + 1) }).reports.length === 0;
}

test('the analysis finds quadratic and exponential expressions', () => {
  for (const literal of ['/\\s+$/', '/^(a+)+$/', '/^\\d*1?\\d*$/', '/a*b/g']) expect(isLinear(literal)).toBe(false);
  for (const literal of ['/\\s$/', '/^a+$/', '/a+/g']) expect(isLinear(literal)).toBe(true);
});

test('every regular expression of the sources takes linear time', () => {
  const all = literals();
  expect(all.size).toBeGreaterThan(200);
  const slow = [...all].filter(([literal]) => !isLinear(literal) && !allowed.has(literal));
  expect(slow).toEqual([]);
}, 120_000);

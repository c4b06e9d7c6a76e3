import { expect, it } from 'vitest';

import { matchesSafely } from '../../../renderer/forms/schema/matchesSafely.ts';

it.each([
  ['^[a-z]+$', 'abc', true],
  ['^[a-z]+$', 'ABC', false],
  ['^#[0-9a-fA-F]{6}$', '#12abEF', true],
  ['^(on|off)$', 'dim', false],
  ['^((25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(25[0-5]|2[0-4]\\d|1?\\d?\\d)$', '192.168.0.1', true],
  ['^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$', '123e4567-e89b-12d3-a456-426614174000', true],
  ['\\(\\+\\)+', '(+)))', true],
  ['^\\p{L}+$', '灯', true],
])('%s of %s', (pattern, text, expected) => {
  expect(matchesSafely(pattern, text)).toBe(expected);
});

it.each([
  ['a repetition in a repetition', '^(a+)+$', 'a'],
  ['the same with a group between', '^((a+)b?)*$', 'a'],
  ['a choice that is repeated', '^(a|a)*$', 'a'],
  ['a choice that is counted often', '^(a|a){30}$', 'a'],
  ['many repetitions of a long text', '.*.*.*.*x', 'a'.repeat(500)],
  ['no expression', '(', 'a'],
  ['a text that is too long', 'a', 'a'.repeat(5_000)],
])('does not try %s', (_what, pattern, text) => {
  expect(matchesSafely(pattern, text)).toBeUndefined();
});

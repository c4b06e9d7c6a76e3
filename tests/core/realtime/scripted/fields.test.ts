import { expect, test } from 'vitest';
import { number, text } from '../../../../src-core/realtime/scripted/fields.ts';

test('the bounds of a number belong to it', () => {
  const check = number(0.6, 1.2);
  for (const value of [0.6, 1.2]) expect(() => check(value, 'session.temperature')).not.toThrow();
  expect(() => check(0.59, 'session.temperature')).toThrow(
    expect.objectContaining({ code: 'decimal_below_min_value', param: 'session.temperature' }),
  );
  expect(() => check(1.21, 'session.temperature')).toThrow(
    expect.objectContaining({ code: 'decimal_above_max_value', param: 'session.temperature' }),
  );
});

test('a text may have as many characters as allowed', () => {
  const check = text(3);
  expect(() => check('abc', 'session.voice')).not.toThrow();
  expect(() => check('abcd', 'session.voice')).toThrow(
    expect.objectContaining({ code: 'string_above_max_length', param: 'session.voice' }),
  );
});

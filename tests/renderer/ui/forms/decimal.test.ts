import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { addSteps, compareNumbers, isMultipleOf, isWhole } from '../../../../renderer/ui/forms/json/decimal.ts';

describe('numbers as they are written', () => {
  it.each([
    ['9007199254740993', '9007199254740992', 1],
    ['1.0', '1', 0],
    ['1e2', '100', 0],
    ['-0.1', '0', -1],
    ['1e999999999', '1', 1],
  ])('%s beside %s', (a, b, order) => expect(compareNumbers(a, b)).toBe(order));

  it.each([
    ['1.0', true],
    ['1e-1', false],
    ['10e-1', true],
    ['1.5', false],
  ])('%s is whole: %s', (raw, whole) => expect(isWhole(raw)).toBe(whole));

  it.each([
    ['0.3', '0.1', true],
    ['0.35', '0.1', false],
    ['9007199254740993', '2', false],
    ['5', '0', true],
  ])('%s is a multiple of %s: %s', (raw, step, multiple) => expect(isMultipleOf(raw, step)).toBe(multiple));

  it.each([
    ['9007199254740993', '1', 1, '9007199254740994'],
    ['0.1', '0.2', 1, '0.3'],
    ['-0.1', '0.05', 1, '-0.05'],
    ['1', '1', -1, '0'],
    ['1.50', '0.5', -1, '1'],
  ])('%s and a step of %s', (raw, step, count, sum) => expect(addSteps(raw, step, count)).toBe(sum));

  it('adds and compares as bigint does', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), (a, b) => {
        expect(addSteps(String(a), String(b < 0n ? -b : b), 1)).toBe(String(a + (b < 0n ? -b : b)));
        expect(compareNumbers(String(a), String(b))).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });
});

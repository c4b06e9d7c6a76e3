import { expect, test } from 'vitest';

import { createTimeBudget } from '../../../../src-core/features/collections/timeBudget.ts';

test('what is left goes with the time that is used, not with that of others', async () => {
  let at = 0;
  const budget = createTimeBudget(1_000, () => at);
  expect(budget.left(200)).toBe(200);
  at = 900;
  expect(budget.left(200)).toBe(100);
  setImmediate(() => (at += 10_000));
  await budget.turn();
  expect(budget.left(200)).toBe(100);
  at += 99.5;
  expect(() => budget.left(200)).toThrow('The checks of this call took more than 1000 ms together.');
});

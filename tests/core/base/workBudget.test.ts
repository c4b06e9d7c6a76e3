import { expect, test } from 'vitest';
import { createWorkBudget, TooMuchWorkError, unlimitedWork } from '../../../src-core/base/workBudget.ts';

const endless = (): boolean => /^(a+)+$/u.test(`${'a'.repeat(50)}!`);

test('returns what the work returns, and throws what it throws', () => {
  for (const budget of [createWorkBudget(1_000), unlimitedWork]) {
    expect(budget.run(() => ({ a: 1 }))).toEqual({ a: 1 });
    expect(budget.run(() => undefined)).toBeUndefined();
    const broken = new Error('broken');
    const work = (): void => {
      throw broken;
    };
    expect(() => budget.run(work)).toThrow(broken);
  }
});

test('stops a loop and a regular expression that do not end', () => {
  const loop = (): void => {
    for (;;);
  };
  expect(() => createWorkBudget(10).run(loop)).toThrow(
    new TooMuchWorkError('it takes more than 10 ms of processor time'),
  );
  expect(() => createWorkBudget(10).run(endless)).toThrow('it takes more than 10 ms of processor time');
});

test('a piece may have less than the rest, and what is spent is spent', () => {
  const budget = createWorkBudget(2_000);
  expect(() => budget.run(endless, 5)).toThrow(TooMuchWorkError);
  expect(budget.run(() => 'left')).toBe('left');
  let now = 0;
  const spent = createWorkBudget(5, () => (now += 5));
  expect(() => spent.run(endless)).toThrow(TooMuchWorkError);
  expect(() => spent.run(() => 'left')).toThrow(TooMuchWorkError);
});

test('a piece inside another shares its limit; another budget inside has its own', () => {
  const budget = createWorkBudget(10);
  expect(() => budget.run(() => budget.run(endless))).toThrow(TooMuchWorkError);
  const result = createWorkBudget(5_000).run(() => {
    expect(() => createWorkBudget(10).run(endless)).toThrow(TooMuchWorkError);
    return createWorkBudget(1_000).run(() => 'inner');
  });
  expect(result).toBe('inner');
});

test('waiting is not processor time: work that waited runs again, and is not charged for it', () => {
  const lock = new Int32Array(new SharedArrayBuffer(4));
  let runs = 0;
  const work = (): string => {
    runs += 1;
    // The first run waits longer than the whole limit without using the processor; the loop ends it there.
    if (runs === 1) {
      Atomics.wait(lock, 0, 0, 300);
      for (;;);
    }
    return 'done';
  };
  const budget = createWorkBudget(200);
  expect(budget.run(work)).toBe('done');
  expect(runs).toBe(2);
  expect(budget.isSpent).toBe(false);
});

test('work that waited does not run again if that could take more than twice the limit', () => {
  let usedMs = 0;
  let runs = 0;
  const work = (): void => {
    runs += 1;
    usedMs += 60;
    for (;;);
  };
  // Of 200 ms for all runs, 80 are left after the second.
  expect(() => createWorkBudget(100, () => usedMs).run(work)).toThrow(TooMuchWorkError);
  expect(runs).toBe(2);
});

test('a budget says whether work was stopped', () => {
  const budget = createWorkBudget(5);
  expect(() => budget.run(endless)).toThrow(TooMuchWorkError);
  expect(budget.isSpent).toBe(true);
});

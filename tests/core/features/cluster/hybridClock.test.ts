/** The clock by which the decisions and claims of all nodes are ordered. */
import { expect, test } from 'vitest';

import { compareStamps, HybridClock } from '../../../../src-core/features/cluster/hybridClock.ts';

const now = Date.UTC(2026, 10, 28);
const day = 86_400_000;

test('later stamps are greater, also if the clock of the machine goes back by less than a day', () => {
  let wall = now;
  const clock = new HybridClock(() => wall);
  const first = clock.tick();
  wall -= day / 2;
  const second = clock.tick();
  clock.observe({ ms: now + day / 4, count: 7 });
  const third = clock.tick();
  expect([compareStamps(second, first) > 0, compareStamps(third, second) > 0]).toEqual([true, true]);
});

test('starts again from the clock of the machine once that was corrected by days', () => {
  let wall = now + 3 * day;
  const clock = new HybridClock(() => wall);
  const ahead = clock.tick();
  wall = now;
  expect(clock.last).toEqual({ ms: 0, count: 0 });
  expect(clock.tick()).toEqual({ ms: now, count: 0 });
  expect(clock.observe(ahead)).toBe(false);
  expect(clock.countOf(ahead)).toEqual({ ms: 0, count: 0 });
});

test('a machine that has not set its clock takes the stamps of the others, until it has', () => {
  let wall = 0;
  const clock = new HybridClock(() => wall);
  expect(clock.observe({ ms: now + 3 * day, count: 0 })).toBe(true);
  expect(clock.tick()).toEqual({ ms: now + 3 * day, count: 1 });
  wall = now;
  expect(clock.tick()).toEqual({ ms: now, count: 0 });
});

import { expect, it } from 'vitest';

import { Retries } from '../../../../src-core/features/servers/retries.ts';
import { createManualClock } from '../devices/support/manualClock.ts';

function createRetries() {
  const clock = createManualClock();
  const retries = new Retries(clock, () => undefined);
  return { clock, retries, delay: () => retries.plan() - clock.wall() };
}

it('waits at most 60 s before an attempt, however many have failed', () => {
  const { delay } = createRetries();
  const delays = Array.from({ length: 10 }, delay);
  expect(delays[0]).toBeLessThanOrEqual(500);
  for (const last of delays.slice(4)) {
    expect(last).toBeGreaterThanOrEqual(48_000);
    expect(last).toBeLessThanOrEqual(60_000);
  }
});

it('begins with the shortest delay again after a connection of 60 s', () => {
  const { clock, retries, delay } = createRetries();
  delay();
  const connectedAt = clock.now();
  clock.advance(59_999);
  retries.noteLoss(connectedAt);
  expect(delay()).toBeGreaterThanOrEqual(1_600);
  clock.advance(1);
  retries.noteLoss(connectedAt);
  expect(delay()).toBeLessThanOrEqual(500);
});

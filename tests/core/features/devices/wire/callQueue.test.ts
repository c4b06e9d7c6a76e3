/** The order in which calls reach a device that answers one at a time. */
import { expect, test } from 'vitest';

import { CallQueue } from '../../../../../src-core/features/devices/wire/callQueue.ts';

test('a call that comes between an end and the next start does not overtake those that wait', async () => {
  const queue = new CallQueue({ concurrency: 1, maxQueued: 10 });
  const started: string[] = [];
  const wait = (name: string): void =>
    queue.wait({ start: () => started.push(name), fail: () => started.push(`${name} failed`), signal: undefined });
  expect(queue.enter()).toBe(true);
  wait('second');
  // The place is free now, and the second call starts in a microtask.
  queue.leave();
  expect(queue.enter()).toBe(false);
  wait('third');
  await Promise.resolve();
  expect(started).toEqual(['second']);
  queue.leave();
  await Promise.resolve();
  expect(started).toEqual(['second', 'third']);
  queue.leave();
  expect(queue.enter()).toBe(true);
});

/** What a client can make the gateway keep, whatever its messages' sizes. */
import { expect, test } from 'vitest';

import { SessionStore } from '../../../../src-core/features/gateway/sessionStore.ts';
import { TurnQueue } from '../../../../src-core/features/gateway/turnQueue.ts';
import { createManualClock } from '../devices/support/manualClock.ts';

test('questions that wait are bounded by their size together, and what ran makes room', async () => {
  const ends: (() => void)[] = [];
  const queue = new TurnQueue<string>({
    run: () => new Promise((resolve) => ends.push(resolve)),
    maxWaiting: 10,
    maxSize: 10,
    sizeOf: (text: string) => text.length,
  });
  expect(queue.add('runs at once')).toBe(true);
  expect(queue.add('a'.repeat(6))).toBe(true);
  expect(queue.add('b'.repeat(6))).toBe(false);
  expect(queue.add('c'.repeat(4))).toBe(true);
  ends[0]!();
  await expect.poll(() => ends.length).toBe(2);
  expect(queue.add('d'.repeat(6))).toBe(true);
  queue.clear();
  expect(queue.add('e'.repeat(99))).toBe(true);
});

test('sessions without a connection are bounded by their messages together; one in use is kept', () => {
  const clock = createManualClock();
  const store = new SessionStore({ clock, timeoutMs: () => 3_600_000 });
  const content = 'x'.repeat(10 * 1024 * 1024);
  const used = store.create();
  used.connections.add('c');
  const left = Array.from({ length: 8 }, () => store.create());
  for (const session of [used, ...left]) store.remember(session, [{ role: 'user', content }]);
  store.create();
  expect(store.get(used.id)).toBe(used);
  expect(left.map(({ id }) => store.get(id) !== undefined)).toEqual([
    ...[false, false],
    ...[true, true, true, true, true, true],
  ]);
});

/** After the computer has slept, connections are checked at once. */
import { once } from 'node:events';
import { expect, test } from 'vitest';

import { createManualClock } from './support/manualClock.ts';
import { openHub } from './support/openHub.ts';
import { connectScripted } from './support/scriptedDevice.ts';

const keepAlive = 'notifications/ping';

test('pings a device when it is approved, and schedules its keep-alive from then', async () => {
  const clock = createManualClock();
  const { hub, wsUrl, device } = await openHub({ clock });
  const board = await connectScripted(wsUrl);
  board.hello();
  await device(({ state }) => state === 'ready');
  clock.advance(20_000);
  const pinged = once(board.socket, 'ping');
  hub.checkConnections();
  await pinged;
  await board.request(keepAlive);
  // 30 s after the first one would have been 10 s from here.
  clock.advance(29_000);
  board.send({ type: 'ping' });
  await board.frame(({ type }) => type === 'pong');
  expect(board.requests.filter(({ method }) => method === keepAlive)).toHaveLength(1);
});

test('a device that has not said hello gets nothing: it would take it for an error', async () => {
  const { hub, wsUrl, device } = await openHub({ clock: createManualClock() });
  const board = await connectScripted(wsUrl);
  await device(({ state }) => state === 'hello');
  hub.checkConnections();
  board.hello();
  await device(({ state }) => state === 'ready');
  expect(board.requests.map(({ method }) => method)).not.toContain(keepAlive);
});

test('a device that slept longer than its limit is not called idle before it could answer', async () => {
  const clock = createManualClock();
  const { hub, wsUrl, device } = await openHub({ clock, limits: { keepAliveMs: 1_000_000 } });
  const board = await connectScripted(wsUrl);
  board.hello();
  await device(({ state }) => state === 'ready');
  clock.advance(500_000);
  let changes = 0;
  hub.onChange(() => (changes += 1));
  const pinged = once(board.socket, 'ping');
  hub.checkConnections();
  await pinged;
  board.send({ type: 'ping' });
  await board.frame(({ type }) => type === 'pong');
  expect(changes).toBe(0);
  expect((await device(() => true)).doctor).not.toHaveProperty('cause');
});

/** Devices that connect again and again, and two boards with one MAC address. */
import { expect, test } from 'vitest';

import { createManualClock } from './support/manualClock.ts';
import { openHub } from './support/openHub.ts';
import { boardId } from './support/remoteBoard.ts';
import { connectScripted } from './support/scriptedDevice.ts';

test('a board that restarts again and again needs attention, until it stays', async () => {
  const clock = createManualClock();
  const { wsUrl, device } = await openHub({ clock });
  for (let start = 1; start <= 10; start += 1) {
    const board = await connectScripted(wsUrl);
    board.hello();
    const ready = await device(({ state }) => state === 'ready');
    expect(ready.health).toBe(start === 10 ? 'reconnects' : 'ready');
    clock.advance(4_000);
    board.socket.terminate();
    await device(({ state }) => state === 'closed');
  }
  const gone = await device(() => true);
  expect(gone).toMatchObject({ health: 'reconnects', doctor: { cause: 'reconnects' } });
  expect(gone.error).toEqual({ code: 'reconnects', message: 'host-sim connected 10 times within 2 minutes.' });
  clock.advance(120_000);
  expect(await device(() => true)).toMatchObject({ health: 'closed', doctor: { cause: 'left' } });
});

test('two boards with one MAC address are told, until one of them connects alone', async () => {
  const { wsUrl, device } = await openHub();
  const connectAs = async (client: string) => {
    const board = await connectScripted(wsUrl, { headers: { 'Device-Id': boardId, 'Client-Id': client } });
    board.hello();
    return board;
  };
  const first = await connectAs('a');
  await device(({ state }) => state === 'ready');
  const second = await connectAs('b');
  await first.closed;
  expect(await device(({ state }) => state === 'ready')).toMatchObject({
    clientId: 'b',
    health: 'mac-shared',
    doctor: { cause: 'mac-shared' },
  });
  second.socket.terminate();
  await device(({ state }) => state === 'closed');
  await connectAs('b');
  expect(await device(({ state }) => state === 'ready')).toMatchObject({ health: 'ready' });
});

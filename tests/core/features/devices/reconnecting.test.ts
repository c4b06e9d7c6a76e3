/** Devices that connect again and again, and two boards with one MAC address. */
import { expect, test } from 'vitest';

import type { DeviceHealth } from '../../../../src-core/contract/deviceInfo.ts';
import type { DeviceHub } from '../../../../src-core/features/devices/deviceHub.ts';
import { createManualClock } from './support/manualClock.ts';
import { openHub } from './support/openHub.ts';
import { boardId } from './support/remoteBoard.ts';
import { connectScripted } from './support/scriptedDevice.ts';

test('a board that restarts again and again needs attention, until it stays', async () => {
  const clock = createManualClock();
  const { hub, wsUrl, device } = await openHub({ clock });
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
  const healths: (DeviceHealth | undefined)[] = [];
  hub.onChange((id) => healths.push(hub.device(id)?.health));
  clock.advance(79_999);
  expect(healths).toEqual([]);
  // Two minutes after the first of the ten connections. No device changes then.
  clock.advance(1);
  expect(healths).toEqual(['closed']);
  expect(await device(() => true)).toMatchObject({ doctor: { cause: 'left' } });
});

test.each([
  ['forgotten', (hub: DeviceHub, id: string) => hub.forget(id)],
  ['closed with the hub', (hub: DeviceHub) => void hub.close()],
])('a board that kept reconnecting and was %s is not announced later', async (_, end) => {
  const clock = createManualClock();
  const { hub, wsUrl, device } = await openHub({ clock });
  for (let start = 1; start <= 10; start += 1) {
    const board = await connectScripted(wsUrl);
    board.hello();
    await device(({ state }) => state === 'ready');
    board.socket.terminate();
    await device(({ state }) => state === 'closed');
  }
  const { id } = await device(({ health }) => health === 'reconnects');
  end(hub, id);
  const changed: string[] = [];
  hub.onChange((each) => changed.push(each));
  clock.advance(300_000);
  expect(changed).toEqual([]);
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

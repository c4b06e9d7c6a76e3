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
  const { device, connectAs } = await openShared();
  await connectAs('a');
  const second = await connectAs('b');
  // A board that was erased has another Client-Id, and its old connection may still be open.
  expect(await device(({ state }) => state === 'ready')).toMatchObject({ clientId: 'b', health: 'ready' });
  await connectAs('a');
  await second.closed;
  expect(await device(({ state }) => state === 'ready')).toMatchObject({
    clientId: 'a',
    health: 'mac-shared',
    doctor: { cause: 'mac-shared' },
  });
  const last = await connectAs('b');
  expect(await device(({ state }) => state === 'ready')).toMatchObject({ clientId: 'b', health: 'mac-shared' });
  last.socket.terminate();
  await device(({ state }) => state === 'closed');
  await connectAs('b');
  expect(await device(({ state }) => state === 'ready')).toMatchObject({ health: 'ready' });
});

test('a board that reconnects while its old connection is open shares no MAC address', async () => {
  const { device, connectAs } = await openShared();
  for (const client of ['a', undefined, 'b', 'b', undefined]) await connectAs(client);
  expect(await device(({ state }) => state === 'ready')).toMatchObject({ health: 'ready' });
});

/** A hub, and what connects to it as one device until its tools are listed. */
async function openShared() {
  const { wsUrl, device } = await openHub();
  const connectAs = async (client: string | undefined) => {
    const headers = { 'Device-Id': boardId, ...(client !== undefined && { 'Client-Id': client }) };
    const board = await connectScripted(wsUrl, { headers });
    board.hello();
    await device(({ state, clientId }) => state === 'ready' && clientId === client);
    return board;
  };
  return { device, connectAs };
}

/** What the store keeps of devices that nobody let in: nothing, however much they say, until a person does. */
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';

import { systemClock } from '../../../../src-core/base/clock.ts';
import { defaultSettings } from '../../../../src-core/contract/defaultSettings.ts';
import { createEventBus } from '../../../../src-core/features/context.ts';
import { createEarlierDevices } from '../../../../src-core/features/devices/earlierDevices.ts';
import { openFrames } from '../../../../src-core/features/frames/service.ts';
import { storedDevice } from '../../../../src-core/features/devices/storedDevice.ts';
import { createRemovedBin } from '../../../../src-core/features/trash/removedBin.ts';
import { askOta } from './support/askOta.ts';
import { openHub } from './support/openHub.ts';
import { boardId, connectBoard } from './support/remoteBoard.ts';
import { framesOf, openTestStore } from '../../../helpers/testStore.ts';

/** A hub that is recorded, to which every device comes from another machine. */
async function openRecorded() {
  const store = openTestStore();
  const raise = (error: unknown) => {
    throw error;
  };
  const { wire, captures } = store;
  const bin = createRemovedBin({ store: store.removed, onChange: () => {}, onError: raise });
  const { service: logs, log: frames } = await openFrames({
    store,
    events: createEventBus(),
    settings: () => defaultSettings,
    clock: systemClock,
    onError: raise,
    trash: { bin, captures },
  });
  const open = await openHub({ isLocal: () => false, frames });
  frames.describe = (id) => {
    const info = open.hub.device(id);
    return info && storedDevice(info, open.hub.isConnected(id));
  };
  open.hub.onChange((id) => frames.touch(id));
  onTestFinished(async () => {
    await open.hub.close();
    frames.close();
  });
  const kept = () => {
    frames.flush();
    return framesOf(store.wire.log());
  };
  /** The devices of this run as the next run lists them. */
  const afterRestart = async () => {
    frames.flush();
    const quiet = { toolRegistryManager: { addDeparted() {} }, givenName: () => undefined, onChange() {} };
    const hub = { devices: () => [], device: () => undefined, forget: () => undefined };
    return (await createEarlierDevices({ ...quiet, wire, hub, frames, approvals: new Map(), bin })).list();
  };
  return {
    ...open,
    store,
    kept,
    rows: async (id: string) => (await logs.page({ source: 'device', connection: id, limit: 20_000 })).rows,
    logs,
    afterRestart,
  };
}

/** Resolves when a connection without a token was refused. */
async function refused(socket: WebSocket): Promise<void> {
  const [error] = (await once(socket, 'error')) as [Error];
  expect(error.message).toBe('Unexpected server response: 401');
}

test('questions to OTA and connections without a token write nothing, and are shown from memory', async () => {
  const { otaUrl, wsUrl, device, kept, store, rows, logs } = await openRecorded();
  for (let index = 0; index < 200; index += 1) await askOta(otaUrl, { 'Device-Id': `02:00:00:00:00:${index}` });
  const tokenless = '02:ff:00:00:00:01';
  await refused(new WebSocket(wsUrl, { headers: { 'Device-Id': tokenless } }));
  await device(({ state }) => state === 'failed', tokenless);
  expect(await kept()).toEqual([]);
  expect(await store.wire.devices()).toEqual([]);
  expect(await store.wire.device(tokenless)).toBeUndefined();

  expect((await rows(tokenless)).map(({ type }) => type).slice(0, 2)).toEqual(['open', 'close']);
  const [opened] = await rows(tokenless);
  expect((await logs.frame({ source: 'device', connection: tokenless, seq: opened!.seq })).text).toContain(
    'Host: 127.0.0.1',
  );
  await expect(logs.search({ source: 'device', connection: tokenless, text: 'hOST: 127' })).resolves.toEqual({
    seqs: [opened!.seq],
  });
});

test('an approved device keeps the frames from before the approval, without a gap', async () => {
  const open = await openRecorded();
  const { hub, device, kept, rows, store } = open;
  const board = await connectBoard(open);
  board.hello();
  await device(({ state }) => state === 'approval');
  expect(await kept()).toEqual([]);
  const before = await rows(boardId);
  expect(before.map(({ type }) => type)).toEqual(['note', 'open', 'hello', 'alert']);
  hub.approve(boardId);
  await device(({ state }) => state === 'ready');
  expect((await kept()).slice(0, 5)).toMatchObject([...before, { type: 'hello', direction: 'out' }]);
  expect((await rows(boardId)).slice(0, 4)).toEqual(before);
  expect(await store.wire.devices()).toMatchObject([{ id: boardId, board: 'host-sim' }]);
});

test('a device with a copied Device-Id cannot write to the log of an approved device', async () => {
  const open = await openRecorded();
  const { hub, device, kept, otaUrl, wsUrl } = open;
  const board = await connectBoard(open);
  board.hello();
  await device(({ state }) => state === 'approval');
  hub.approve(boardId);
  await device(({ state }) => state === 'ready');
  const before = (await kept()).length;
  for (let index = 0; index < 50; index += 1) await askOta(otaUrl, { 'Device-Id': boardId });
  await refused(new WebSocket(wsUrl, { headers: { 'Device-Id': boardId } }));
  board.send({ type: 'ping' });
  await board.frame(({ type }) => type === 'pong');
  expect((await kept()).slice(before)).toMatchObject([{ type: 'ping' }, { type: 'pong' }]);
});

test('a device that was refused after it had left is listed with its refusal by the next run', async () => {
  const open = await openRecorded();
  const { hub, device, wsUrl, afterRestart } = open;
  const board = await connectBoard(open);
  board.hello();
  await device(({ state }) => state === 'approval');
  hub.approve(boardId);
  await device(({ state }) => state === 'ready');
  // Without a normal end, the connection was open when this run ended.
  expect(await afterRestart()).toMatchObject([
    { error: { code: 'toolwire-ended' }, doctor: { cause: 'toolwire-ended' } },
  ]);
  board.socket.terminate();
  await device(({ state }) => state === 'closed');
  expect(await afterRestart()).toMatchObject([{ error: { code: 'left' }, doctor: { cause: 'left' } }]);
  const headers = { 'Device-Id': boardId, Authorization: 'Bearer made-up' };
  await refused(new WebSocket(wsUrl, { headers }));
  const { error, doctor, leftAt } = await device(({ state }) => state === 'failed');
  expect(error?.code).toBe('wrong-token');
  const [later] = await afterRestart();
  expect(later).toMatchObject({
    state: 'closed',
    error,
    leftAt,
    doctor: { cause: 'wrong-token', steps: doctor.steps },
  });
});

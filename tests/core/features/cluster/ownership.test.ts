/** One Device-Id at two nodes: the newer connection has it, and two things that keep taking it from each other are a conflict. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { healthPhrase } from '../../../../src-core/features/devices/health/healthWords.ts';
import { firmwareProfile } from '../../../../src-core/features/devices/virtual/firmware/firmwareProfile.ts';
import { createVirtualDevice } from '../../../../src-core/features/devices/virtual/virtualDevice.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { noNatsServer, natsServer, openNatsServer } from '../../../helpers/natsServer.ts';
import { call, openWorkbench, until } from '../../workbench/openWorkbench.ts';
import { memberOf, openPeer } from './peer.ts';

const deviceId = '02:00:00:00:00:07';

async function openPair() {
  const nats = await openNatsServer();
  const one = await openWorkbench({ cluster: memberOf(nats, 'one') });
  const other = await openWorkbench({ cluster: memberOf(nats, 'other') });
  await until(one, () => one.services.cluster.info().nodes.length === 2);
  await until(other, () => other.services.cluster.info().nodes.length === 2);
  return { nats, one, other };
}

/** Connects a board with this Device-Id to a node. */
async function connectBoard(workbench: Workbench) {
  const url = workbench.info().device.otaUrl;
  const board = createVirtualDevice({ url, profile: firmwareProfile, name: 'Lamp', deviceId });
  onTestFinished(() => board.close());
  await board.connect();
  return board;
}

const own = (workbench: Workbench) => workbench.features.devices.hub.device(deviceId);
const elsewhere = ({ services }: Workbench) => services.devices.list().find(({ id }) => id.startsWith(`${deviceId}@`));
const isReady = (workbench: Workbench) => until(workbench, () => own(workbench)?.state === 'ready');

describe.skipIf(natsServer === undefined)(`one Device-Id at two nodes (${natsServer ?? noNatsServer})`, () => {
  test('keeps the newest connection; the other node closes its own and calls the device through that node', async () => {
    const { one, other } = await openPair();
    const older = await connectBoard(one);
    await isReady(one);
    await until(other, () => elsewhere(other)?.registryId !== undefined);
    await connectBoard(other);
    await until(one, () => own(one)?.state === 'closed' && elsewhere(one)?.registryId !== undefined);
    await expect.poll(older.state).toBe('closed');
    expect(own(one)?.error?.message).toBe(
      'The connection to Lamp was closed here: the device connected to the node "other".',
    );
    expect(one.services.devices.list()).toMatchObject([{ id: elsewhere(one)!.id, hasLogHere: true }]);
    expect(one.services.devices.list({ own: true }).map(({ id }) => id)).toEqual([deviceId]);
    expect(own(other)?.state).toBe('ready');
    expect(await call(one, elsewhere(one)!, 'self.get_device_status')).toMatchObject({ status: 'success' });
  });

  test('is listed once after its node was started again, and after the device has moved and disconnected', async () => {
    const { nats, one, other } = await openPair();
    const listed = () => one.services.devices.list().map(({ node, state }) => [node?.name, node?.isLost, state]);
    const isListed = (...wanted: unknown[]) => until(one, () => JSON.stringify(listed()) === JSON.stringify([wanted]));
    await connectBoard(other);
    await isListed('other', false, 'ready');
    await other.close();
    await isListed('other', true, 'closed');
    const again = await openWorkbench({ cluster: memberOf(nats, 'other') });
    await until(one, () => listed().length === 0);
    const board = await connectBoard(again);
    await isListed('other', false, 'ready');
    void board.close();
    await isListed('other', false, 'closed');
    await again.close();
    await isListed('other', true, 'closed');
    const moved = await connectBoard(one);
    await isReady(one);
    void moved.close();
    await until(one, () => own(one)?.state === 'closed');
    expect(listed()).toHaveLength(1);
  });

  test('a connection that began while the clock was days ahead ends once the device connects to another node', async () => {
    const { one, other } = await openPair();
    const daysLater = Date.now() + 3 * 86_400_000;
    const wall = vi.spyOn(Date, 'now').mockReturnValue(daysLater);
    onTestFinished(() => wall.mockRestore());
    const older = await connectBoard(one);
    await isReady(one);
    wall.mockRestore();
    await until(other, () => elsewhere(other)?.registryId !== undefined);
    await connectBoard(other);
    await until(one, () => own(one)?.state === 'closed' && elsewhere(one)?.registryId !== undefined);
    await expect.poll(older.state).toBe('closed');
  });

  test('goes by the order of events, whatever the clocks show', async () => {
    const { nats, other } = await openPair();
    const peer = await openPeer(nats);
    const hour = 3_600_000;
    const tools = { registryId: 'lamp', connection: 1, hash: 'h' };
    const row = { id: deviceId, deviceId, name: 'Lamp', state: 'ready', health: 'ready', virtual: false };
    const owned = (ms: number) => ({ ...row, connectedAt: ms, toolCount: 1, tools, claim: { ms, count: 0 } });
    const tell = (seq: number, ms: number) =>
      peer.connection.publish(
        `tw.lab.reg.${peer.node}`,
        JSON.stringify({ v: 1, node: peer.node, seq, set: [owned(ms)], gone: [] }),
      );
    peer.connection.subscribe(`tw.lab.n.${peer.node}.snap`, {
      callback: (_, message) => void message.respond(JSON.stringify({ seq: 1, at: 0, rows: [], isLast: true })),
    });
    await peer.meet('other');
    peer.beat({ seq: 1, wall: Date.now() + hour });
    await until(other, () => other.services.cluster.info().nodes.length === 3);
    // Its clock is an hour ahead. The device then connects here, which is later.
    const ahead = Date.now() + hour;
    tell(2, ahead);
    await until(other, () => elsewhere(other) !== undefined);
    // The list of this node shows times of its own clock.
    expect(elsewhere(other)!.connectedAt).toBeLessThan(Date.now() + hour / 2);
    await connectBoard(other);
    await isReady(other);
    const claimOf = () =>
      peer.received
        .flatMap(({ data }) => (data['set'] ?? []) as { id: string; claim?: { ms: number; count: number } }[])
        .findLast(({ id, claim }) => id === deviceId && claim !== undefined)?.claim;
    await expect.poll(claimOf).toEqual({ ms: ahead, count: expect.any(Number) as number });
    // An older claim of the peer changes nothing; a newer one does.
    tell(3, ahead - 1);
    await until(other, () => other.features.cluster.devices().length === 1);
    expect(elsewhere(other)).toBeUndefined();
    expect(own(other)?.state).toBe('ready');
    tell(4, ahead + 1);
    await until(other, () => own(other)?.state === 'closed');
  });

  test('the fourth change within a minute is refused as a conflict, and the list of both nodes says why', async () => {
    const { one, other } = await openPair();
    await connectBoard(one);
    await isReady(one);
    for (const [from, to] of [
      [one, other],
      [other, one],
      [one, other],
    ] as const) {
      await until(to, () => elsewhere(to)?.registryId !== undefined);
      await connectBoard(to);
      await until(from, () => own(from)?.state === 'closed');
    }
    await until(one, () => elsewhere(one)?.registryId !== undefined);
    await connectBoard(one);
    await until(one, () => own(one)?.state === 'failed');
    expect(own(one)).toMatchObject({
      error: { code: 'same-id', message: 'Another device with this Device-Id is connected to the node "other".' },
      doctor: { cause: 'same-id' },
    });
    expect(own(one)?.doctor.steps).toContainEqual(expect.objectContaining({ id: 'tcp', state: 'failed' }));
    expect(own(other)?.state).toBe('ready');
    await until(other, () => elsewhere(other)?.state === 'failed');
    expect(elsewhere(other)?.error?.code).toBe('same-id');
    expect(healthPhrase(elsewhere(other)!)).toEqual({ of: 'stopped', key: 'same-id' });
    expect(await call(one, elsewhere(one)!, 'self.get_device_status')).toMatchObject({ status: 'success' });
  });

  test('leaves devices alone that name no Device-Id: equal ids of theirs are different devices', async () => {
    const { one, other } = await openPair();
    for (const workbench of [one, other]) {
      const socket = new WebSocket(workbench.info().device.webSocketUrl);
      onTestFinished(() => socket.close());
      await new Promise((resolve) => socket.addEventListener('open', resolve));
      socket.send('{"type":"hello","version":1,"transport":"websocket"}');
    }
    const unnamed = (workbench: Workbench) => workbench.features.devices.hub.device('Unnamed-1');
    for (const workbench of [one, other]) {
      await until(workbench, () =>
        workbench.services.devices.list().some(({ id, state }) => id.startsWith('Unnamed-1@') && state === 'ready'),
      );
      expect(unnamed(workbench)?.state).toBe('ready');
    }
  });
});

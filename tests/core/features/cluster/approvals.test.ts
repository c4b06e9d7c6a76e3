/** Approvals of devices of the network, shared over NATS KV. */
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import type { JsonValue } from '../../../../src-core/base/json.ts';
import { openStore } from '../../../helpers/testStore.ts';
import { jetStream, noNatsServer, natsServer, openNatsServer } from '../../../helpers/natsServer.ts';
import { addDevice, call, dataFolder, openWorkbench, until } from '../../workbench/openWorkbench.ts';
import { openTestCable } from './openTestCable.ts';
import { approvalAt, approve, connectBoard, id, isIn, openBucket, openNode, own, ownAddress } from './approvalNodes.ts';
import { memberOf, openPeer } from './peer.ts';

/** Changes what a node that does not run has stored. */
async function change(dataDir: string, stored: Record<string, JsonValue>): Promise<void> {
  const store = openStore({ path: join(dataDir, 'toolwire.db') });
  for (const [name, value] of Object.entries(stored)) store.settings.set(name, value);
  await store.close();
}

describe.skipIf(natsServer === undefined || ownAddress === undefined)(
  `approvals in a cluster (${natsServer ?? noNatsServer})`,
  () => {
    test('let the device in at the other node, also one that waits there; a removal closes it there', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const [one, other] = [await openNode(nats.url, 'one'), await openNode(nats.url, 'other')];
      await connectBoard(other);
      await isIn(other, 'approval');
      await connectBoard(one);
      await isIn(one, 'approval');
      await approve(one);
      await until(other, () => other.features.devices.approvals.get(id) === 'c-1');
      await until(one, () => own(one)?.isUnshared === undefined);
      const again = await connectBoard(other);
      await isIn(other, 'ready');
      await one.services.devices.refuse({ id });
      expect((await again.closed).code).toBe(1008);
      expect(other.features.devices.approvals.get(id)).toBeUndefined();
    });

    test('are shared with what NATS 2.9 knows: no time limits of keys, no markers, no traces', async () => {
      const cable = await openTestCable(await openNatsServer({ config: jetStream() }));
      const [one, other] = [await openNode(cable.url, 'one'), await openNode(cable.url, 'other')];
      await connectBoard(one);
      await isIn(one, 'approval');
      await approve(one);
      await until(other, () => approvalAt(other) === 'c-1');
      const lamp = await addDevice(one, { name: 'Lamp' });
      const there = () => other.services.devices.list().find(({ name }) => name === 'Lamp');
      await until(other, () => there()?.registryId !== undefined);
      expect(await call(other, there()!, 'self.get_device_status')).toMatchObject({ status: 'success' });
      await one.services.devices.disconnect({ id: lamp.id });
      await one.services.devices.refuse({ id });
      await until(other, () => approvalAt(other) === undefined);
      const sent = cable.sent();
      expect(sent).toContain('$JS.API.STREAM.CREATE.KV_tw_lab_approvals');
      expect(sent).toContain('Nats-Expected-Last-Subject-Sequence');
      expect(sent).toContain('"max_age":0');
      expect(sent).not.toMatch(/nats-(ttl|marker|trace)|"\w*(ttl|marker|trace)\w*":/i);
      // With it, the broker panics if the stream is being created.
      expect(sent).not.toContain('$JS.API.STREAM.MSG.GET');
    });

    test('are known to a node that joins later, and a removal made while a node was away counts there', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const one = await openNode(nats.url, 'one');
      const dataDir = dataFolder();
      await connectBoard(one);
      await isIn(one, 'approval');
      await approve(one);
      await isIn(one, 'ready');
      const other = await openNode(nats.url, 'other', dataDir);
      await until(other, () => other.features.devices.approvals.get(id) === 'c-1');
      await other.close();
      await one.services.devices.refuse({ id });
      await expect.poll(() => one.features.cluster.isUnshared(id)).toBe(false);
      const back = await openNode(nats.url, 'other', dataDir);
      await until(back, () => back.features.devices.approvals.get(id) === undefined);
    });

    test('hold without KV; a new one is marked as not shared, and is shared once KV is there', async () => {
      const nats = await openNatsServer();
      const [one, other] = [await openNode(nats.url, 'one'), await openNode(nats.url, 'other')];
      await connectBoard(one);
      await isIn(one, 'approval');
      await approve(one);
      await isIn(one, 'ready');
      expect(own(one)?.isUnshared).toBe(true);
      expect(other.features.devices.approvals.get(id)).toBeUndefined();
      await nats.kill();
      await connectBoard(one);
      await isIn(one, 'ready');
      await nats.start({ config: jetStream() });
      await until(other, () => other.features.devices.approvals.get(id) === 'c-1');
      await until(one, () => own(one)?.isUnshared === undefined);
    });

    test('are not shared over a bucket of the user without direct gets, and the log says what to set', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const connection = await connect({ servers: nats.url });
      onTestFinished(() => connection.close());
      const stream = JSON.stringify({
        name: 'KV_tw_lab_approvals',
        subjects: ['$KV.tw_lab_approvals.>'],
        storage: 'file',
        retention: 'limits',
        max_msgs_per_subject: 5,
      });
      const made = await connection.request('$JS.API.STREAM.CREATE.KV_tw_lab_approvals', stream);
      expect(made.json()).not.toHaveProperty('error');
      const errors: unknown[] = [];
      const one = await openNode(nats.url, 'one', dataFolder(), (error) => errors.push(error));
      await expect
        .poll(() => errors)
        .toEqual([new Error('Set "allow_direct" of the stream "KV_tw_lab_approvals" on the broker.')]);
      one.features.devices.approvals.set(id, 'c-1');
      expect(one.features.cluster.isUnshared(id)).toBe(true);
    });

    test('a list of approvals that a node has lost revokes none, and is taken from the others again', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const one = await openNode(nats.url, 'one');
      const dataDir = dataFolder();
      const other = await openNode(nats.url, 'other', dataDir);
      one.features.devices.approvals.set(id, 'c-1');
      await until(other, () => approvalAt(other) === 'c-1');
      await other.close();
      await change(dataDir, { 'devices.approvals': 'not a list' });
      const back = await openNode(nats.url, 'other', dataDir);
      await expect.poll(() => approvalAt(back)).toBe('c-1');
      expect(approvalAt(one)).toBe('c-1');
    });

    test('made or removed while the node was not joined, count from that time', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const one = await openNode(nats.url, 'one');
      const { approvals } = one.features.devices;
      approvals.set(id, 'c-1');
      approvals.delete(id);
      approvals.set('other board', 'c-1');
      await expect.poll(() => one.features.cluster.isUnshared('other board')).toBe(false);
      const dataDir = dataFolder();
      const joined = await openNode(nats.url, 'other', dataDir);
      await until(joined, () => joined.features.devices.approvals.get('other board') === 'c-1');
      await joined.close();
      const alone = await openWorkbench({ dataDir });
      alone.features.devices.approvals.set(id, 'c-2');
      alone.features.devices.approvals.delete('other board');
      await alone.close();
      await openNode(nats.url, 'other', dataDir);
      await until(one, () => approvalAt(one) === 'c-2' && approvals.get('other board') === undefined);
      expect(approvalAt(one)).toBe('c-2');
    });

    test('a removal counts at the node whose clock is behind', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const one = await openNode(nats.url, 'one');
      const dataDir = dataFolder();
      const other = await openNode(nats.url, 'other', dataDir);
      one.features.devices.approvals.set(id, 'c-1');
      await until(other, () => approvalAt(other) === 'c-1');
      await other.close();
      await nats.kill();
      const behind = await openWorkbench({
        cluster: memberOf(nats, 'other'),
        dataDir,
        onError: () => undefined,
      });
      const hourAgo = Date.now() - 3_600_000;
      const wall = vi.spyOn(Date, 'now').mockReturnValue(hourAgo);
      behind.features.devices.approvals.delete(id);
      wall.mockRestore();
      await nats.start();
      await until(one, () => approvalAt(one) === undefined);
      expect(approvalAt(behind)).toBeUndefined();
    });

    test('a removal that was made while the clock was days ahead counts once the node is started again', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const one = await openNode(nats.url, 'one');
      const dataDir = dataFolder();
      const other = await openNode(nats.url, 'other', dataDir);
      one.features.devices.approvals.set(id, 'c-1');
      await until(other, () => approvalAt(other) === 'c-1');
      await other.close();
      const ahead = await openWorkbench({ dataDir });
      const daysLater = Date.now() + 3 * 86_400_000;
      const wall = vi.spyOn(Date, 'now').mockReturnValue(daysLater);
      ahead.features.devices.approvals.delete(id);
      wall.mockRestore();
      await ahead.close();
      const corrected = await openNode(nats.url, 'other', dataDir);
      await until(one, () => approvalAt(one) === undefined);
      // Later decisions of the others count there, too.
      one.features.devices.approvals.set(id, 'c-2');
      await until(corrected, () => approvalAt(corrected) === 'c-2');
    });

    test('a decision of another node replaces one that was made while the clock was days ahead', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const one = await openNode(nats.url, 'one');
      const daysLater = Date.now() + 3 * 86_400_000;
      const wall = vi.spyOn(Date, 'now').mockReturnValue(daysLater);
      one.features.devices.approvals.set(id, 'c-1');
      await expect.poll(() => one.features.cluster.isUnshared(id)).toBe(false);
      wall.mockRestore();
      const other = await openNode(nats.url, 'other');
      other.features.devices.approvals.set(id, 'c-2');
      await until(one, () => approvalAt(one) === 'c-2');
      one.features.devices.approvals.delete(id);
      await until(other, () => approvalAt(other) === undefined);
    });

    test('a device that one node forgets stays approved while it is connected to another, and else asks again at both', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const [one, other] = [await openNode(nats.url, 'one'), await openNode(nats.url, 'other')];
      one.features.devices.approvals.set(id, 'c-1');
      await until(other, () => approvalAt(other) === 'c-1');
      const first = await connectBoard(one);
      await isIn(one, 'ready');
      const device = await connectBoard(other);
      await isIn(other, 'ready');
      await first.closed;
      await until(one, () =>
        one.services.devices.list().some(({ node, state }) => node !== undefined && state === 'ready'),
      );
      // Each node may be the last to notice that a connection has ended.
      await until(one, () => one.features.devices.hub.device(id)?.state === 'closed');
      expect(own(one)).toBeUndefined();
      await one.services.devices.forget({ id });
      expect([approvalAt(one), approvalAt(other)]).toEqual(['c-1', 'c-1']);
      await other.services.devices.disconnect({ id });
      await device.closed;
      await until(one, () => one.services.devices.list().every(({ state }) => state !== 'ready'));
      await isIn(other, 'closed');
      await other.services.devices.forget({ id });
      await until(one, () => approvalAt(one) === undefined);
    });

    test('two without a time are the same everywhere', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const folders = [dataFolder(), dataFolder()];
      for (const [at, dataDir] of folders.entries()) {
        await (await openWorkbench({ dataDir })).close();
        await change(dataDir, { 'devices.approvals': [[id, `c-${2 - at}`]] });
      }
      const nodes = await Promise.all(folders.map((dataDir, at) => openNode(nats.url, `node ${at}`, dataDir)));
      await expect.poll(() => nodes.map(approvalAt)).toEqual(['c-2', 'c-2']);
    });

    test('a removal is applied once, not again when the broker is back', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const [one, other] = [await openNode(nats.url, 'one'), await openNode(nats.url, 'other')];
      one.features.devices.approvals.set(id, 'c-1');
      await until(other, () => approvalAt(other) === 'c-1');
      one.features.devices.approvals.delete(id);
      await until(other, () => approvalAt(other) === undefined);
      await connectBoard(other);
      await isIn(other, 'approval');
      await nats.kill();
      await nats.start();
      await until(other, () => other.services.cluster.info().joined?.isConnected === true);
      // What is decided after it arrives after it.
      one.features.devices.approvals.set('other board', 'c-1');
      await until(other, () => other.features.devices.approvals.get('other board') === 'c-1');
      expect(own(other)?.state).toBe('approval');
    });

    test('whose message did not arrive count once a node returns', async () => {
      const deafUser = '{ user: deaf, password: x, permissions: { subscribe: { deny: "$KV.>" } } }';
      const users = `authorization { users: [{ user: all, password: x }, ${deafUser}] }`;
      const nats = await openNatsServer({ config: [jetStream(), users, 'no_auth_user: all'].join('\n') });
      const one = await openNode(nats.url, 'one');
      const deaf = await openNode(nats.url.replace('//', '//deaf:x@'), 'deaf');
      await until(deaf, () => deaf.services.cluster.info().nodes.some(({ name }) => name === 'one'));
      const peer = await openPeer(nats);
      await peer.meet('deaf');
      let stored = 0;
      peer.connection.subscribe('$KV.>', { callback: () => void (stored += 1) });
      await peer.connection.flush();
      const state = () => deaf.services.cluster.info().nodes.find(({ id: node }) => node === peer.node)?.state;
      for (const clientId of ['c-1', undefined]) {
        peer.beat();
        await until(deaf, () => state() === 'live');
        peer.leave();
        await until(deaf, () => state() === 'lost');
        const before = stored;
        if (clientId === undefined) one.features.devices.approvals.delete(id);
        else one.features.devices.approvals.set(id, clientId);
        await expect.poll(() => stored).toBeGreaterThan(before);
        peer.beat();
        await expect.poll(() => approvalAt(deaf)).toBe(clientId);
      }
    });

    test('a removal closes the connection at the other node, also if it cannot be stored there', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const errors: unknown[] = [];
      const one = await openNode(nats.url, 'one');
      const other = await openNode(nats.url, 'other', dataFolder(), (error) => errors.push(error));
      one.features.devices.approvals.set(id, 'c-1');
      await until(other, () => approvalAt(other) === 'c-1');
      const device = await connectBoard(other);
      await isIn(other, 'ready');
      vi.spyOn(other.features.devices.approvals, 'delete').mockImplementation(() => {
        throw new Error('The disk is full.');
      });
      one.features.devices.approvals.delete(id);
      expect((await device.closed).code).toBe(1008);
      expect(errors).toContainEqual(new Error('The disk is full.'));
    });

    test('are shared beside keys and values that cannot be read or are of the future', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const errors: unknown[] = [];
      const one = await openNode(nats.url, 'one', dataFolder(), (error) => errors.push(error));
      one.features.devices.approvals.set(id, 'c-1');
      await expect.poll(() => one.features.cluster.isUnshared(id)).toBe(false);
      const bucket = await openBucket(nats);
      await bucket.put('a', 'no JSON');
      await bucket.put('b'.repeat(65), JSON.stringify({ clientId: 'c-1', ms: 1, count: 0 }));
      await bucket.put('c', JSON.stringify({ clientId: 'c-1', ms: Date.now() + 48 * 3_600_000, count: 0 }));
      await bucket.put('d', JSON.stringify({ clientId: 'c-1', ms: 1, count: Number.MAX_SAFE_INTEGER }));
      await bucket.put('e', JSON.stringify({ clientId: 'c-1', ms: 1, count: 0 }));
      await until(one, () => one.features.devices.approvals.get('e') === 'c-1');
      expect([...one.features.devices.approvals.entries()].map(([deviceId]) => deviceId).sort()).toEqual([id, 'e']);
      const other = await openNode(nats.url, 'other');
      await expect.poll(() => [...other.features.devices.approvals.entries()].length).toBe(2);
      other.features.devices.approvals.delete(id);
      await until(one, () => approvalAt(one) === undefined);
      expect((await bucket.last())?.ms).toBeLessThan(Date.now() + 3_600_000);
      expect(errors).toHaveLength(1);
    });

    test('are shared if the bucket has more keys than are read', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const one = await openNode(nats.url, 'one');
      one.features.devices.approvals.set('z', 'c-1');
      await expect.poll(() => one.features.cluster.isUnshared('z')).toBe(false);
      const bucket = await openBucket(nats);
      for (let at = 0; at < 10_000; at += 1) void bucket.put('A'.repeat(66) + String(at), '{}');
      await bucket.put('A', '{}');
      one.features.devices.approvals.delete('z');
      one.features.devices.approvals.set(id, 'c-1');
      await expect.poll(() => one.features.cluster.isUnshared(id)).toBe(false);
      one.features.devices.approvals.delete(id);
      await expect
        .poll(() => bucket.last())
        .toEqual({ ms: expect.any(Number) as number, count: expect.any(Number) as number });
    });
  },
);

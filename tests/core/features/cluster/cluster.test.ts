/** Two Toolwires and a real broker: what each lists of the other, and calls between them. */
import { randomBytes } from 'node:crypto';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';

import type { Workbench } from '../../../../src-core/workbench.ts';
import { noNatsServer, natsServer, openNatsServer, type NatsServer } from '../../../helpers/natsServer.ts';
import { memberOf, openPeer } from './peer.ts';
import { addDevice, call, dataFolder, openWorkbench, until } from '../../workbench/openWorkbench.ts';

/** The node's list of its cluster, once it has this many live nodes. */
async function nodesOf(workbench: Workbench, live: number): Promise<string[]> {
  const names = () =>
    workbench.services.cluster
      .info()
      .nodes.filter(({ state }) => state === 'self' || state === 'live')
      .map(({ name }) => name);
  await until(workbench, () => names().length === live);
  return names();
}

async function remoteDevice(workbench: Workbench, name: string) {
  const find = () =>
    workbench.services.devices
      .list()
      .find((device) => device.name === name && device.node !== undefined && device.registryId !== undefined);
  await until(workbench, () => find() !== undefined);
  return find()!;
}

async function openPair(): Promise<{ nats: NatsServer; one: Workbench; other: Workbench }> {
  const nats = await openNatsServer();
  const one = await openWorkbench({ cluster: memberOf(nats, 'one') });
  const other = await openWorkbench({ cluster: memberOf(nats, 'other') });
  await nodesOf(one, 2);
  await nodesOf(other, 2);
  return { nats, one, other };
}

describe.skipIf(natsServer === undefined)(`a cluster of two nodes (${natsServer ?? noNatsServer})`, () => {
  test('lists the nodes in both, this one first', async () => {
    const { one, other } = await openPair();
    expect(await nodesOf(one, 2)).toEqual(['one', 'other']);
    expect(await nodesOf(other, 2)).toEqual(['other', 'one']);
  });

  test('lists a node that was started again once', async () => {
    const { nats, one, other } = await openPair();
    await other.close();
    await until(one, () => one.services.cluster.info().nodes.some(({ state }) => state === 'lost'));
    await openWorkbench({ cluster: memberOf(nats, 'other') });
    expect(await nodesOf(one, 2)).toEqual(['one', 'other']);
    expect(one.services.cluster.info().nodes).toHaveLength(2);
    const { nodes } = await one.services.calls.search({ limit: 1 });
    expect(nodes.map(({ name, answered }) => [name, answered])).toEqual([
      ['one', true],
      ['other', true],
    ]);
  });

  test('says so if another node has its name', async () => {
    const nats = await openNatsServer();
    const errors: string[] = [];
    const onError = (error: unknown): void => void errors.push((error as Error).message);
    const [one, other] = [
      await openWorkbench({ cluster: memberOf(nats, 'lab'), onError }),
      await openWorkbench({ cluster: memberOf(nats, 'lab'), onError }),
    ];
    const problem = 'Another node is named "lab", too. Give each node its own name (--node-name).';
    await until(one, () => one.services.cluster.info().joined?.problem === problem);
    await until(other, () => other.services.cluster.info().joined?.problem === problem);
    expect(errors).toEqual([problem, problem]);
    await other.close();
    await until(one, () => one.services.cluster.info().joined?.problem === undefined);
  });

  test('announces how many devices this node has', async () => {
    const nats = await openNatsServer();
    const one = await openWorkbench({ cluster: memberOf(nats, 'one') });
    await until(one, () => one.services.cluster.info().joined?.isConnected === true);
    const announced = async (): Promise<void> => {
      for await (const { topics } of one.services.workbench.events())
        if (topics.includes('cluster') && one.services.cluster.info().nodes[0]?.devices === 1) return;
    };
    await Promise.all([announced(), addDevice(one)]);
  });

  test('lists the devices and tools of the other node, and calls them once with exact arguments', async () => {
    const { one, other } = await openPair();
    const own = await addDevice(other, { name: 'Lamp' });
    const device = await remoteDevice(one, 'Lamp');
    expect(device.node?.name).toBe('other');
    expect(device.registryId).toBe(own.registryId);
    const methods = (workbench: Workbench) =>
      workbench.toolRegistryManager.getTool(own.registryId ?? '')?.getMetadata().methods;
    expect(methods(one)).toEqual(methods(other));
    expect(one.toolRegistryManager.getTool(own.registryId ?? '')?.source).toMatchObject({
      label: 'Lamp',
      node: 'other',
    });

    const result = await call(one, device, 'self.audio_speaker.set_volume', { volume: 42 });
    expect(result).toMatchObject({ status: 'success', result: 'true' });
    const history = async (workbench: Workbench) =>
      (await workbench.services.calls.history({ limit: 10 })).map(({ callId, argsJson, origin, host }) => ({
        callId,
        argsJson,
        origin,
        host,
      }));
    const [ofCaller] = await history(one);
    expect(await history(one)).toEqual([{ callId: ofCaller?.callId, argsJson: '{"volume":42}', origin: 'executor' }]);
    expect(await history(other)).toEqual([{ ...ofCaller, origin: 'node', host: 'one' }]);
    const status = await call(one, device, 'self.get_device_status');
    expect(JSON.parse(status.result)).toMatchObject({ audio_speaker: { volume: 42 } });
  });

  test('removes the tools of a device that leaves, and of a node that closes', async () => {
    const { one, other } = await openPair();
    const own = await addDevice(other, { name: 'Lamp' });
    await remoteDevice(one, 'Lamp');
    await other.services.devices.disconnect({ id: own.id });
    await until(one, () => one.toolRegistryManager.getTool(own.registryId ?? '') === undefined);
    const again = await addDevice(other, { name: 'Fan' });
    await remoteDevice(one, 'Fan');
    await other.close();
    await until(one, () => one.toolRegistryManager.getTool(again.registryId ?? '') === undefined);
    // The device goes before its node says goodbye.
    await expect.poll(() => one.services.cluster.info().nodes.map(({ state }) => state)).toEqual(['self', 'lost']);
  });
});

describe.skipIf(natsServer === undefined)('a device of another node', () => {
  test('is disconnected, renamed and written to at its own node only', async () => {
    const { one, other } = await openPair();
    await addDevice(other, { name: 'Lamp' });
    const { id } = await remoteDevice(one, 'Lamp');
    const there = '"Lamp" belongs to the node "other". Do this in the window of that node.';
    expect(() => one.services.devices.disconnect({ id })).toThrow(there);
    expect(() => one.services.devices.send({ id, text: '{}' })).toThrow(there);
    expect(() => one.services.devices.forget({ id })).toThrow(there);
    expect(other.services.devices.list()).toMatchObject([{ name: 'Lamp', state: 'ready' }]);
  });

  test('has another tool id if a source of this node has its own', async () => {
    const { one, other } = await openPair();
    const own = await addDevice(other, { name: 'Lamp' });
    const first = await remoteDevice(one, 'Lamp');
    expect(first.registryId).toBe(own.registryId);
    other.services.devices.pullPlug({ id: own.id });
    await until(one, () => one.toolRegistryManager.getTool(own.registryId!) === undefined);
    const ofUser = {
      id: own.registryId!,
      name: 'Mine',
      source: { kind: 'module', id: 'mine', label: 'Mine' },
    } as const;
    one.toolRegistryManager.register({
      ...ofUser,
      getMetadata: () => ({ methods: [] }),
      invoke: () => Promise.reject(),
    });
    await other.services.devices.press({ id: own.id });
    const again = await remoteDevice(one, 'Lamp');
    expect(again.registryId).toBe(`${own.registryId}_other`);
    expect(await call(one, again, 'self.get_device_status')).toMatchObject({ status: 'success' });
  });

  test('asks first as soon as its node says so', async () => {
    const { one, other } = await openPair();
    await addDevice(other, { name: 'Lamp' });
    const device = await remoteDevice(one, 'Lamp');
    await other.services.settings.set({ dangerousTools: ['*_self.get_device_status'] });
    const early = await call(one, device, 'self.get_device_status');
    expect(early.error?.code).toMatch(/^(disconnected|confirmation-required)$/);
    await until(one, () => {
      const methods = one.toolRegistryManager.getTool(device.registryId!)?.getMetadata().methods ?? [];
      return methods.some(({ name, danger }) => name === 'self.get_device_status' && danger !== undefined);
    });
    expect(await call(one, device, 'self.get_device_status')).toMatchObject({
      error: { code: 'confirmation-required' },
    });
  });

  test('fetches equal lists of tools once', async () => {
    const nats = await openNatsServer();
    const one = await openWorkbench({ cluster: memberOf(nats, 'one') });
    const other = await openWorkbench({ cluster: memberOf(nats, 'other') });
    await nodesOf(one, 2);
    let asked = 0;
    const peer = await openPeer(nats);
    peer.connection.subscribe('tw.lab.n.*.tools', { callback: () => void (asked += 1) });
    await peer.connection.flush();
    for (let at = 0; at < 20; at += 1) await other.services.devices.addVirtual({ name: `Board ${at}` });
    const remotes = () => one.services.devices.list().filter(({ node, registryId }) => node && registryId);
    await until(one, () => remotes().length === 20);
    // What was sent to the peer before its answer to this has arrived then.
    await peer.connection.flush();
    expect(asked).toBe(1);
  });

  test('returns a long result over a broker that takes messages of 128 KB', async () => {
    const nats = await openNatsServer({ config: 'max_payload: 128KB' });
    const one = await openWorkbench({ cluster: memberOf(nats, 'one') });
    const other = await openWorkbench({ cluster: memberOf(nats, 'other') });
    const lamp = await addDevice(other, { name: 'Lamp' });
    const value = 'x'.repeat(300_000);
    vi.spyOn(other.toolRegistryManager.getTool(lamp.registryId!)!, 'invoke').mockResolvedValue({ value });
    const result = await call(one, await remoteDevice(one, 'Lamp'), 'self.get_device_status');
    expect(result.status).toBe('success');
    expect(result.result === value).toBe(true);
  });

  test('sends a picture of 5 MB as it is, while another device is called', async () => {
    const nats = await openNatsServer();
    const one = await openWorkbench({ cluster: memberOf(nats, 'one') });
    const other = await openWorkbench({ cluster: memberOf(nats, 'other') });
    const [camera, lamp] = [await addDevice(other, { name: 'Camera' }), await addDevice(other, { name: 'Lamp' })];
    const device = other.toolRegistryManager.getTool(camera.registryId!)!;
    const data = randomBytes(5_000_000).toString('base64');
    const image = { type: 'image' as const, mimeType: 'image/jpeg', data };
    vi.spyOn(device, 'invoke').mockResolvedValue({ value: '', content: [image] });
    const there = (id: string) => one.services.devices.list().find(({ deviceId }) => deviceId === id)!;
    await until(one, () => [camera, lamp].every(({ deviceId }) => there(deviceId)?.registryId !== undefined));
    const picture = call(one, there(camera.deviceId), 'self.get_device_status');
    expect(await call(one, there(lamp.deviceId), 'self.get_device_status')).toMatchObject({ status: 'success' });
    const { status, content } = await picture;
    expect(status).toBe('success');
    expect(content?.[0]?.type === 'image' && content[0].data === data).toBe(true);
  });
});

describe.skipIf(natsServer === undefined)('the cluster of the settings', () => {
  test('is joined, changed and left while Toolwire runs, and joined again at the next start', async () => {
    const nats = await openNatsServer();
    const dataDir = dataFolder();
    const other = await openWorkbench({ cluster: memberOf(nats, 'other') });
    const one = await openWorkbench({ dataDir, shell: 'browser' });
    const settings = memberOf(nats, 'one');
    expect(one.services.cluster.info()).toEqual({ nodes: [] });
    await one.services.settings.set({ cluster: settings });
    expect(await nodesOf(one, 2)).toEqual(['one', 'other']);
    await one.services.settings.set({ cluster: { ...settings, nodeName: 'renamed' } });
    await until(other, () => other.services.cluster.info().nodes.some(({ name }) => name === 'renamed'));
    await one.services.settings.set({ cluster: { ...settings, url: '' } });
    expect(one.services.cluster.info()).toEqual({ nodes: [] });
    await one.services.settings.set({ cluster: settings });
    await one.close();
    expect(await nodesOf(await openWorkbench({ dataDir, shell: 'browser' }), 2)).toEqual(['one', 'other']);
  });

  test('names a file that cannot be used, and goes on without a cluster', async () => {
    const nats = await openNatsServer();
    const one = await openWorkbench();
    const cluster = { ...memberOf(nats, 'one'), nkeyFile: '/nowhere/node.nk' };
    await expect(one.services.settings.set({ cluster })).rejects.toThrow(
      '"/nowhere/node.nk" (--cluster-nkey) cannot be read',
    );
    expect(one.services.cluster.info()).toMatchObject({ joined: { isConnected: false }, nodes: [] });
    expect(await addDevice(one)).toMatchObject({ state: 'ready' });
  });

  test.skipIf(process.platform === 'win32').each([
    { option: 'nkeyFile', flag: '--cluster-nkey' },
    { option: 'tokenFile', flag: '--cluster-token-file' },
  ])('names the option of a file that cannot be examined: $option', async ({ option, flag }) => {
    const file = join(dataFolder(), 'loop');
    symlinkSync(file, file);
    const one = await openWorkbench();
    const cluster = { ...memberOf({ url: 'nats://127.0.0.1:4222' }, 'one'), [option]: file };
    await expect(one.services.settings.set({ cluster })).rejects.toThrow(`"${file}" (${flag}) cannot be read: ELOOP`);
  });

  test('names the cluster of the start if a file of it cannot be used', async () => {
    const cluster = { ...memberOf({ url: 'nats://127.0.0.1:4222' }, 'one'), nkeyFile: '/nowhere/node.nk' };
    const places: string[] = [];
    const one = await openWorkbench({ cluster, onError: (_, where) => void places.push(String(where)) });
    const joined = () => one.services.cluster.info().joined;
    await expect.poll(joined).toMatchObject({ name: 'lab', isFixed: true, isConnected: false });
    expect(joined()?.problem).toContain('"/nowhere/node.nk" (--cluster-nkey) cannot be read');
    expect(places).toEqual(['the cluster "lab"']);
  });
});

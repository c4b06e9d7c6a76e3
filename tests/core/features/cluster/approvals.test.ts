/** Approvals of devices of the network, shared over NATS KV. */
import { networkInterfaces, tmpdir } from 'node:os';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

import type { Workbench } from '../../../../src-core/workbench.ts';
import { noNatsServer, natsServer, openNatsServer } from '../../../helpers/natsServer.ts';
import { dataFolder, openWorkbench, until } from '../../workbench/openWorkbench.ts';
import { askOta } from '../devices/support/askOta.ts';
import { connectScripted } from '../devices/support/scriptedDevice.ts';
import { memberOf } from './peer.ts';

const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

const board = { 'Device-Id': '02:00:00:aa:bb:cc', 'Client-Id': 'c-1' };
const id = board['Device-Id'];

/** Settings of a broker that keeps values, in a folder that ends with the test. */
function jetStream(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolwire-jetstream-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return `jetstream { store_dir: "${folder}" }`;
}

async function openNode(url: string, name: string, dataDir = dataFolder()): Promise<Workbench> {
  const node = await openWorkbench({ cluster: memberOf({ url }, name), dataDir, onError: () => undefined });
  await node.services.settings.set({ openToNetwork: true });
  await until(node, () => node.services.cluster.info().joined?.isConnected === true);
  return node;
}

/** The board dials in at a node, with a token of that node. */
async function dialIn(node: Workbench) {
  const { port } = node.info().device;
  const { token } = await askOta(`http://${ownAddress}:${port}/xiaozhi/ota/`, board);
  const headers = { ...board, Authorization: `Bearer ${token}` };
  const device = await connectScripted(`ws://${ownAddress}:${port}/xiaozhi/v1/`, { headers });
  device.hello();
  return device;
}

const own = (node: Workbench) =>
  node.services.devices.list().find((device) => device.id === id && device.node === undefined);
const isIn = (node: Workbench, state: string) => until(node, () => own(node)?.state === state);
const approve = (node: Workbench) => node.services.devices.approve({ id, clientId: board['Client-Id'] });

describe.skipIf(natsServer === undefined || ownAddress === undefined)(
  `approvals in a cluster (${natsServer ?? noNatsServer})`,
  () => {
    test('let the device in at the other node, also one that waits there; a removal closes it there', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const [one, other] = [await openNode(nats.url, 'one'), await openNode(nats.url, 'other')];
      await dialIn(other);
      await isIn(other, 'approval');
      await dialIn(one);
      await isIn(one, 'approval');
      approve(one);
      await until(other, () => other.features.devices.approvals.get(id) === 'c-1');
      await until(one, () => own(one)?.isUnshared === undefined);
      const again = await dialIn(other);
      await isIn(other, 'ready');
      one.services.devices.refuse({ id });
      expect((await again.closed).code).toBe(1008);
      expect(other.features.devices.approvals.get(id)).toBeUndefined();
    });

    test('are known to a node that joins later, and a removal made while a node was away counts there', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const one = await openNode(nats.url, 'one');
      const dataDir = dataFolder();
      await dialIn(one);
      await isIn(one, 'approval');
      approve(one);
      await isIn(one, 'ready');
      const other = await openNode(nats.url, 'other', dataDir);
      await until(other, () => other.features.devices.approvals.get(id) === 'c-1');
      await other.close();
      one.services.devices.refuse({ id });
      await expect.poll(() => one.features.cluster.isUnshared(id)).toBe(false);
      const back = await openNode(nats.url, 'other', dataDir);
      await until(back, () => back.features.devices.approvals.get(id) === undefined);
    });

    test('hold without KV; a new one is marked as not shared, and is shared once KV is there', async () => {
      const nats = await openNatsServer();
      const [one, other] = [await openNode(nats.url, 'one'), await openNode(nats.url, 'other')];
      await dialIn(one);
      await isIn(one, 'approval');
      approve(one);
      await isIn(one, 'ready');
      expect(own(one)?.isUnshared).toBe(true);
      expect(other.features.devices.approvals.get(id)).toBeUndefined();
      await nats.kill();
      await nats.start({ config: jetStream() });
      await until(other, () => other.features.devices.approvals.get(id) === 'c-1');
      await until(one, () => own(one)?.isUnshared === undefined);
    });
  },
);

/** Nodes that share the approval of one device, for tests. */
import { networkInterfaces } from 'node:os';
import { connect } from '@nats-io/transport-node';
import { onTestFinished } from 'vitest';

import type { Workbench } from '../../../../src-core/workbench.ts';
import { dataFolder, openWorkbench, until } from '../../workbench/openWorkbench.ts';
import { askOta } from '../devices/support/askOta.ts';
import { connectScripted } from '../devices/support/scriptedDevice.ts';
import { memberOf } from './peer.ts';

export const id = '02:00:00:aa:bb:cc';

export const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

const board = { 'Device-Id': id, 'Client-Id': 'c-1' };

export async function openNode(
  url: string,
  name: string,
  dataDir = dataFolder(),
  onError: (error: unknown) => void = () => undefined,
): Promise<Workbench> {
  const node = await openWorkbench({ cluster: memberOf({ url }, name), dataDir, onError });
  await node.services.settings.set({ openToNetwork: true });
  await until(node, () => node.services.cluster.info().joined?.isConnected === true);
  return node;
}

/** The bucket as a client of NATS reads and writes it. */
export async function openBucket({ url }: { url: string }) {
  const connection = await connect({ servers: url });
  onTestFinished(() => connection.close());
  return {
    put(deviceId: string, value: string) {
      connection.publish(`$KV.tw_lab_approvals.${Buffer.from(deviceId).toString('base64url')}`, value);
      return connection.flush();
    },
    remove: () => connection.request('$JS.API.STREAM.DELETE.KV_tw_lab_approvals'),
    async last() {
      const request = JSON.stringify({ last_by_subj: `$KV.tw_lab_approvals.${Buffer.from(id).toString('base64url')}` });
      const answer = await connection.request('$JS.API.DIRECT.GET.KV_tw_lab_approvals', request);
      return answer.data.length === 0 ? undefined : answer.json<{ clientId?: string; ms: number }>();
    },
  };
}

export const approvalAt = (node: Workbench) => node.features.devices.approvals.get(id);

/** Connects the board to a node, with a token of that node. */
export async function connectBoard(node: Workbench, clientId = board['Client-Id']) {
  const { port } = node.info().device;
  const named = { ...board, 'Client-Id': clientId };
  const { token } = await askOta(`http://${ownAddress}:${port}/xiaozhi/ota/`, named);
  const headers = { ...named, Authorization: `Bearer ${token}` };
  const device = await connectScripted(`ws://${ownAddress}:${port}/xiaozhi/v1/`, { headers });
  device.hello();
  return device;
}

export const own = (node: Workbench) =>
  node.services.devices.list().find((device) => device.id === id && device.node === undefined);
export const isIn = (node: Workbench, state: string) => until(node, () => own(node)?.state === state);
/** What the node lists of the device at another one. */
export const elsewhere = (node: Workbench) =>
  node.services.devices.list().find((device) => device.deviceId === id && device.node !== undefined);
export const approve = (node: Workbench) => node.services.devices.approve({ id, clientId: board['Client-Id'] });

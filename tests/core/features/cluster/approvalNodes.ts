/** Nodes that share the approval of one device, for tests. */
import { connect } from '@nats-io/transport-node';
import { onTestFinished } from 'vitest';

import type { Workbench } from '../../../../src-core/workbench.ts';
import { dataFolder, openWorkbench, until } from '../../workbench/openWorkbench.ts';
import { memberOf } from './peer.ts';

export const id = '02:00:00:aa:bb:cc';

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

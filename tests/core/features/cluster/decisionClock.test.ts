/** Approvals of a node whose clock is wrong. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import type { Workbench } from '../../../../src-core/workbench.ts';
import { noNatsServer, natsServer, openNatsServer } from '../../../helpers/natsServer.ts';
import { dataFolder, openWorkbench, until } from '../../workbench/openWorkbench.ts';
import { memberOf } from './peer.ts';

const behindBroker =
  'The clock of this machine is more than a day behind that of the broker. Correct it: until then, approvals are not shared.';
const id = '02:00:00:aa:bb:cc';

/** Settings of a broker that keeps values, in a folder that ends with the test. */
function jetStream(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolwire-jetstream-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return `jetstream { store_dir: "${folder}" }`;
}

async function openNode(
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

/** The bucket as a client of NATS writes it. */
async function openBucket({ url }: { url: string }) {
  const connection = await connect({ servers: url });
  onTestFinished(() => connection.close());
  return {
    async last() {
      const request = JSON.stringify({ last_by_subj: `$KV.tw_lab_approvals.${Buffer.from(id).toString('base64url')}` });
      const answer = await connection.request('$JS.API.DIRECT.GET.KV_tw_lab_approvals', request);
      return answer.data.length === 0 ? undefined : answer.json<{ clientId?: string; ms: number }>();
    },
  };
}

const approvalAt = (node: Workbench) => node.features.devices.approvals.get(id);

describe.skipIf(natsServer === undefined)(`decisions by a wrong clock (${natsServer ?? noNatsServer})`, () => {
  test('of a node whose clock is days behind are neither moved nor shared before that clock is corrected', async () => {
    const nats = await openNatsServer({ config: jetStream() });
    const one = await openNode(nats.url, 'one');
    const dataDir = dataFolder();
    const other = await openNode(nats.url, 'other', dataDir);
    other.features.devices.approvals.set(id, 'c-1');
    await until(one, () => approvalAt(one) === 'c-1');
    await other.close();
    one.features.devices.approvals.delete(id);
    await expect.poll(() => one.features.cluster.isUnshared(id)).toBe(false);
    const bucket = await openBucket(nats);
    await expect.poll(async () => (await bucket.last())?.clientId).toBeUndefined();
    const daysAgo = Date.now() - 3 * 86_400_000;
    const wall = vi.spyOn(Date, 'now').mockReturnValue(daysAgo);
    const errors: unknown[] = [];
    const behind = await openNode(nats.url, 'other', dataDir, (error) => errors.push(error));
    await expect.poll(() => errors).toContainEqual(new Error(behindBroker));
    expect((await bucket.last())?.clientId).toBeUndefined();
    wall.mockRestore();
    await until(behind, () => approvalAt(behind) === undefined);
    expect((await bucket.last())?.clientId).toBeUndefined();
  });
});

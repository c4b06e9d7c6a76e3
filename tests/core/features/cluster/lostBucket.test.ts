/** Approvals with a broker that stores nothing, or has lost what it stored. */
import { expect, test } from 'vitest';

import { jetStream, natsServer, openNatsServer } from '../../../helpers/natsServer.ts';
import { dataFolder, until } from '../../workbench/openWorkbench.ts';
import { approvalAt, id, openBucket, openNode } from './approvalNodes.ts';

test.skipIf(natsServer === undefined)('approvals get into its new bucket from a node that was restarted', async () => {
  const nats = await openNatsServer({ config: jetStream() });
  const dataDir = dataFolder();
  const before = await openNode(nats.url, 'one', dataDir);
  before.features.devices.approvals.set(id, 'c-1');
  await expect.poll(() => before.features.cluster.isUnshared(id)).toBe(false);
  await before.close();
  await nats.kill();
  await nats.start({ config: jetStream() });
  await openNode(nats.url, 'one', dataDir);
  const other = await openNode(nats.url, 'other');
  await until(other, () => approvalAt(other) === 'c-1');
});

test.skipIf(natsServer === undefined)('approvals get into a bucket that was deleted while the nodes run', async () => {
  const nats = await openNatsServer({ config: jetStream() });
  const [one, other] = [await openNode(nats.url, 'one'), await openNode(nats.url, 'other')];
  one.features.devices.approvals.set(id, 'c-1');
  await expect.poll(() => one.features.cluster.isUnshared(id)).toBe(false);
  const bucket = await openBucket(nats);
  await bucket.remove();
  one.features.devices.approvals.set(id, 'c-2');
  await until(other, () => approvalAt(other) === 'c-2');
  expect(await bucket.last()).toMatchObject({ clientId: 'c-2' });
  expect(one.services.cluster.info().joined?.problem).toBeUndefined();
});

test.skipIf(natsServer === undefined)(
  'a node says what the broker lacks while it has an approval to share',
  async () => {
    const nats = await openNatsServer();
    const errors: string[] = [];
    const node = await openNode(nats.url, 'one', dataFolder(), (error) => errors.push((error as Error).message));
    const problem = () => node.services.cluster.info().joined?.problem;
    expect(problem()).toBeUndefined();
    node.features.devices.approvals.set(id, 'c-1');
    const text =
      'Approvals of devices are not shared: the broker has no JetStream. Add "jetstream" to its configuration (docs/cluster.md).';
    await until(node, () => problem() === text);
    expect(errors).toEqual([text]);
    await nats.kill();
    await nats.start({ config: jetStream() });
    await until(node, () => node.services.cluster.info().joined?.isConnected === true && problem() === undefined);
  },
);

/** Approvals after the broker has lost what it stored. */
import { expect, test } from 'vitest';

import { jetStream, natsServer, openNatsServer } from '../../../helpers/natsServer.ts';
import { dataFolder, until } from '../../workbench/openWorkbench.ts';
import { approvalAt, id, openNode } from './approvalNodes.ts';

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

/** Approvals of a node whose clock is wrong. */
import { describe, expect, test, vi } from 'vitest';

import { jetStream, noNatsServer, natsServer, openNatsServer } from '../../../helpers/natsServer.ts';
import { dataFolder, until } from '../../workbench/openWorkbench.ts';
import { approvalAt, id, openBucket, openNode } from './approvalNodes.ts';

const behindBroker =
  'The clock of this machine is more than a day behind that of the broker. Correct it: until then, approvals are not shared.';

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

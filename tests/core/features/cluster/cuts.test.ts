/**
 * Cables that are cut and mended: what each side lists and runs meanwhile, and that both are equal again. Without rights, unlike
 * namespaces.test.ts.
 */
import { describe, expect, test } from 'vitest';

import type { Workbench } from '../../../../src-core/workbench.ts';
import { noNatsServer, natsServer, openNatsServer } from '../../../helpers/natsServer.ts';
import { addDevice, call, openWorkbench, until } from '../../workbench/openWorkbench.ts';
import { openTestCable } from './openTestCable.ts';
import { memberOf } from './peer.ts';

/** Two nodes with a device each; the cable of `one` can be cut. */
async function openPair() {
  const nats = await openNatsServer();
  const cable = await openTestCable(nats);
  const onError = (): void => undefined;
  const one = await openWorkbench({ cluster: memberOf(cable, 'one'), onError });
  const other = await openWorkbench({ cluster: memberOf(nats, 'other'), onError });
  await addDevice(one, { name: 'Lamp' });
  await addDevice(other, { name: 'Fan' });
  await until(one, () => find(one, 'Fan')?.registryId !== undefined);
  await until(other, () => find(other, 'Lamp')?.registryId !== undefined);
  return { cable, one, other };
}

const find = ({ services }: Workbench, name: string) => services.devices.list().find((device) => device.name === name);
const status = 'self.get_device_status';

describe.skipIf(natsServer === undefined)(`cuts (${natsServer ?? noNatsServer})`, () => {
  test('a cut in which the nodes fall silent removes no device, and each call in it ends truthfully', async () => {
    const { cable, one, other } = await openPair();
    const removed: string[] = [];
    for (const { toolRegistryManager } of [one, other])
      toolRegistryManager.onChange(({ type, registry }) => void (type === 'unregistered' && removed.push(registry.id)));
    const ranAtFan = async (id: string) =>
      (await other.services.calls.history({ limit: 100 })).filter(({ callId }) => callId === id).length;
    cable.cut();
    const calls = [1, 2, 3].map(() => call(one, find(one, 'Fan')!, status));
    for (const node of [one, other])
      await until(node, () => node.services.cluster.info().nodes.some(({ state }) => state === 'suspect'));
    cable.mend();
    const results = await Promise.all(calls);
    const last = await call(one, find(one, 'Fan')!, status);
    expect(last).toMatchObject({ status: 'success' });
    expect(removed).toEqual([]);
    // The history is written after the answer, in the order of the calls.
    await expect.poll(() => ranAtFan(last.requestId)).toBe(1);
    for (const { status: ended, result, requestId } of results) {
      const times = await ranAtFan(requestId);
      if (ended === 'success') expect(times).toBe(1);
      else if (result.endsWith('Nothing ran.')) expect(times).toBe(0);
      else {
        expect(result).toMatch(/The call may have run\.$/);
        expect(times).toBeLessThanOrEqual(1);
      }
    }
  });

  test('a long cut leaves each side its own devices, and both are equal again once it is mended', async () => {
    const { cable, one, other } = await openPair();
    cable.cut();
    await until(one, () => find(one, 'Fan')?.node?.isLost === true);
    await until(other, () => find(other, 'Lamp')?.node?.isLost === true);
    expect(await call(one, find(one, 'Lamp')!, status)).toMatchObject({ status: 'success' });
    expect(await call(other, find(other, 'Fan')!, status)).toMatchObject({ status: 'success' });
    // What changes meanwhile is seen afterwards.
    await addDevice(one, { name: 'Door' });
    await other.services.devices.disconnect({ id: find(other, 'Fan')!.id });
    await until(one, () => one.services.cluster.info().joined?.isConnected === false);
    cable.mend();
    await until(other, () => find(other, 'Door')?.registryId !== undefined);
    await until(other, () => find(other, 'Lamp')?.registryId !== undefined);
    await until(one, () => find(one, 'Fan')?.node?.isLost === false && find(one, 'Fan')?.state === 'closed');
    expect(await call(other, find(other, 'Door')!, status)).toMatchObject({ status: 'success' });
  });
});

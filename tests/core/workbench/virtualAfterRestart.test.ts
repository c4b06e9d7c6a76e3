import { expect, test } from 'vitest';

import { addDevice, dataFolder, openWorkbench, readyDevice, until } from './openWorkbench.ts';

test('a virtual device can be powered on after a restart, and was closed by it', async () => {
  const dataDir = dataFolder();
  const first = await openWorkbench({ dataDir });
  const { id, deviceId, name } = await addDevice(first, { faults: ['slow'] });
  const { id: stopped } = await addDevice(first);
  await first.services.devices.disconnect({ id: stopped });
  await until(first, () => first.services.devices.list().some(({ state }) => state === 'closed'));
  await first.close();
  const second = await openWorkbench({ dataDir });
  const { devices } = second.services;
  const found = (which: string) => devices.list().find((each) => each.id === which);
  expect(found(id)).toMatchObject({ ours: true, name, doctor: { cause: 'closed-here' } });
  expect(found(stopped)).not.toHaveProperty('ours');
  await Promise.all([devices.press({ id }), readyDevice(second, deviceId)]);
  expect(devices.list()).toHaveLength(2);
  await second.close();
  const third = await openWorkbench({ dataDir });
  expect(third.services.devices.list().find((each) => each.id === id)).toMatchObject({ ours: true });
});

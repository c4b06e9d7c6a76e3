/** The names that the user gives devices: everywhere, at once, and after a restart. */
import { expect, test } from 'vitest';

import { settingsSchema } from '../../../src-core/contract/settings.ts';
import { addDevice, dataFolder, openWorkbench, until } from './openWorkbench.ts';

test('a device has the name that the user gives it, in its tools and after a restart, and its own one again without it', async () => {
  const dataDir = dataFolder();
  const bench = await openWorkbench({ dataDir });
  const { devices, settings, tools } = bench.services;
  const { deviceId, name: ownName } = await addDevice(bench, { name: 'esp-box' });
  await settings.set({ deviceNames: { [deviceId]: 'Study' } });
  expect(devices.list()[0]).toMatchObject({ name: 'Study', ownName });
  const listed = () => tools.changes({}).tools.find(({ source }) => source.id === deviceId);
  expect(listed()).toMatchObject({ name: 'Study', source: { label: 'Study' } });

  await devices.disconnect({ id: deviceId });
  await until(bench, () => devices.list()[0]?.state === 'closed');
  await bench.close();
  const again = await openWorkbench({ dataDir });
  expect(again.services.devices.list()[0]).toMatchObject({ name: 'Study', ownName });
  await again.services.settings.set({ deviceNames: {} });
  expect(again.services.devices.list()[0]?.name).toBe(ownName);
  expect(again.services.devices.list()[0]).not.toHaveProperty('ownName');
});

test('an empty or a long name is refused', async () => {
  for (const name of ['', '  ', 'x'.repeat(65)])
    expect(settingsSchema.shape.deviceNames.safeParse({ d: name }).success).toBe(false);
});

import { expect, it, vi } from 'vitest';

import BinSettings from '../../../../renderer/features/settings/BinSettings.vue';
import { useDevices } from '../../../../renderer/features/devices/devicesStore.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

it('shows the latest five items of the trash, and more on request', async () => {
  const { client } = window.connection;
  for (let n = 1; n <= 6; n += 1) await client.devices.addVirtual({ name: `Lamp ${n}` });
  const devices = window.use(() => useDevices());
  await vi.waitUntil(() => devices.connectedCount === 6);
  for (const { id } of devices.list) await client.devices.pullPlug({ id });
  await vi.waitUntil(() => devices.list.every(({ state }) => state === 'closed'));
  await client.devices.forgetDisconnected();
  const part = window.mount(BinSettings);
  const button = (text: string) => part.findAll('button').find((each) => each.text() === text);
  await vi.waitUntil(() => part.findAll('li').length === 5);
  await vi.waitUntil(() => button('Show 1 more'));
  expect(button('Show the latest only')).toBeUndefined();
  await button('Show 1 more')!.trigger('click');
  expect(part.findAll('li')).toHaveLength(6);
  expect(button('Show 1 more')).toBeUndefined();
  await button('Show the latest only')!.trigger('click');
  expect(part.findAll('li')).toHaveLength(5);
});

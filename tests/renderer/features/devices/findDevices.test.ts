import { expect, it, vi } from 'vitest';

import { useDevices } from '../../../../renderer/features/devices/devicesStore.ts';
import { useDeviceEntries } from '../../../../renderer/features/devices/findDevices.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

it('finds a device by a long part of its id, which it shows, and tells two of one name apart', async () => {
  const { client } = window.connection;
  for (const name of ['Room', 'Room', 'Attic']) await client.devices.addVirtual({ name });
  const devices = window.use(() => useDevices());
  await vi.waitUntil(() => devices.list.filter(({ state }) => state === 'ready').length === 3);
  const entries = window.use(() => useDeviceEntries());
  const hints = (...words: string[]) => {
    const { list, entry } = entries(words);
    return list.map((device) => entry(device).hint.split(' · ').at(-1));
  };
  const ids = devices.list.map(({ deviceId }) => deviceId);
  expect(hints('02:')).toEqual(ids);
  const attic = devices.list.findIndex(({ name }) => name === 'Attic');
  expect(hints('attic')[attic]).toBe('Live');
  expect(hints('room').filter((hint) => hint === 'Live')).toEqual([]);

  // All ids begin with "02".
  const about = (...words: string[]) => entries(words).list.map((device) => entries(words).texts(device).about);
  expect(about('room', '02').join('')).toBe('');
  expect(about('room', '02:').every((text) => text.startsWith('02_'))).toBe(true);
});

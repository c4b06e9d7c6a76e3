import { expect, it } from 'vitest';

import DeviceCard from '../../../../renderer/features/devices/list/DeviceCard.vue';
import type { DeviceInfo } from '../../../../src-core/contract/types.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

const device = (invalidIn: number): DeviceInfo => ({
  id: 'd',
  deviceId: 'd',
  name: 'Lamp',
  state: 'ready',
  health: 'ready',
  toolCount: 3,
  remote: false,
  virtual: false,
  connectedAt: 0,
  lastSeenAt: 0,
  doctor: { steps: [] },
  notifications: { count: 2, lastMethod: 'notifications/x', lastAt: 0 },
  counters: { framesIn: 0, framesOut: 0, binaryIn: 0, invalidIn },
});

it('the figures of a device keep their labels, whatever came', async () => {
  const figures = window.mount(DeviceCard, { device: device(0), now: 0 });
  const texts = (tag: string) => figures.findAll(tag).map((each) => each.text());
  const labels = ['Tools', 'p50 · p99', 'Audio', 'Unreadable'];
  expect(texts('dt')).toEqual(labels);
  expect(texts('dd').at(-1)).toBe('0');
  expect(figures.findAll('dd').at(-1)?.classes()).not.toContain('warn');
  await figures.setProps({ device: device(2) });
  expect(texts('dt')).toEqual(labels);
  expect(texts('dd').at(-1)).toBe('2');
  expect(figures.findAll('dd').at(-1)?.classes()).toContain('warn');
});

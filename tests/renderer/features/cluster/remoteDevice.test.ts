import { expect, it } from 'vitest';

import RemoteDevice from '../../../../renderer/features/cluster/RemoteDevice.vue';
import type { DeviceInfo } from '../../../../src-core/contract/types.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

const node = { id: '0123456789abcdef', name: 'lab', isLost: false };
const device: DeviceInfo = {
  id: 'd@0123456789abcdef',
  deviceId: 'd',
  name: 'Lamp',
  state: 'ready',
  health: 'ready',
  toolCount: 1,
  remote: true,
  virtual: false,
  connectedAt: 0,
  lastSeenAt: 0,
  counters: { framesIn: 0, framesOut: 0, binaryIn: 0, invalidIn: 0 },
  doctor: { steps: [] },
};

it.each([
  ['whose tools can be called', { registryId: 'lamp' }, node, 'You can call its tools here.'],
  ['that is not connected', { state: 'closed' as const }, node, 'Its tools cannot be called now.'],
  ['of a node that is lost', {}, { ...node, isLost: true }, 'Its tools return when the node reconnects.'],
])('says of a device of another node, %s, what can be done with it', (_, part, at, text) => {
  const pane = window.mount(RemoteDevice, { device: { ...device, ...part }, node: at });
  expect(pane.text()).toContain(text);
  expect(pane.text()).toContain('“lab”');
});

import { expect, it } from 'vitest';
import { h } from 'vue';

import StatusBar from '../../../../renderer/app/StatusBar.vue';
import ClusterTrouble from '../../../../renderer/features/cluster/ClusterTrouble.vue';
import { useCluster } from '../../../../renderer/features/cluster/clusterStore.ts';
import RemoteDevice from '../../../../renderer/features/cluster/RemoteDevice.vue';
import ApprovalActions from '../../../../renderer/features/devices/list/ApprovalActions.vue';
import { useDevices } from '../../../../renderer/features/devices/devicesStore.ts';
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
  // Its tools stay listed while its node restarts.
  ['that moves', { state: 'closed' as const, registryId: 'lamp' }, node, 'This device belongs to the node “lab”.'],
  ['of a node that is lost', {}, { ...node, isLost: true }, 'Its tools return when the node reconnects.'],
])('says of a device of another node, %s, what can be done with it', (_, part, at, text) => {
  const pane = window.mount(RemoteDevice, { device: { ...device, ...part }, node: at });
  expect(pane.text()).toContain(text);
  expect(pane.text()).toContain('“lab”');
});

it('says that this node has lost the broker, if that is why the other node is not reached', () => {
  const cluster = window.use(() => useCluster());
  const settings = { url: 'nats://h', name: 'main', nodeName: '', nkeyFile: '', caFile: '' };
  const problem = 'No broker answers at h.';
  cluster.info = {
    joined: { name: 'main', isConnected: false, isFixed: false, hasTokenSecret: true, problem, settings },
    nodes: [],
  };
  const lost = window.mount(RemoteDevice, { device, node: { ...node, isLost: true } });
  expect(lost.text()).toContain('This node is not connected to the cluster.');
  const trouble = window.mount(ClusterTrouble);
  expect(trouble.text()).toContain('This node is not connected to the cluster. Only its own devices are available.');
  expect(trouble.text()).toContain(problem);
  expect(window.mount(StatusBar).text()).toContain('Cluster not connected');
});

it('offers the decision on a device that waits at another node', async () => {
  const waits = { ...device, state: 'approval' as const, health: 'approval' as const, clientId: 'c', node };
  const mount = (shown: DeviceInfo) => window.mount(() => h(RemoteDevice, { device: shown, node }, () => 'decide'));
  const pane = mount(waits);
  expect(pane.text()).toContain('Waiting for approval');
  expect(pane.text()).toContain('decide');
  expect(pane.text()).not.toContain('cannot be called now');
  expect(mount(device).text()).not.toContain('decide');
  const unnamed = mount({ ...waits, deviceId: 'Unnamed-1' });
  expect(unnamed.text()).toContain('it can be approved only in the window of the node “lab”');
  expect(unnamed.text()).not.toContain('decide');
  const devices = window.use(() => useDevices());
  devices.list = [waits, { ...waits, deviceId: 'Unnamed-1' }];
  expect(devices.waiting).toEqual([waits]);
});

it('names the node of a device that waits there, and says that an approval is not shared', async () => {
  const waits = { ...device, state: 'approval' as const, health: 'approval' as const, clientId: 'c', node };
  const approved: unknown[] = [];
  const devices = window.use(() => useDevices());
  devices.approve = (given) => {
    approved.push(given.id);
    return Promise.resolve({});
  };
  const pane = window.mount(ApprovalActions, { device: waits });
  expect(pane.text()).toContain('New device at the node “lab”.');
  expect(pane.text()).not.toContain('approvals cannot be shared now');
  await pane
    .findAll('button')
    .find((button) => button.text() === 'Approve')!
    .trigger('click');
  expect(approved).toEqual([waits.id]);
  expect(pane.text()).not.toContain('has disconnected');
  const left = window.mount(ApprovalActions, { device: { ...waits, leftAt: 1 } });
  expect(left.text()).toContain('It has disconnected. Approve it, then press its button.');
  const unshared = window.mount(ApprovalActions, { device: { ...waits, isUnshared: true } });
  expect(unshared.text()).toContain('approvals cannot be shared now');
});

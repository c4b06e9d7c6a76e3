import { expect, it, vi } from 'vitest';
import { nextTick } from 'vue';

import ClusterSettings from '../../../../renderer/features/cluster/ClusterSettings.vue';
import { useConnection } from '../../../../renderer/client/connectionStore.ts';
import { useCluster } from '../../../../renderer/features/cluster/clusterStore.ts';
import type { ClusterInfo } from '../../../../src-core/contract/cluster.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

const facts = { version: '1', devices: 0, calls: 0, isDraining: false };
const nodes: ClusterInfo['nodes'] = [
  { ...facts, id: '1', name: 'lab-1', state: 'self' },
  { ...facts, id: '2', name: 'lab-2', state: 'live', otherTokens: true },
];
const settings = {
  url: 'nats://h',
  name: 'main',
  nodeName: 'lab-1',
  nkeyFile: '/a.nk',
  caFile: '',
  keepSessions: true,
};
const joined = { name: 'main', isConnected: true, isFixed: false, settings };

it.each([
  ['names the nodes with other token secrets', true, 'differ between this node and lab-2'],
  ['says first that this node has no token secret', false, 'This node has no token secret'],
])('%s', async (_, hasTokenSecret, text) => {
  const cluster = window.use(() => useCluster());
  const pane = window.mount(ClusterSettings);
  // The answer of the engine may come after the first attempt.
  const shown = async () => {
    cluster.info = { joined: { ...joined, hasTokenSecret }, nodes };
    await nextTick();
    return pane.text();
  };
  await expect.poll(shown).toContain(text);
});

it('shows what a connected broker refuses', async () => {
  const cluster = window.use(() => useCluster());
  const pane = window.mount(ClusterSettings);
  const problem =
    'The broker denies this node a permission: publish "tw.main.beat". Add it to its user (docs/cluster.md).';
  const shown = async (isDenied: boolean) => {
    const facts = { ...joined, problem, hasTokenSecret: true };
    cluster.info = { joined: isDenied ? { ...facts, isDenied } : facts, nodes };
    await nextTick();
    return pane.text();
  };
  await expect.poll(() => shown(true)).toContain(problem);
  expect(pane.text()).toContain('The broker refuses messages or subscriptions of this node.');
  // Another problem, such as a broker without JetStream.
  expect(await shown(false)).toContain('Joined, with 1 other node.');
});

it('shows the values of the flags, which cannot be changed here', async () => {
  const cluster = window.use(() => useCluster());
  const pane = window.mount(ClusterSettings);
  const fields = () =>
    pane.findAll('input').map(({ element: { value, disabled } }) => `${value}${disabled ? ' disabled' : ''}`);
  expect(fields().join()).not.toContain('disabled');
  const shown = async () => {
    cluster.info = { joined: { ...joined, isFixed: true, hasTokenSecret: true }, nodes: [] };
    await nextTick();
    return fields();
  };
  const values = ['nats://h', 'main', 'lab-1', '/a.nk', '', ''];
  await expect.poll(async () => (await shown()).slice(0, 6)).toEqual(values.map((value) => `${value} disabled`));
  expect(pane.text()).toContain('set by --cluster');
  expect(pane.find('[role=switch]').attributes()).toMatchObject({ 'aria-checked': 'true', disabled: '' });
  expect(pane.text()).not.toContain('Leave');
});

it('shows the load balancer of the flags, which cannot be changed here', async () => {
  const connection = window.use(() => useConnection());
  const pane = window.mount(ClusterSettings);
  await expect.poll(() => connection.info).not.toBeNull();
  expect(pane.text()).not.toContain('--public-url');
  const proxy = { publicUrl: 'http://devices.example', trusted: ['10.0.0.5', '10.0.1.0/24'] };
  connection.info = { ...connection.info!, device: { ...connection.info!.device, fixedProxy: proxy } };
  await nextTick();
  expect(pane.text()).toContain('set by --public-url and --trusted-proxy');
  const last = pane.findAll('input').slice(-2);
  expect(last.map(({ element: { value, disabled } }) => [value, disabled])).toEqual([
    ['http://devices.example', true],
    ['10.0.0.5, 10.0.1.0/24', true],
  ]);
});

it('shows the outcome of Join beside the button, until the form is changed', async () => {
  const pane = window.mount(ClusterSettings);
  const outcome = () => pane.find('.outcome').text();
  const button = (name: string) => pane.findAll('.outcome button').find((each) => each.text() === name);
  const [url, , , nkey] = pane.findAll('input');
  await url!.setValue('nats://127.0.0.1:1');
  await nkey!.setValue('pki/node.nk');
  await button('Join')!.trigger('click');
  await expect.poll(outcome).toContain('The settings were not saved');
  expect(outcome()).toContain('"pki/node.nk" is not an absolute path.');
  await nkey!.setValue('/nowhere/node.nk');
  await button('Join')!.trigger('click');
  await expect.poll(outcome).toContain('The settings are saved, but the cluster was not joined');
  expect(outcome()).toContain('"/nowhere/node.nk" (Nkey file) cannot be read');
  // What is saved fills the form once more.
  await expect.poll(() => button('Apply')?.attributes('disabled')).toBeDefined();
  await nkey!.setValue('');
  await button('Apply')!.trigger('click');
  await expect.poll(outcome).toContain('or correct the address (Broker).');
  expect(outcome()).toContain('This node is not connected to the cluster.');
  const cluster = window.use(() => useCluster());
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
  // The answer of the engine may come after the first attempt.
  const showNodes = async () => {
    cluster.info = { joined: { ...joined, hasTokenSecret: true }, nodes };
    await nextTick();
    return button('Show nodes');
  };
  await expect.poll(showNodes).toBeDefined();
  await button('Show nodes')!.trigger('click');
  expect(scrolled.mock.contexts.map((each) => (each as Element).textContent)).toEqual([
    expect.stringContaining('lab-2'),
  ]);
  await nkey!.setValue('/other.nk');
  expect(outcome()).not.toContain('Joined');
  // The log has it, too.
  window.errors.splice(0);
});

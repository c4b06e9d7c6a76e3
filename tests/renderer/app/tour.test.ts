/** The way to a first call: what counts as its first step, what it says at its end, and when it goes. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';

import TourBar from '../../../renderer/app/tour/TourBar.vue';
import { useTour } from '../../../renderer/app/tour/tourStore.ts';
import ServersPane from '../../../renderer/features/servers/ServersPane.vue';
import { useSandbox } from '../../../renderer/features/executor/sandboxStore.ts';
import { useNavigation } from '../../../renderer/window/navigation.ts';
import { addServer, everything, nodeServer, untilState } from '../../core/features/servers/support.ts';
import { type TestWindow, windowForEachTest } from '../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

it.each([
  ['of a device', true],
  ['of a tool without a wire', false],
])('a first call %s: Wire is named only if there is one', async (_what, ofDevice) => {
  const { client } = window.connection;
  const tour = window.use(() => useTour());
  await vi.waitUntil(() => tour.shown === true);
  const bar = window.mount(TourBar);
  let toolName = 'clock_get_time';
  if (ofDevice) {
    await client.devices.addVirtual({ name: 'Lamp' });
    await vi.waitUntil(() => tour.suggested !== undefined);
    toolName = tour.suggested!.method.qualifiedName;
  }
  await client.calls.execute({ callId: 'first', toolName, argsJson: '{}', origin: 'executor' });
  await vi.waitUntil(() => tour.step === 'done');
  await vi.waitUntil(() => bar.text().includes('Every call is saved in history'));
  expect(bar.text().includes('Wire shows')).toBe(ofDevice);
  window.use(() => useSandbox()).load({ qualifiedName: 'clock_get_timezone' });
  await vi.waitUntil(() => !bar.find('section').exists());
});

it('keeps the steps that were completed when the device leaves, and goes on with another tool', async () => {
  const { client } = window.connection;
  const tour = window.use(() => useTour());
  await vi.waitUntil(() => tour.shown === true);
  const bar = window.mount(TourBar);
  const past = (): number => bar.findAll('li.past').length;
  const { deviceId: id } = await client.devices.addVirtual({ name: 'Lamp' });
  await vi.waitUntil(() => tour.suggested !== undefined);
  expect(past()).toBe(1);
  tour.openMethod();
  await vi.waitUntil(() => past() === 2);
  window.use(() => useNavigation()).open('devices');
  await client.devices.disconnect({ id });
  await vi.waitUntil(() => bar.text().includes('Open '));
  expect(past()).toBe(2);
  expect(tour.suggested?.tool.source.kind).not.toBe('device');
  tour.openMethod();
  await vi.waitUntil(() => tour.ready);
  expect(bar.find('button').text()).toContain('Run');
  tour.begin();
  expect(tour.step).toBe('device');
});

it('a module that has loaded counts as the first step', async () => {
  const tour = window.use(() => useTour());
  await vi.waitUntil(() => tour.shown === true);
  const bar = window.mount(TourBar);
  const { modulesDir } = await window.connection.client.workbench.info();
  await window.connection.client.tools.whenLoaded();
  await writeFile(
    join(modulesDir, 'dice.js'),
    "export default { methods: { roll: { description: 'Rolls.', handler: () => 4 } } };",
  );
  await vi.waitUntil(() => bar.text().includes('Open dice_roll'));
  expect(tour.step).toBe('method');
});

it('an MCP server that is ready counts as the first step; the end goes once another pane is opened', async () => {
  const tour = window.use(() => useTour());
  await vi.waitUntil(() => tour.shown === true);
  const bar = window.mount(TourBar);
  expect(bar.text()).toContain('Add a virtual device');
  const pane = window.mount(ServersPane);
  await bar
    .findAll('button')
    .find((button) => button.text() === 'Import MCP servers')!
    .trigger('click');
  await vi.waitUntil(() => document.querySelector('[role="dialog"]')?.textContent?.includes('Import MCP servers'));
  expect(window.use(() => useNavigation()).pane).toBe('servers');
  pane.unmount();
  await addServer(window.workbench, nodeServer('everything', [everything]));
  await untilState(window.workbench, 'ready');
  await vi.waitUntil(() => bar.text().includes('_echo'));
  tour.openMethod();
  await vi.waitUntil(() => tour.step === 'run');
  const toolName = tour.suggested!.method.qualifiedName;
  // A call of the Parser is a first call, too.
  await window.connection.client.calls.execute({
    callId: 'first',
    toolName,
    argsJson: '{"message":"hello"}',
    origin: 'parser',
  });
  await vi.waitUntil(() => bar.text().includes('Wire shows'));
  window.use(() => useNavigation()).open('servers');
  await vi.waitUntil(() => !bar.find('section').exists());
});

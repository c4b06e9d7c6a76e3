/** What is done with all devices of the list at once. */
import type { VueWrapper } from '@vue/test-utils';
import { expect, it, vi } from 'vitest';

import DevicesPane from '../../../../renderer/features/devices/DevicesPane.vue';
import { useDevices } from '../../../../renderer/features/devices/devicesStore.ts';
import { useToasts } from '../../../../renderer/window/toasts.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';
import { choose, until } from './acting.ts';

let window: TestWindow;
let pane: VueWrapper;
windowForEachTest((opened) => (window = opened));

const cards = (): string[] => pane.findAll('.device-row').map((row) => row.text());
const all = (): HTMLElement => pane.get<HTMLElement>('.head .btn.icon').element;
const open = async (): Promise<void> => {
  pane = window.mount(DevicesPane);
  await until(() => !pane.find('.skeleton').exists());
};

it('forgets all that left at once, and brings them back', async () => {
  const { client } = window.connection;
  for (const name of ['kitchen', 'study', 'desk']) await client.devices.addVirtual({ name });
  await open();
  await until(() => cards().filter((card) => card.includes('Live')).length === 3);
  const [one, two] = window.use(() => useDevices()).list;
  for (const each of [one, two]) await client.devices.pullPlug({ id: each!.id });
  await until(() => cards().filter((card) => card.includes('Disconnected')).length === 2);
  await choose(all(), 'Forget all 2 disconnected devices');
  await until(() => cards().length === 1);
  const toasts = window.use(() => useToasts());
  const undo = await until(() => toasts.list.find(({ title }) => title === '2 devices forgotten')?.action);
  undo?.run();
  await until(() => cards().length === 3);
});

it('forgets the others and names those that cannot be forgotten', async () => {
  const { client } = window.connection;
  for (const name of ['kitchen', 'study']) await client.devices.addVirtual({ name });
  await open();
  await until(() => cards().filter((card) => card.includes('Live')).length === 2);
  const devices = window.use(() => useDevices());
  for (const { id } of devices.list) await client.devices.pullPlug({ id });
  await until(() => cards().filter((card) => card.includes('Disconnected')).length === 2);
  const back = devices.list[0]!;
  const [, other] = devices.list;
  // As if it came back at that moment: a real one would have to do so between the click and the request.
  vi.spyOn(devices, 'forgetDisconnected').mockImplementationOnce(async () => {
    await client.devices.forget({ id: other!.id });
    const reason = `${back.name} is connected. Disconnect it first.`;
    return { forgotten: [other!.id], failed: [{ name: back.name, reason }] };
  });
  await choose(all(), 'Forget all 2 disconnected devices');
  const toasts = window.use(() => useToasts());
  await until(() => toasts.list.some(({ title }) => title === `Could not forget: ${back.name}`));
  expect(toasts.list.map(({ title }) => title)).toContain('1 device forgotten');
  await until(() => devices.list.length === 1);
  expect(devices.list[0]!.id).toBe(back.id);
});

it('powers on all virtual devices that are off, and names those that cannot be', async () => {
  const { client } = window.connection;
  for (const name of ['kitchen', 'study', 'desk']) await client.devices.addVirtual({ name });
  await open();
  await until(() => cards().filter((card) => card.includes('Live')).length === 3);
  const devices = window.use(() => useDevices());
  for (const { id } of devices.list) await client.devices.pullPlug({ id });
  await until(() => cards().filter((card) => card.includes('Disconnected')).length === 3);
  const [broken] = devices.list;
  vi.spyOn(devices, 'press').mockRejectedValueOnce(new Error('No port'));
  await choose(all(), 'Power on all 3 virtual devices');
  await until(() => cards().filter((card) => card.includes('Live')).length === 2);
  const titles = window.use(() => useToasts()).list.map(({ title }) => title);
  expect(titles).toEqual([`Could not power on: ${broken!.name}`]);
  await choose(all(), 'Power on the virtual device');
  await until(() => cards().filter((card) => card.includes('Live')).length === 3);
});

it('approves all that wait and were not rejected, as they were listed, and names those that cannot be', async () => {
  await open();
  const devices = window.use(() => useDevices());
  const facts = { state: 'approval', health: 'approval', remote: true, virtual: false, toolCount: 0, connectedAt: 1 };
  const rest = {
    lastSeenAt: 1,
    doctor: { steps: [] },
    counters: { framesIn: 0, framesOut: 0, binaryIn: 0, invalidIn: 0 },
  };
  const waits = (id: string) => ({ ...facts, ...rest, id, deviceId: id, name: `Board ${id}`, clientId: `c-${id}` });
  devices.list = [waits('1'), waits('2'), { ...waits('3'), wasRejected: true }] as unknown as typeof devices.list;
  // No frame has arrived, so none was unreadable.
  await until(() => pane.findAll('.device-row .in-invalid').length === 3);
  expect(pane.findAll('.device-row .in-invalid').map((each) => each.text())).toEqual(['', '', '']);
  const approve = vi.spyOn(devices, 'approve').mockResolvedValueOnce({}).mockRejectedValueOnce(new Error('changed'));
  await choose(all(), 'Approve all 2 waiting devices…');
  const dialog = await until(() => document.querySelector('[role=alertdialog]'));
  expect(dialog.textContent).toContain('Approve 2 devices?');
  expect(dialog.textContent).toContain('Board 2');
  [...dialog.querySelectorAll('button')].find(({ textContent }) => textContent === 'Approve')!.click();
  await until(() => window.use(() => useToasts()).list.some(({ title }) => title === 'Could not approve: Board 2'));
  expect(approve.mock.calls.map(([{ id, clientId }]) => [id, clientId])).toEqual([
    ['1', 'c-1'],
    ['2', 'c-2'],
  ]);
});

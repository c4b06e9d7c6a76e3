import { networkInterfaces } from 'node:os';
import type { VueWrapper } from '@vue/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nextTick } from 'vue';

import DevicesPane from '../../../../renderer/features/devices/DevicesPane.vue';
import { useConnection } from '../../../../renderer/client/connectionStore.ts';
import { useDevices } from '../../../../renderer/features/devices/devicesStore.ts';
import { useExecutor } from '../../../../renderer/features/executor/executorStore.ts';
import { useTools } from '../../../../renderer/features/discovery/toolsStore.ts';
import { useNavigation } from '../../../../renderer/window/navigation.ts';
import { useCommandStore } from '../../../../renderer/window/commands/commandStore.ts';
import { useToasts } from '../../../../renderer/window/toasts.ts';
import { useSettings } from '../../../../renderer/window/settingsStore.ts';
import { createVirtualDeviceOf } from '../../../../src-core/features/devices/virtual/profiles.ts';
import { connectScripted } from '../../../core/features/devices/support/scriptedDevice.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';
import { button, choose, dialog, menuItems, press, until } from './acting.ts';

let window: TestWindow;
let pane: VueWrapper;
windowForEachTest((opened) => (window = opened));

const cards = (): string[] => pane.findAll('.device-row').map((row) => row.text());
const cell = (column: string): string => pane.get(`.device-row .in-${column}`).text();
const more = (): HTMLElement => pane.get<HTMLElement>('.detail-head .btn.icon').element;
const all = (): HTMLElement => pane.get<HTMLElement>('.head .btn.icon').element;
const rows = (): string[] => pane.findAll('.log-rows [role="option"]').map((row) => row.text());
const open = async (): Promise<void> => {
  pane = window.mount(DevicesPane);
  await until(() => !pane.find('.skeleton').exists());
};

describe('the list', () => {
  it('invites a first device, starts a virtual one, and shows its wire from the first frame', async () => {
    await open();
    expect(pane.text()).toContain('No device has connected yet');
    await choose(button(pane, 'Add a virtual device'), 'ESP32 board');
    await until(() => cards().some((card) => card.includes('Live')));
    await until(() => rows().some((row) => row.includes('tools/list')));
    expect(rows()[0]).toContain('asked OTA');
    expect(pane.findAll('.chip').map((chip) => chip.text())).toEqual([
      'All 1',
      'Connected 1',
      'Needs attention 0',
      'Disconnected 0',
      'Virtual 1',
      'Captures 0',
    ]);
    expect(cell('tools')).toBe('15');
    expect(cell('p50')).toBe('–');
    expect(cell('invalid')).toBe('');
  });

  it('starts a virtual device with all tools of the library, infrared among them', async () => {
    await open();
    await choose(button(pane, 'Add a virtual device'), 'All tools, including infrared');
    await until(() => cards()[0]?.includes('Live'));
    expect(cell('tools')).toBe('23');
    const registryId = (await window.connection.client.devices.list())[0]?.registryId ?? '';
    const toolName = `${registryId}_self.ir.send_named`;
    const argsJson = '{"name":"tv_power"}';
    const call = { callId: 'ir', toolName, argsJson, origin: 'executor' as const };
    expect(await window.connection.client.calls.execute(call)).toMatchObject({ result: '已模拟发送 5 字节' });
  });

  it('groups those that left, says why, and forgets them', async () => {
    await window.connection.client.devices.addVirtual({ name: 'kitchen' });
    await open();
    await until(() => cards().some((card) => card.includes('Live')));
    await choose(more(), 'Cut the power');
    await until(() => cards()[0]?.includes('Disconnected'));
    expect(pane.get('.detail-head p').text()).toContain('disconnected just now');
    expect(cell('tools')).toBe('–');
    expect(pane.findAll('.chip').map((chip) => chip.text())).toContain('Disconnected 1');
    expect(pane.get('.advice').text()).toMatch(/without a close frame \(1006\).*Most likely: /);
    await choose(more(), 'Forget');
    await until(() => cards().length === 0);
    expect(pane.text()).toContain('No device has connected yet');
  });

  it('gives a device the name that the user wrote, and its own one again', async () => {
    await window.connection.client.devices.addVirtual({ name: 'esp-box' });
    await open();
    await until(() => cards()[0]?.includes('Live'));
    const rename = async (name: string): Promise<void> => {
      await press(button(pane, 'Rename'));
      const form = await dialog('Rename');
      // What is typed replaces the old name.
      const field = form.querySelector('input')!;
      await until(() => document.activeElement === field);
      expect([field.selectionStart, field.selectionEnd]).toEqual([0, field.value.length]);
      field.value = name;
      field.dispatchEvent(new Event('input'));
      await press([...form.querySelectorAll('button')].find((one) => one.textContent?.includes('Rename'))!);
    };
    await rename('  Study ');
    await until(() => cell('name').startsWith('Study'));
    expect(pane.get('.detail-head').text()).toContain('esp-box');
    await rename('');
    await until(() => cell('name').startsWith('esp-box'));
  });

  it('sorts by every head, and filters what needs attention', async () => {
    const { client } = window.connection;
    await client.devices.addVirtual({ name: 'bench' });
    await client.devices.addVirtual({ name: 'attic' });
    await client.devices.addVirtual({ name: 'desk', faults: ['wrong-pages'] });
    await open();
    await until(() => cards().filter((card) => /Live|incomplete/.test(card)).length === 3);
    const names = () => pane.findAll('.device-row .in-name span:first-child').map((name) => name.text());
    expect(names()).toEqual(['desk', 'attic', 'bench']);
    await press(button(pane, 'Name'));
    expect(names()).toEqual(['attic', 'bench', 'desk']);
    await press(button(pane, 'Name'));
    expect(names()).toEqual(['desk', 'bench', 'attic']);
    expect(pane.get('.in-name[role="columnheader"]').attributes('aria-sort')).toBe('descending');
    const shown = () => pane.get('.detail-head h2').text();
    await pane.findAll('.device-row')[1]!.trigger('click');
    expect(shown()).toBe('bench');
    await press(button(pane, 'Needs attention 1'));
    expect(names()).toEqual(['desk']);
    expect(shown()).toBe('desk');
    await press(button(pane, 'All 3'));
    expect(shown()).toBe('bench');
    const search = pane.get<HTMLInputElement>('.head .search input');
    await search.setValue('attic');
    expect(shown()).toBe('attic');
  });

  it('finds by any of its facts; arrows choose among what is found', async () => {
    const { client } = window.connection;
    await client.devices.addVirtual({ name: 'kitchen', profile: 'py-xiaozhi' });
    await client.devices.addVirtual({ name: 'study' });
    await open();
    await until(() => cards().filter((card) => card.includes('Live')).length === 2);
    const search = pane.get<HTMLInputElement>('.head .search input');
    await search.setValue('py-xiaozhi');
    expect(cards()).toHaveLength(1);
    expect(cards()[0]).toContain('kitchen');
    await search.setValue('no such thing');
    expect(pane.text()).toContain('No devices match “no such thing”.');
    await search.trigger('keydown', { key: 'Escape' });
    await until(() => cards().length === 2);
    const names = pane.findAll('.device-row .in-name span:first-child').map((name) => name.text());
    const grid = pane.get('[role="grid"]');
    await grid.trigger('keydown', { key: 'Home' });
    expect(pane.get('.detail-head h2').text()).toBe(names[0]);
    await grid.trigger('keydown', { key: 'ArrowDown' });
    await until(() => pane.get('.detail-head h2').text() === names[1]);
    expect(document.getElementById(grid.attributes('aria-activedescendant') ?? '')?.textContent).toContain(names[1]);
  });

  it('states how many of those that left are listed, once there are as many', async () => {
    await window.connection.client.devices.addVirtual({ name: 'kitchen' });
    const devices = window.use(() => useDevices());
    const own = await until(() => devices.list[0]);
    // While the engine is gone, no refresh replaces the list.
    window.cut();
    await until(() => !window.use(() => useConnection()).connected);
    const left = Array.from({ length: 512 }, (_, at) => ({ ...own, id: `left-${at}`, state: 'closed' as const }));
    devices.list = left.slice(1);
    await open();
    expect(pane.find('.list-note').exists()).toBe(false);
    devices.list = left;
    await nextTick();
    expect(pane.get('.list-note').text()).toBe('Only the 512 devices that disconnected last are listed.');
  });

  it('offers for a device of another node the same in the palette as in the pane', async () => {
    const { deviceId } = await window.connection.client.devices.addVirtual({ name: 'kitchen' });
    const devices = window.use(() => useDevices());
    await until(() => devices.byId.get(deviceId)?.state === 'ready');
    const own = devices.byId.get(deviceId)!;
    const node = { id: 'n', name: 'attic', isLost: false };
    devices.list = [{ ...own, node }];
    await open();
    const commands = window.use(() => useCommandStore());
    const offered = () => commands.objectCommands.filter(({ name }) => name === own.name).map(({ item }) => item.label);
    expect(offered()).toEqual(['View tools']);
    expect(pane.findAll('.detail-head button').map((button) => button.text())).toEqual(['View tools']);
    expect(commands.reasonOf('devices.clearLog')).toContain('attic');
    expect(commands.reasonOf('devices.exportCapture')).toContain('attic');
  });

  it('shows for a device that has moved to another node the log of its connections to this one', async () => {
    await window.connection.client.devices.addVirtual({ name: 'Lamp' });
    await open();
    await until(() => cards().some((card) => card.includes('Live')));
    const devices = window.use(() => useDevices());
    const [own] = devices.list;
    const there = { ...own!, id: `${own!.deviceId}@0123456789abcdef`, node: { id: '1', name: 'lab', isLost: false } };
    // News of the device may replace the list meanwhile.
    const whileListed = (device: typeof there, isShown: () => boolean): Promise<unknown> =>
      until(() => ((devices.list = [device]), isShown()));
    await whileListed(there, () => pane.text().includes('This device is connected to the node “lab”.'));
    expect(rows()).toEqual([]);
    await whileListed({ ...there, hasLogHere: true }, () => rows().some((row) => row.includes('tools/list')));
  });

  it('says what has changed when tools are listed again', async () => {
    const { deviceId } = await window.connection.client.devices.addVirtual({ name: 'kitchen' });
    const devices = window.use(() => useDevices());
    await until(() => devices.byId.get(deviceId)?.state === 'ready');
    await devices.refreshTools(deviceId);
    expect(window.use(() => useToasts()).list.at(-1)).toMatchObject({
      title: expect.stringMatching(/^kitchen has \d+ tools$/) as string,
      text: 'None has changed.',
    });
  });

  it('offers for a virtual device of a terminal only what works from here', async () => {
    const device = createVirtualDeviceOf('firmware', { url: window.workbench.info().device.otaUrl, name: 'terminal' });
    await device.connect();
    onTestFinished(() => device.close());
    await open();
    await until(() => cards().some((card) => card.includes('Live')));
    expect(cell('name')).toContain('virtual');
    const items = await menuItems(more());
    expect(items).toEqual(['Refresh tools', 'Export log', 'Disconnect']);
    expect(pane.findAll('.detail-head .btn').map((button) => button.text())).toEqual(['View tools', 'Rename', '']);
  });

  it('shows the known devices as of unknown state while the engine is gone, and offers nothing that needs it', async () => {
    await window.connection.client.devices.addVirtual({ name: 'kitchen' });
    const devices = window.use(() => useDevices());
    await until(() => devices.list.some(({ state }) => state === 'ready'));
    // The pane opens only now, so no captures come.
    const back = window.cut();
    await until(() => !window.use(() => useConnection()).connected);
    pane = window.mount(DevicesPane);
    await until(() => cards().length === 1);
    expect(cards()[0]).toContain('State unknown');
    expect(pane.get('.chips').text()).not.toMatch(/\d/);
    expect(pane.text()).not.toContain('Live');
    for (const word of ['Rename', 'Add a virtual device'])
      expect(button(pane, word).getAttribute('aria-disabled')).toBe('true');
    expect(button(pane, 'View tools').getAttribute('aria-disabled')).not.toBe('true');
    expect(await menuItems(more(), '[data-disabled]')).toEqual(await menuItems(more()));
    expect(await menuItems(all(), '[data-disabled]')).toHaveLength(4);
    back();
    await until(() => cards().some((card) => card.includes('Live')));
    expect(pane.get('.chip').text()).toBe('All 1');
    expect(button(pane, 'Rename').getAttribute('aria-disabled')).not.toBe('true');
  });

  it('runs the call that a device did not survive once it is back, and shows its frame', async () => {
    const { client } = window.connection;
    const { deviceId } = await client.devices.addVirtual({ name: 'Lamp', faults: ['crash-on-call'] });
    const tools = window.use(() => useTools());
    await open();
    await until(() => cards()[0]?.includes('Live') && tools.list.some(({ source }) => source.id === deviceId));
    const toolName = `${tools.list.find(({ source }) => source.id === deviceId)?.id}_self.get_device_status`;
    await client.calls.execute({ toolName, argsJson: '{}', callId: 'crash', origin: 'executor' });
    await until(() => pane.find('.advice').exists());
    await press(button(pane, 'Causes'));
    await until(() => document.querySelector('.popover') !== null);
    expect(document.querySelector('.popover')?.textContent).not.toContain('crashed the firmware');
    await press(button(pane, 'Show call #3'));
    await until(() => pane.find('.frame-view').exists());
    expect(pane.get('.log-rows [aria-selected="true"]').text()).toContain('tools/call');
    await until(() => pane.get('.advice').text().includes('Run when it reconnects'));
    await press(button(pane, 'Run when it reconnects'));
    const executor = window.use(() => useExecutor());
    await until(() => executor.waiting !== undefined);
    expect(executor.toolName).toBe(toolName);
    expect(window.use(() => useNavigation()).pane).toBe('executor');
    await until(() => pane.get('.advice').text().includes('Waiting for Lamp to reconnect'));
    expect(pane.get('.advice').text()).not.toContain('Run when it reconnects');
    await press(button(pane, 'Stop waiting'));
    expect(executor.waiting).toBeUndefined();
    expect(pane.get('.advice').text()).toContain('Run when it reconnects');
  });

  it('turns a virtual device on again whose power was cut; the second one of a board has a number', async () => {
    const { client } = window.connection;
    await client.devices.addVirtual({});
    await open();
    await until(() => cards().length === 1 && (cards()[0]?.includes('Live') ?? false));
    await choose(more(), 'Cut the power');
    await until(() => cards()[0]?.includes('Disconnected') ?? false);
    await until(() => pane.find('.advice').exists());
    const [powerOn] = pane.get('.advice').findAll<HTMLElement>('button.primary');
    expect(powerOn?.text()).toBe('Power on');
    await press(powerOn!.element);
    await until(() => cards()[0]?.includes('Live') ?? false);
    await client.devices.addVirtual({});
    // A device states its name in its answer to initialize.
    await until(() => cards().filter((card) => card.includes('Live')).length === 2);
    const names = pane.findAll('.device-row .in-name span:first-child').map((name) => name.text());
    const [one, two] = names.sort();
    expect(two).toBe(`${one} 2`);
  });

  it('has / for its own search, and in the detail for that of the log', async () => {
    await open();
    await window.connection.client.devices.addVirtual({ name: 'Lamp' });
    await until(() => rows().length > 0);
    const press = async (target: Element): Promise<string | null | undefined> => {
      target.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true }));
      await nextTick();
      const label = document.activeElement?.getAttribute('aria-label');
      (document.activeElement as HTMLElement).blur();
      return label;
    };
    const fromList = await press(pane.get('[role="grid"]').element);
    const fromBody = await press(document.body);
    const fromDetail = await press(pane.get('[data-own-search]').element);
    expect([fromBody, fromDetail === fromList]).toEqual([fromList, false]);
    expect(fromList).toBe(pane.get('.head .search input').attributes('aria-label'));
  });

  it('opens a device’s tools in Discovery', async () => {
    const navigation = window.use(() => useNavigation());
    const settings = window.use(() => useSettings());
    const { deviceId } = await window.connection.client.devices.addVirtual({});
    await open();
    await until(() => cards().some((card) => card.includes('Live')));
    await press(button(pane, 'View tools'));
    expect(navigation.pane).toBe('discovery');
    const [device] = await window.connection.client.devices.list();
    expect(device?.id).toBe(deviceId);
    expect(settings.ui['discovery.tool']).toBe(device?.registryId);
  });
});

describe('a virtual device to one’s liking', () => {
  it('has the chosen name and faults; refuses an invalid delay', async () => {
    await open();
    await choose(button(pane, 'Add a virtual device'), 'With faults');
    const form = await dialog('Virtual device');
    const [name, delay] = [...form.querySelectorAll('input')];
    const write = (field: HTMLInputElement | undefined, text: string): void => {
      if (!field) throw new Error('no such field');
      field.value = text;
      field.dispatchEvent(new Event('input'));
    };
    write(name, 'broken one');
    write(delay, '-5');
    const add = () => [...form.querySelectorAll('button')].find((one) => one.textContent?.includes('Add'));
    await until(() => add()?.disabled === true);
    expect(form.querySelector('[role="alert"]')?.textContent).toContain('Enter a delay from 0 to 600000 ms.');
    write(delay, '5');
    await until(() => add()?.disabled === false);
    const label = [...form.querySelectorAll('label')].find(({ textContent }) => textContent === 'Wrong pages')!;
    label.click();
    await until(() => form.querySelector('[role="switch"][aria-checked="true"]') !== null);
    add()?.click();
    await until(() => cards().some((card) => card.includes('broken one')));
    await until(
      () =>
        pane.find('.advice').exists() && pane.get('.advice').text().includes('was sent twice; a tool may be too large'),
    );
  });
});

const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

describe.runIf(ownAddress)('a device of the network', () => {
  it('asks to come in, with what that means; letting it in lists its tools', async () => {
    await window.connection.client.settings.set({ openToNetwork: true });
    await open();
    const { port } = window.workbench.info().device;
    const ids = { 'Device-Id': '02:00:00:aa:bb:cc', 'Client-Id': 'c-1' };
    const ota = await fetch(`http://${ownAddress}:${port}/xiaozhi/ota/`, {
      method: 'POST',
      headers: { ...ids, 'Content-Type': 'application/json' },
      body: '{}',
    });
    await until(() => cards().some((card) => card.includes('Waiting to connect')));
    expect(pane.get('.advice').text()).toContain('but has not connected');
    const { websocket } = (await ota.json()) as { websocket: { url: string; token: string } };
    const headers = { ...ids, Authorization: `Bearer ${websocket.token}` };
    (await connectScripted(websocket.url, { headers })).hello();
    await until(() => cards().some((card) => card.includes('Waiting for approval')));
    expect(cards()[0]).toContain('Review');
    expect(pane.text()).toContain('Needs attention 1');
    await press(button(pane, 'Approve'));
    await until(() => !cards().some((card) => card.includes('Waiting for approval')));
    // The first connection may have given up waiting by now, as a board does.
    const device = await connectScripted(websocket.url, { headers });
    device.hello();
    await until(() => cards().some((card) => card.includes('Live')));
    await until(() => pane.get('.step-line').text().includes('2 tools'));
    device.socket.terminate();
  });
});

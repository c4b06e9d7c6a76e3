import { createServer } from 'node:net';
import { once } from 'node:events';
import type { VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { setLanguage } from '../../../../renderer/i18n/index.ts';
import AskFirstSettings from '../../../../renderer/features/settings/AskFirstSettings.vue';
import CallingSettings from '../../../../renderer/features/settings/CallingSettings.vue';
import DeviceSettings from '../../../../renderer/features/settings/DeviceSettings.vue';
import SettingSection from '../../../../renderer/features/settings/SettingSection.vue';
import { useDevices } from '../../../../renderer/features/devices/devicesStore.ts';
import { useConnection } from '../../../../renderer/client/connectionStore.ts';
import { useSettings } from '../../../../renderer/window/settingsStore.ts';
import { useTools } from '../../../../renderer/features/discovery/toolsStore.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));
beforeEach(async () => {
  const settings = window.use(() => useSettings());
  const connection = window.use(() => useConnection());
  await vi.waitUntil(() => settings.loaded && connection.info !== null);
});
afterEach(() => {
  setLanguage('en');
});

const saved = async () => {
  await window.use(() => useSettings()).flush();
  return window.connection.client.settings.get();
};
const named = (part: VueWrapper, name: string) => part.get(`[aria-label="${name}"]`);
const press = (part: VueWrapper, word: string) =>
  part
    .findAll('button')
    .find((button) => button.text() === word)
    ?.trigger('click');

/** A port that is free, or taken until the test ends. */
async function takePort({ hold }: { hold: boolean }): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const close = () => new Promise((resolve) => server.close(resolve));
  if (hold) onTestFinished(async () => void (await close()));
  else await close();
  return address.port;
}

describe('the settings for devices', () => {
  it('move the listener to another port, and the address follows', async () => {
    const part = window.mount(DeviceSettings);
    const port = await takePort({ hold: false });
    await named(part, 'Custom port').setValue(String(port));
    await press(part, 'Apply');
    await vi.waitUntil(() => window.workbench.info().device.port === port);
    await vi.waitUntil(() =>
      part.get<HTMLInputElement>('[aria-label="OTA address"]').element.value.includes(`:${port}/`),
    );
    expect((await saved()).devicePort).toBe(port);
  });

  it('ask before a change of the port that disconnects devices', async () => {
    await window.connection.client.devices.addVirtual({ name: 'kitchen' });
    const devices = window.use(() => useDevices());
    await vi.waitUntil(() => devices.connectedCount === 1);
    const before = window.workbench.info().device.port;
    const part = window.mount(DeviceSettings);
    const port = await takePort({ hold: false });
    await named(part, 'Custom port').setValue(String(port));
    await press(part, 'Apply');
    const dialog = await vi.waitUntil(() => document.querySelector('[role="alertdialog"]'));
    expect(dialog.textContent).toContain('Changing this disconnects the connected device.');
    expect(window.workbench.info().device.port).toBe(before);
    dialog.querySelector<HTMLElement>('.btn.danger')?.click();
    await vi.waitUntil(() => window.workbench.info().device.port === port);
    await vi.waitUntil(() => devices.list.some(({ state }) => state === 'closed'));
  });

  it('say why the port could not be had, and stay where they were', async () => {
    const part = window.mount(DeviceSettings);
    const before = window.workbench.info().device.port;
    const port = await takePort({ hold: true });
    await named(part, 'Custom port').setValue(String(port));
    await press(part, 'Apply');
    await vi.waitUntil(() => part.text().includes('The port was not changed.'));
    expect(part.text()).toContain(String(port));
    expect(window.workbench.info().device).toMatchObject({ listening: true, port: before });
    // The reason is that of the port before.
    await named(part, 'Custom port').setValue(String(before + 1));
    expect(part.text()).not.toContain('The port was not changed.');
  });

  it('save tools for people, the size of the logs and who answers about pictures', async () => {
    const part = window.mount(DeviceSettings);
    await named(part, 'Show manual-only tools').trigger('click');
    await named(part, 'Device log size').setValue('128');
    await named(part, 'Fixed answer').setValue('A cup.');
    await vi.waitUntil(async () => (await saved()).vision.cannedText === 'A cup.');
    expect(await saved()).toMatchObject({ listUserTools: false, captureLimitMb: 128 });
    await named(part, 'Device log size').setValue('0');
    expect(part.get('[role="alert"]').text()).toContain('A whole number from 1 to 10000.');
    expect((await saved()).captureLimitMb).toBe(128);
  });

  it('save origins once each of them is one, and mend an address of it', async () => {
    const part = window.mount(DeviceSettings);
    await named(part, 'Allowed web origins for devices').setValue('http://localhost:8080 https://a.test/page');
    expect(part.get('[role="alert"]').text()).toContain('“https://a.test/page” is not an origin');
    expect((await saved()).deviceOrigins).toEqual([]);
    await expect(window.connection.client.settings.set({ deviceOrigins: ['localhost:99'] })).rejects.toThrow(/origin/);
    await press(part, 'Use https://a.test');
    await vi.waitUntil(async () => (await saved()).deviceOrigins.length === 2);
    expect((await saved()).deviceOrigins).toEqual(['http://localhost:8080', 'https://a.test']);
  });
});

describe('the limits of the history of calls', () => {
  it('are saved, each beside the other, and only within their range', async () => {
    const part = window.mount(SettingSection, { name: 'history' });
    await named(part, 'Max calls').setValue('5000');
    await named(part, 'Max size').setValue('64');
    await vi.waitUntil(async () => (await saved()).historyLimit.mb === 64);
    expect((await saved()).historyLimit).toEqual({ calls: 5_000, mb: 64 });
    await named(part, 'Max calls').setValue('99');
    expect(part.get('[role="alert"]').text()).toContain('A whole number from 100 to 1000000.');
    await press(part, 'Use 100');
    await vi.waitUntil(async () => (await saved()).historyLimit.calls === 100);
    expect((await saved()).historyLimit.mb).toBe(64);
  });
});

describe('the list of tools that ask first', () => {
  const open = async () => {
    const tools = window.use(() => useTools());
    await vi.waitUntil(() => tools.loaded);
    const part = window.mount(AskFirstSettings);
    const add = async (pattern: string): Promise<void> => {
      await part.get('input').setValue(pattern);
      await part.get('input').trigger('keydown', { key: 'Enter' });
    };
    return { part, add };
  };

  it('takes a pattern, says how many tools it means now, and lets it go', async () => {
    const { part, add } = await open();
    await add('  clock_* ');
    await add('*_self.reboot');
    const rows = () => part.findAll('li').map((row) => row.text());
    await saved();
    await vi.waitUntil(() => rows().join().includes('matches 2 tools'));
    expect(rows()).toEqual(['clock_*matches 2 tools', '*_self.rebootmatches no tool']);
    await part.get('[aria-label="Remove clock_*"]').trigger('click');
    expect((await saved()).dangerousTools).toEqual(['*_self.reboot']);
  });

  it('says what is wrong with a name once it is tried', async () => {
    const { part, add } = await open();
    expect(part.find('[role="alert"]').exists()).toBe(false);
    await add(' ');
    expect(part.get('[role="alert"]').text()).toContain('Enter a tool name.');
    await add('clock_*');
    expect(part.find('[role="alert"]').exists()).toBe(false);
    await add('clock_*');
    expect(part.get('[role="alert"]').text()).toContain('Already on the list.');
    await add('x'.repeat(257));
    expect(part.get('[role="alert"]').text()).toContain('At most 256 characters.');
    expect((await saved()).dangerousTools).toEqual(['clock_*']);
  });
});

describe('the tools with a limit of their own', () => {
  it('are listed and can be revoked', async () => {
    const part = window.mount(CallingSettings);
    expect(part.text()).toContain('None. All tools use the timeout above.');
    await window.connection.client.settings.set({ toolTimeouts: { clock_get_time: 2_500, lamp_on: 60_000 } });
    await vi.waitUntil(() => part.findAll('li').length === 2);
    expect(part.findAll('li').map((row) => row.text())).toEqual(['clock_get_time2.5 s', 'lamp_on60 s']);
    await part.get('[aria-label="Remove the timeout of clock_get_time"]').trigger('click');
    expect((await saved()).toolTimeouts).toEqual({ lamp_on: 60_000 });
  });
});

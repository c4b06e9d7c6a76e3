import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';

import { setLanguage } from '../../../renderer/i18n/index.ts';
import CommandPalette from '../../../renderer/shell/CommandPalette.vue';
import PaneRail from '../../../renderer/shell/PaneRail.vue';
import StatusBar from '../../../renderer/shell/StatusBar.vue';
import { useCommands } from '../../../renderer/shell/useCommands.ts';
import { useConnection } from '../../../renderer/stores/connection.ts';
import { useNavigation } from '../../../renderer/stores/navigation.ts';
import { useSandbox } from '../../../renderer/stores/sandbox.ts';
import { useSettings } from '../../../renderer/stores/settings.ts';
import { useTools } from '../../../renderer/stores/tools.ts';
import { giveLayout } from '../layout.ts';
import { openWindow, type TestWindow } from '../openWindow.ts';

let window: TestWindow;
let undoLayout: () => void;
beforeEach(async () => {
  undoLayout = giveLayout();
  window = await openWindow();
});
afterEach(async () => {
  await window.close();
  undoLayout();
  setLanguage('en');
});

describe('CommandPalette', () => {
  const open = async () => {
    const tools = window.use(() => useTools());
    const navigation = window.use(() => useNavigation());
    const commands = window.use(() => useCommands());
    await vi.waitUntil(() => tools.loaded);
    window.mount(CommandPalette, { commands });
    navigation.overlay = 'palette';
    const input = await vi.waitUntil(() => document.querySelector<HTMLInputElement>('.palette input'));
    const type = async (text: string): Promise<void> => {
      input.value = text;
      input.dispatchEvent(new Event('input'));
      await nextTick();
    };
    const press = async (key: string, keys: KeyboardEventInit = {}): Promise<void> => {
      input.dispatchEvent(new KeyboardEvent('keydown', { ...keys, key, bubbles: true, cancelable: true }));
      await nextTick();
    };
    const options = (): string[] =>
      [...document.querySelectorAll('.palette [role="option"]')].map((option) => option.textContent ?? '');
    const active = (): string =>
      document.getElementById(input.getAttribute('aria-activedescendant') ?? '')?.textContent ?? '';
    return { navigation, type, press, options, active };
  };

  it('finds a tool by the beginnings of its words and opens it in the Executor', async () => {
    const sandbox = window.use(() => useSandbox());
    const { navigation, type, press, active } = await open();
    await type('get dat');
    expect(active()).toContain('get_date');
    await press('Enter');
    expect(sandbox.requested).toEqual({ qualifiedName: 'clock_get_date' });
    expect(navigation).toMatchObject({ pane: 'executor', overlay: null });
  });

  it('brings a recent call back with its arguments', async () => {
    const sandbox = window.use(() => useSandbox());
    await window.connection.client.calls.execute({
      callId: 'c',
      toolName: 'clock_get_time',
      argsJson: '{}',
      origin: 'executor',
    });
    const { press, options, active } = await open();
    await vi.waitUntil(() => options().some((option) => option.includes('get_time')));
    expect(active()).toContain('OK');
    await press('Enter');
    expect(sandbox.requested).toEqual({ qualifiedName: 'clock_get_time', argsJson: '{}' });
  });

  it('after > offers commands only; arrows go round', async () => {
    const { type, press, options, active } = await open();
    await type('>');
    expect(options().join()).toMatch(/Add a virtual device.*Split the window.*Keyboard shortcuts/);
    expect(options().join()).not.toContain('get_time');
    await press('ArrowUp');
    expect(active()).toBe(options().at(-1));
    // Those of the pane in front come first.
    await press('ArrowDown');
    expect(active()).toContain('Show the prompt of all tools');
    await press('ArrowDown');
    expect(active()).toContain('Add a virtual device');
    await press('Enter');
    await vi.waitUntil(() => window.workbench.info().device.listening);
    await vi.waitUntil(async () => (await window.connection.client.devices.list()).length === 1);
  });

  it('opens in the other half what is chosen with Alt held', async () => {
    const sandbox = window.use(() => useSandbox());
    const { navigation, type, press } = await open();
    await type('get dat');
    await press('Enter', { altKey: true });
    expect(sandbox.requested).toEqual({ qualifiedName: 'clock_get_date' });
    expect(navigation).toMatchObject({ pane: 'executor', halves: ['discovery', 'executor'] });
  });

  it('says when nothing is called so', async () => {
    const { type, options, press } = await open();
    await type('zzz');
    expect(options()).toEqual([]);
    expect(document.querySelector('.palette')?.textContent).toContain('Nothing is called “zzz”.');
    await press('Enter');
    expect(document.querySelector('.palette')).not.toBeNull();
  });
});

describe('the rail and the status bar', () => {
  it('name every pane, mark the one in front and count connected devices', async () => {
    const navigation = window.use(() => useNavigation());
    const rail = window.mount(PaneRail);
    expect(rail.findAll('button .word').map((word) => word.text())).toEqual([
      'Discovery',
      'Executor',
      'Parser',
      'Devices',
      'Gateway',
      'Chat',
      'Realtime',
      'Settings',
    ]);
    await rail.findAll('button')[3]?.trigger('click');
    expect(navigation.pane).toBe('devices');
    expect(rail.get('[aria-current="page"]').text()).toContain('Devices');
    await rail.findAll('button')[1]?.trigger('click', { altKey: true });
    expect(navigation.halves).toEqual(['devices', 'executor']);
    expect(rail.get('[aria-current="page"]').text()).toContain('Executor');
    expect(rail.get('.place.beside').text()).toMatch(/Devices.*, beside it/);
    await rail.findAll('button')[3]?.trigger('click');
    expect(navigation).toMatchObject({ pane: 'devices', beside: 'executor' });
    await window.connection.client.devices.addVirtual({});
    await vi.waitUntil(() => rail.find('.n').exists());
    expect(rail.get('[aria-current="page"]').text()).toMatch(/Devices.*, 1 connected/);
  });

  it('give the address a device needs, and say truthfully when the engine is lost', async () => {
    const connection = window.use(() => useConnection());
    const bar = window.mount(StatusBar);
    await vi.waitUntil(() => bar.text().includes(window.workbench.info().device.otaUrl));
    const engineReturns = window.cut();
    await vi.waitUntil(() => bar.text().includes('The engine does not answer.'));
    expect(connection.info?.version).toBeDefined();
    expect(bar.text()).not.toMatch(/device|call/i);
    engineReturns();
    await vi.waitUntil(() => bar.text().includes('Listening'));
  });

  it('speak Chinese when told to, at once', async () => {
    const rail = window.mount(PaneRail);
    setLanguage('zh');
    await nextTick();
    expect(rail.findAll('button .word').map((word) => word.text())).toEqual([
      '工具库',
      expect.any(String),
      expect.any(String),
      '设备',
      '网关',
      '对话',
      '实时',
      '设置',
    ]);
  });

  it('show that a call of a chat waits for approval', async () => {
    const { client } = window.connection;
    const script = { turns: [{ toolCalls: [{ name: 'listFiles', arguments: { path: '.' } }] }] };
    await client.models.save({ kind: 'scripted', id: 'scripted', label: 'Scripted model', script });
    const bar = window.mount(StatusBar);
    await vi.waitUntil(() => bar.text().includes('No call running'));
    const { id: sessionId } = await client.chat.create({ options: { protocol: 'native', mode: 'manual' } });
    await client.chat.send({ sessionId, text: 'What is there?' });
    await vi.waitUntil(() => bar.text().includes('1 call of a chat waits for your approval'), { timeout: 10_000 });
    expect(bar.text()).not.toContain('No call running');
  });

  it('show a running call with a way to cancel it that reaches the engine', async () => {
    const settings = window.use(() => useSettings());
    await vi.waitUntil(() => settings.loaded);
    const { client } = window.connection;
    await client.devices.addVirtual({});
    const device = await vi.waitUntil(async () =>
      (await client.tools.list()).find((tool) => tool.source.kind === 'device'),
    );
    const bar = window.mount(StatusBar);
    await vi.waitUntil(() => bar.text().includes('No call running'));
    const release = Promise.withResolvers<unknown>();
    window.workbench.toolRegistryManager.register({
      id: 'slow',
      name: 'Slow',
      source: { kind: 'builtin', id: 'slow', label: 'Slow' },
      getMetadata: () => ({
        methods: [{ name: 'wait', description: 'Waits', agentCallable: true, inputSchema: { type: 'object' } }],
      }),
      invoke: (_, __, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            release.resolve(signal.reason);
            reject(signal.reason as Error);
          });
        }),
    });
    const call = client.calls.execute({ callId: 'slow', toolName: 'slow_wait', argsJson: '{}', origin: 'executor' });
    await vi.waitUntil(() => bar.text().includes('1 running'));
    expect(bar.text()).toMatch(/wait *\d+\.\d \/ 30 s/);
    await bar
      .findAll('button')
      .find((button) => button.text() === 'Cancel')
      ?.trigger('click');
    await release.promise;
    expect((await call).error?.code).toBe('cancelled');
    await vi.waitUntil(() => bar.text().includes('No call running'));
    expect(device).toBeDefined();
  });
});

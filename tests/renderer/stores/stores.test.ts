import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { watch } from 'vue';

import { useCalls } from '../../../renderer/features/calls/callsStore.ts';
import { useConnection } from '../../../renderer/client/connectionStore.ts';
import { useDevices } from '../../../renderer/features/devices/devicesStore.ts';
import { useNavigation } from '../../../renderer/window/navigation.ts';
import { useSandbox } from '../../../renderer/features/executor/sandboxStore.ts';
import { useSettings } from '../../../renderer/window/settingsStore.ts';
import { setLanguage } from '../../../renderer/i18n/index.ts';
import { useTools } from '../../../renderer/features/discovery/toolsStore.ts';
import { type TestWindow, windowForEachTest } from '../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

describe('tools and devices', () => {
  it('follow the engine: a virtual device comes with its tools and goes by itself', async () => {
    const tools = window.use(() => useTools());
    const devices = window.use(() => useDevices());
    await vi.waitUntil(() => tools.loaded);
    expect(tools.find('clock_get_time')?.tool.source.kind).toBe('builtin');

    const { deviceId } = await devices.addVirtual();
    await vi.waitUntil(() => devices.connectedCount === 1 && tools.list.some((tool) => tool.source.kind === 'device'));
    await vi.waitUntil(() => devices.byId.get(deviceId)?.state === 'ready');
    expect(devices.byId.get(deviceId)?.virtual).toBe(true);

    await devices.pullPlug(deviceId);
    await vi.waitUntil(() => devices.connectedCount === 0 && tools.list.every((tool) => tool.source.kind !== 'device'));
    expect(devices.byId.get(deviceId)?.state).toBe('closed');
    await devices.forget(deviceId);
    await vi.waitUntil(() => devices.list.length === 0);
  });

  it('are worded in a language that is chosen while they are fetched', async () => {
    onTestFinished(() => setLanguage('en'));
    const tools = window.use(() => useTools());
    setLanguage('zh');
    await vi.waitUntil(() => tools.loaded);
    await vi.waitUntil(() => /\p{Script=Han}/u.test(tools.find('clock_get_time')?.method.description ?? ''));
    expect(tools.byId.get('clock')?.methods).toContain(tools.find('clock_get_time')?.method);
    expect(tools.methods()).toContain(tools.find('clock_get_time'));
    setLanguage('en');
    expect(tools.find('clock_get_time')?.method.description).not.toMatch(/\p{Script=Han}/u);
  });

  it('say which tools are offered, as the toggles are set', async () => {
    const tools = window.use(() => useTools());
    await vi.waitUntil(() => tools.loaded);
    expect(tools.byId.get('clock')?.enabled).toBe(true);
    tools.setEnabled('clock', false);
    await vi.waitUntil(() => tools.byId.get('clock')?.enabled === false);
    const saved = await window.connection.client.settings.get();
    expect(saved.toolCallConfig.toolToggles).toEqual({ clock: false });
  });
});

describe('settings', () => {
  it('show a change at once and save those around it together', async () => {
    const settings = window.use(() => useSettings());
    await vi.waitUntil(() => settings.loaded);
    settings.change({ theme: 'dark' });
    settings.remember('split.one', 320);
    settings.remember('split.two', 200);
    expect(settings.current).toMatchObject({ theme: 'dark', ui: { 'split.one': 320, 'split.two': 200 } });
    await settings.flush();
    expect(await window.connection.client.settings.get()).toMatchObject({
      theme: 'dark',
      ui: { 'split.one': 320, 'split.two': 200 },
    });
  });

  it('take back what the engine refuses, with its reason, and keep what it accepted before', async () => {
    const settings = window.use(() => useSettings());
    await vi.waitUntil(() => settings.loaded);
    settings.change({ locale: 'zh' });
    await settings.flush();
    settings.change({ toolCallConfig: { ...settings.current.toolCallConfig, timeout: 0 } });
    await settings.flush();
    expect(settings.error).toContain('timeout');
    expect(settings.refused).toBe('toolCallConfig.timeout');
    expect(settings.current.toolCallConfig.timeout).toBe(30_000);
    expect(settings.current.locale).toBe('zh');
  });

  it('are sent as the window is left: no timer and no answer is waited for', async () => {
    const settings = window.use(() => useSettings());
    await vi.waitUntil(() => settings.loaded);
    const { client } = window.connection;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      settings.change({ locale: 'zh' });
      void settings.flush();
      settings.change({ theme: 'dark' });
      globalThis.window.dispatchEvent(new Event('pagehide'));
      // What a field that was being typed in saves as it is left.
      settings.remember('typed', 'last letters');
      expect(await client.settings.get()).toMatchObject({ locale: 'zh', theme: 'dark', ui: { typed: 'last letters' } });

      globalThis.window.dispatchEvent(new Event('pageshow'));
      settings.change({ theme: 'light' });
      expect((await client.settings.get()).theme).toBe('dark');
      vi.runAllTimers();
    } finally {
      vi.useRealTimers();
    }
    await settings.flush();
    expect((await client.settings.get()).theme).toBe('light');
  });

  it('word the built-in tools in Chinese, and offer them in English', async () => {
    const directoryTree = 'directory-tree';
    onTestFinished(() => setLanguage('en'));
    const tools = window.use(() => useTools());
    const shown = () => tools.byId.get(directoryTree);
    await vi.waitUntil(() => shown()?.description === 'The files below a directory of your choice.');
    setLanguage('zh');
    await vi.waitUntil(() => shown()?.description === '所选目录下的文件。');
    const [method] = shown()!.methods;
    expect(method?.description).toBe('以树状列出某个目录下的文件和目录。');
    expect(method?.parameters.map(({ description }) => description)).toContain('最多列出的条目数。');
    expect(JSON.stringify(method?.inputSchema)).toContain('要列出的目录');
    const registered = window.workbench.toolRegistryManager.getTool(directoryTree)?.getMetadata();
    expect(JSON.stringify(registered)).not.toMatch(/\p{Script=Han}/u);
    setLanguage('en');
    await vi.waitUntil(() => shown()?.description === 'The files below a directory of your choice.');
  });

  it('keep what the window changes before their first answer comes, and never show it undone', async () => {
    await window.connection.client.settings.set({ theme: 'light', ui: { 'executor.mode': 'json', 'split.one': 320 } });
    const settings = window.use(() => useSettings());
    // It has asked for them by now. What is sent now is answered after that.
    settings.remember('executor.mode', 'form');
    settings.change({ theme: 'dark' });
    const seen = new Set<unknown>();
    const stop = watch(
      () => [settings.current.theme, settings.ui['executor.mode'], settings.own['executor.mode']].join(),
      (now) => seen.add(now),
      { immediate: true, flush: 'sync' },
    );
    await settings.flush();
    stop();
    expect([...seen]).toEqual(['dark,form,form']);
    expect(settings.own).toEqual({ 'executor.mode': 'form', 'split.one': 320 });
  });

  it('keep a change made while the engine is away, and save it when it is back', async () => {
    const settings = window.use(() => useSettings());
    const connection = window.use(() => useConnection());
    await vi.waitUntil(() => settings.loaded && connection.connected);
    const engineReturns = window.cut();
    await vi.waitUntil(() => !connection.connected);
    settings.change({ theme: 'light' });
    await settings.flush();
    expect(settings.current.theme).toBe('light');
    engineReturns();
    await vi.waitUntil(
      async () => connection.connected && (await window.connection.client.settings.get()).theme === 'light',
    );
  });
});

describe('calls', () => {
  it('hold the history, newest first, and the last call of a method', async () => {
    const calls = window.use(() => useCalls());
    const { client } = window.connection;
    for (const callId of ['one', 'two']) {
      await client.calls.execute({ callId, toolName: 'clock_get_time', argsJson: '{}', origin: 'executor' });
    }
    await vi.waitUntil(() => calls.history.length === 2);
    expect(calls.history.map((call) => call.callId)).toEqual(['two', 'one']);
    expect(calls.lastOf('clock_get_time')?.callId).toBe('two');
    expect(calls.lastOf('clock_get_date')).toBeUndefined();
    expect(calls.running).toEqual([]);
  });
});

describe('navigation', () => {
  it('a load into the sandbox opens the Executor; each load is new, even of the same method', () => {
    const navigation = window.use(() => useNavigation());
    const sandbox = window.use(() => useSandbox());
    navigation.overlay = 'palette';
    sandbox.load({ qualifiedName: 'clock_get_time' });
    const first = sandbox.requested;
    expect(navigation).toMatchObject({ pane: 'executor', overlay: null });
    sandbox.load({ qualifiedName: 'clock_get_time', argsJson: '{}' });
    expect(sandbox.requested).not.toBe(first);
    expect(sandbox.requested).toEqual({ qualifiedName: 'clock_get_time', argsJson: '{}' });
  });

  it('remembers the pane across windows', async () => {
    const navigation = window.use(() => useNavigation());
    const settings = window.use(() => useSettings());
    await vi.waitUntil(() => settings.loaded);
    expect(navigation.pane).toBe('discovery');
    navigation.open('devices');
    await settings.flush();
    expect((await window.connection.client.settings.get()).ui['pane']).toBe('devices');
    settings.remember('pane', 'a pane of a newer version');
    expect(navigation.pane).toBe('discovery');
  });

  it('shows a pane once: what opens the one beside goes there, and nothing else moves', () => {
    const navigation = window.use(() => useNavigation());
    navigation.open('executor');
    navigation.openBeside('devices');
    expect(navigation).toMatchObject({ pane: 'devices', beside: 'executor', halves: ['executor', 'devices'] });
    navigation.open('chat');
    expect(navigation.halves).toEqual(['executor', 'chat']);
    navigation.open('executor');
    expect(navigation).toMatchObject({ pane: 'executor', halves: ['executor', 'chat'] });
    navigation.openBeside('executor');
    expect(navigation).toMatchObject({ pane: 'executor', halves: ['executor', 'chat'] });
    navigation.openBeside('parser');
    expect(navigation).toMatchObject({ pane: 'parser', halves: ['executor', 'parser'] });
    navigation.openBeside('gateway');
    expect(navigation).toMatchObject({ pane: 'gateway', halves: ['gateway', 'parser'] });
    navigation.closeHalf('gateway');
    expect(navigation).toMatchObject({ pane: 'parser', beside: undefined, halves: ['parser'] });
    navigation.closeHalf('parser');
    expect(navigation.halves).toEqual(['parser']);
    navigation.openBeside();
    expect(navigation.halves).toEqual(['parser', 'gateway']);
  });

  it.each([[['devices', 'devices']], [['chat', 'parser']], [['devices']], [['devices', 'attic']], ['devices'], [{}]])(
    'takes remembered halves %j for a whole window if they make no sense',
    async (halves) => {
      const navigation = window.use(() => useNavigation());
      const settings = window.use(() => useSettings());
      await vi.waitUntil(() => settings.loaded);
      navigation.open('devices');
      settings.remember('halves', halves);
      expect(navigation.halves).toEqual(['devices']);
    },
  );
});

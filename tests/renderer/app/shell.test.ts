import { mount } from '@vue/test-utils';
import { createPinia } from 'pinia';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { h, nextTick } from 'vue';

import { listTools } from '../../../src-core/rpc/listTools.ts';
import { connectionKey, createConnection } from '../../../renderer/client/connection.ts';
import { setLanguage } from '../../../renderer/i18n/index.ts';
import ConnectionNotice from '../../../renderer/app/ConnectionNotice.vue';
import EngineLost from '../../../renderer/app/EngineLost.vue';
import PaneRail from '../../../renderer/app/PaneRail.vue';
import StatusBar from '../../../renderer/app/StatusBar.vue';
import { useConnection } from '../../../renderer/client/connectionStore.ts';
import { useNavigation } from '../../../renderer/window/navigation.ts';
import { useSettings } from '../../../renderer/window/settingsStore.ts';
import { type TestWindow, windowForEachTest } from '../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));
afterEach(() => {
  setLanguage('en');
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
      'Servers',
      'Gateway',
      'Hosts',
      'Chat',
      'Realtime',
      'Settings',
    ]);
    const groups = rail
      .findAll('[role="group"]')
      .map((group) => [group.attributes('aria-label'), ...group.findAll('.key').map((key) => key.text())]);
    expect(groups).toEqual([
      ['Tools', 'Ctrl+1', 'Ctrl+2', 'Ctrl+3'],
      ['Connections', 'Ctrl+4', 'Ctrl+5', 'Ctrl+6', 'Ctrl+7'],
      ['Models', 'Ctrl+8', 'Ctrl+9'],
    ]);
    await rail.findAll('button')[3]?.trigger('click');
    expect(navigation.pane).toBe('devices');
    expect(rail.get('[aria-current="page"]').text()).toContain('Devices');
    await rail.findAll('button')[1]?.trigger('click', { altKey: true });
    expect(navigation.halves).toEqual(['devices', 'executor']);
    expect(rail.get('[aria-current="page"]').text()).toContain('Executor');
    expect(rail.get('.place.beside').text()).toMatch(/Devices.*, side by side/);
    await rail.findAll('button')[3]?.trigger('click');
    expect(navigation).toMatchObject({ pane: 'devices', beside: 'executor' });
    await window.connection.client.devices.addVirtual({});
    await vi.waitUntil(() => rail.find('.n').exists());
    expect(rail.get('[aria-current="page"]').text()).toMatch(/Devices.*, 1 connected/);
    await window.connection.client.devices.addVirtual({ faults: ['wrong-pages'] });
    await vi.waitUntil(() => rail.find('.n.attention').exists());
    expect(rail.get('[aria-current="page"]').text()).toMatch(/Devices.*, 1 needs attention/);
  });

  it('give the address a device needs, and say truthfully when the engine is lost', async () => {
    const connection = window.use(() => useConnection());
    const bar = window.mount(StatusBar);
    const rail = window.mount(PaneRail);
    const notice = window.mount(ConnectionNotice);
    await window.connection.client.devices.addVirtual({});
    await vi.waitUntil(() => bar.text().includes(window.workbench.info().device.otaUrl));
    await vi.waitUntil(() => rail.find('.n').exists());
    expect(notice.isVisible()).toBe(false);
    const engineReturns = window.cut();
    await vi.waitUntil(() => bar.text().includes('Toolwire is not responding.'));
    expect(notice.isVisible()).toBe(true);
    // One way to try at once, beside what it is about.
    expect([notice, bar].map((part) => part.text().split('Try now').length - 1)).toEqual([1, 0]);
    expect(bar.text()).toMatch(/Trying again/);
    expect(notice.text()).toMatch(
      /This window shows the state as of \d\d:\d\d:\d\d\. You can run calls again once it reconnects\./,
    );
    expect(rail.get('.n').text()).toBe('?');
    expect(rail.text()).toContain('Devices?, number unknown, not connected');
    expect(connection.offline).toBe('The window is not connected to Toolwire.');
    expect(connection.info?.version).toBeDefined();
    expect(bar.text()).not.toMatch(/device|call/i);
    engineReturns();
    await vi.waitUntil(() => bar.text().includes('Listening'));
    expect([notice.isVisible(), rail.get('.n').text(), connection.offline]).toEqual([false, '1', undefined]);
  });

  it('offer to try at once in the status bar while there never was an engine', async () => {
    const connection = createConnection({
      open: () => Promise.reject(new Error('No answer from ws://here/api')),
      delaysMs: [3_600_000],
    });
    const provide = { [connectionKey as symbol]: connection };
    const shell = mount(
      { render: () => [h(ConnectionNotice), h(EngineLost)] },
      { global: { plugins: [createPinia()], provide } },
    );
    onTestFinished(() => {
      shell.unmount();
      connection.close();
    });
    await vi.waitUntil(() => shell.text().includes('Trying again in'));
    expect(shell.findAll('button').map((button) => button.text())).toEqual(['Try now']);
    expect(shell.get('.connection-notice').isVisible()).toBe(false);
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
      '服务器',
      '网关',
      '宿主',
      '对话',
      '实时',
      '设置',
    ]);
  });

  it('show a running call with a way to cancel it that reaches the engine', async () => {
    const settings = window.use(() => useSettings());
    await vi.waitUntil(() => settings.loaded);
    const { client } = window.connection;
    await client.devices.addVirtual({});
    const device = await vi.waitUntil(async () =>
      (await listTools(client)).find((tool) => tool.source.kind === 'device'),
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

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineComponent } from 'vue';

import { readRoute, writeRoute } from '../../../renderer/app/route.ts';
import { useRoute } from '../../../renderer/app/useRoute.ts';
import { useNavigation } from '../../../renderer/window/navigation.ts';
import { useSandbox } from '../../../renderer/features/executor/sandboxStore.ts';
import { useSettings } from '../../../renderer/window/settingsStore.ts';
import { openWindow, type TestWindow } from '../openWindow.ts';

describe('readRoute', () => {
  it.each([
    ['#/parser', { pane: 'parser', chosen: [] }],
    ['#/devices/aa%3Abb%2F1', { pane: 'devices', chosen: ['aa:bb/1'] }],
    ['#/devices/capture/7', { pane: 'devices', chosen: ['capture', '7'] }],
    ['#/executor/clock_get_date', { pane: 'executor', chosen: ['clock_get_date'] }],
    ['#/discovery/clock/get_date', { pane: 'discovery', chosen: ['clock', 'get_date'] }],
    ['#/chat?right=parser', { pane: 'chat', chosen: [], beside: { side: 'right', pane: 'parser', chosen: [] } }],
    [
      '#/devices/aa%3Fbb?left=executor/clock_get_date',
      {
        pane: 'devices',
        chosen: ['aa?bb'],
        beside: { side: 'left', pane: 'executor', chosen: ['clock_get_date'] },
      },
    ],
  ] as const)('reads %s and writes it back', (hash, route) => {
    expect(readRoute(hash)).toEqual(route);
    expect(writeRoute(route)).toBe(hash);
  });

  it.each([
    '',
    '#',
    '#parser',
    '#/',
    '#/nowhere',
    '#/__proto__',
    '#/parser/',
    '#/parser/more',
    '#/devices/',
    '#/devices/%',
    '#/devices/%00',
    '#/devices/a/b',
    '#/executor/a/b',
    '#/chat?',
    '#/chat?right',
    '#/chat?right=',
    '#/chat?right=nowhere',
    '#/chat?right=chat',
    '#/chat?above=parser',
    '#/chat?right=parser/more',
    '#/chat?right=parser?left=gateway',
    `#/chat/${'x'.repeat(1_025)}`,
    `#/${'x'.repeat(5_000)}`,
  ])('does not accept %j as a place', (hash) => expect(readRoute(hash)).toBeUndefined());
});

describe('useRoute', () => {
  let window: TestWindow;
  beforeEach(async () => {
    history.replaceState(null, '', '/');
    window = await openWindow();
  });
  afterEach(() => window.close());

  const start = async () => {
    const settings = window.use(() => useSettings());
    window.mount(defineComponent({ setup: () => (useRoute(), () => null) }));
    await vi.waitUntil(() => settings.loaded);
    return { settings, navigation: window.use(() => useNavigation()), sandbox: window.use(() => useSandbox()) };
  };

  it('shows what the address names, and runs nothing', async () => {
    history.replaceState(null, '', '/#/executor/clock_get_date');
    const { navigation, sandbox } = await start();
    expect(navigation.pane).toBe('executor');
    expect(sandbox.requested).toEqual({ qualifiedName: 'clock_get_date' });
    expect(await window.connection.client.calls.history({ limit: 10 })).toEqual([]);
  });

  it('puts an address right that names no place', async () => {
    history.replaceState(null, '', '/#/devices/%00');
    await start();
    await vi.waitUntil(() => location.hash === '#/discovery');
  });

  it('takes one step back over a method that was loaded, pane and all', async () => {
    const { navigation, sandbox, settings } = await start();
    await vi.waitUntil(() => location.hash === '#/discovery');
    settings.remember('discovery.tool', 'clock');
    await vi.waitUntil(() => location.hash === '#/discovery/clock');
    const steps = history.length;
    sandbox.load({ qualifiedName: 'clock_get_date' });
    await vi.waitUntil(() => location.hash === '#/executor/clock_get_date');
    expect(history.length).toBe(steps + 1);
    history.back();
    await vi.waitUntil(() => navigation.pane === 'discovery');
    expect(location.hash).toBe('#/discovery/clock');
    history.forward();
    await vi.waitUntil(() => navigation.pane === 'executor');
  });

  it('shows both halves of a split window, and closes the split by going back', async () => {
    const { navigation, settings } = await start();
    await vi.waitUntil(() => location.hash === '#/discovery');
    navigation.openBeside('executor');
    await vi.waitUntil(() => location.hash === '#/executor?left=discovery');
    const steps = history.length;
    navigation.open('discovery');
    settings.remember('executor.tool', 'clock_get_date');
    await vi.waitUntil(() => location.hash === '#/discovery?right=executor/clock_get_date');
    navigation.openBeside('executor');
    await vi.waitUntil(() => location.hash === '#/executor/clock_get_date?left=discovery');
    expect(history.length).toBe(steps + 1);
    history.go(-2);
    await vi.waitUntil(() => navigation.halves.length === 1);
    expect(navigation.pane).toBe('discovery');
    history.forward();
    await vi.waitUntil(() => navigation.halves.length === 2);
    expect(navigation.halves).toEqual(['discovery', 'executor']);
  });
});

it('leaves a window where it is when another one goes elsewhere', async () => {
  const window = await openWindow();
  const settings = window.use(() => useSettings());
  const navigation = window.use(() => useNavigation());
  await vi.waitUntil(() => settings.loaded);
  await window.connection.client.settings.set({ theme: 'dark', ui: { pane: 'parser' } });
  await vi.waitUntil(() => settings.current.theme === 'dark');
  expect(navigation.pane).toBe('discovery');
  await window.close();
});

import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { useMemory } from '../../../renderer/features/collections/memoryStore.ts';
import DevicesPane from '../../../renderer/features/devices/DevicesPane.vue';
import DiscoveryPane from '../../../renderer/features/discovery/DiscoveryPane.vue';
import StatusBar from '../../../renderer/app/StatusBar.vue';
import { useCollections } from '../../../renderer/features/collections/collectionsStore.ts';
import { useCommandStore } from '../../../renderer/window/commands/commandStore.ts';
import { useSandbox } from '../../../renderer/features/executor/sandboxStore.ts';
import { useSettings } from '../../../renderer/window/settingsStore.ts';
import { useTools } from '../../../renderer/features/discovery/toolsStore.ts';
import { defineToolRegistry } from '../../../src-core/registry/defineTool.ts';
import { addServer } from '../../core/features/servers/support.ts';
import { serveLegacy } from '../../core/mcp/legacyServer.ts';
import { type TestWindow, windowForEachTest } from '../openWindow.ts';
import { openPalette } from './openPalette.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

describe('CommandPalette', () => {
  const open = () => openPalette(window);

  it('finds a tool by the beginnings of its words and opens it in the Executor', async () => {
    const sandbox = window.use(() => useSandbox());
    const { navigation, type, press, active } = await open();
    await type('get dat');
    expect(active()).toContain('get_date');
    await press('Enter');
    expect(sandbox.requested).toEqual({ qualifiedName: 'clock_get_date' });
    expect(navigation).toMatchObject({ pane: 'executor', overlay: null });
  });

  it.each(['Enter', 'ArrowDown ArrowUp Enter'])('acts on what is typed, not on what is shown, by %s', async (keys) => {
    const sandbox = window.use(() => useSandbox());
    const { type, press } = await open();
    await type('get time');
    void type('get dat');
    for (const key of keys.split(' ')) await press(key);
    expect(sandbox.requested).toEqual({ qualifiedName: 'clock_get_date' });
  });

  it('finds a tool of an MCP server once the server has listed it, and so does Discovery', async () => {
    const { workbench } = window;
    const list = Promise.withResolvers<Record<string, unknown>>();
    const server = await serveLegacy(({ method }) => (method === 'tools/list' ? list.promise : undefined));
    await addServer(workbench, { name: 'lab', type: 'http', url: server.url, headers: [] });
    await vi.waitUntil(() => server.received.some(({ method }) => method === 'tools/list'));
    const discovery = window.mount(DiscoveryPane);
    const { type, active } = await open();
    await discovery.get('input').setValue('dim lamp');
    await vi.waitUntil(() => discovery.text().includes('Nothing'));
    await type('dim lamp');
    expect(active()).not.toContain('dim_the_lamp');
    list.resolve({ tools: [{ name: 'dim_the_lamp', inputSchema: { type: 'object' } }] });
    await vi.waitUntil(() => active().includes('dim_the_lamp'));
    await vi.waitUntil(() => discovery.find('.card').exists());
    expect(discovery.get('.card').text()).toContain('lab');
  });

  it.each(['api key', 'chat model'])('finds the models in Settings by “%s”', async (words) => {
    const { type, options } = await open();
    await type(words);
    expect(options().findIndex((option) => option.startsWith('Models'))).toBeGreaterThanOrEqual(0);
  });

  it('does not give the focus back to Run after a tool was chosen: a second Enter must not run it', async () => {
    const run = document.createElement('button');
    document.body.append(run);
    onTestFinished(() => run.remove());
    run.focus();
    const focused = vi.fn();
    run.addEventListener('focus', focused);
    const { navigation, type, press } = await open();
    const reopen = async (): Promise<void> => {
      await vi.waitUntil(() => document.querySelector('.palette') === null);
      navigation.overlay = 'palette';
      await vi.waitUntil(() => document.activeElement?.closest('.palette'));
    };
    await type('clock_get_time');
    await press('Enter');
    await reopen();
    expect(focused).not.toHaveBeenCalled();
    // If it closes without a choice, the focus goes back.
    navigation.overlay = null;
    await vi.waitUntil(() => document.querySelector('.palette') === null);
    run.focus();
    await reopen();
    navigation.overlay = null;
    await vi.waitUntil(() => document.activeElement === run);
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
    expect(active()).toContain('View the tool prompt');
    await press('ArrowDown');
    expect(active()).toContain('Add a virtual device');
    await press('Enter');
    await vi.waitUntil(() => window.workbench.info().device.listening);
    await vi.waitUntil(async () => (await window.connection.client.devices.list()).length === 1);
  });

  it('opens in the other pane what is chosen with Alt held', async () => {
    const sandbox = window.use(() => useSandbox());
    const { navigation, type, press } = await open();
    await type('get dat');
    await press('Enter', { altKey: true });
    expect(sandbox.requested).toEqual({ qualifiedName: 'clock_get_date' });
    expect(navigation).toMatchObject({ pane: 'executor', halves: ['discovery', 'executor'] });
  });

  it('finds a tool by its full name, before a saved call of that name, whose Enter shows what will run', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwire-palette-')));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'toolwire.json'), JSON.stringify({ format: 1, name: 'Mine' }));
    const call = { name: 'clock_get_time', tool: 'clock_get_time', arguments: {} };
    writeFileSync(join(folder, 'time.call.json'), JSON.stringify(call));
    await window.connection.client.collections.open({ folder });
    const sandbox = window.use(() => useSandbox());
    const memory = window.use(() => useMemory());
    const collections = window.use(() => useCollections());
    await vi.waitUntil(() => collections.list.length === 1);
    const { type, press, options, active } = await open();
    await type('clock_get_time');
    expect(options()).toHaveLength(2);
    expect(active()).toContain('clock_get_timeClockOpen in Executor');
    // The name is marked over its two parts.
    expect(
      [...document.querySelectorAll('.palette [aria-selected="true"] mark')].map((mark) => mark.textContent),
    ).toEqual(['clock_', 'get_time']);
    await press('ArrowDown');
    expect(active()).toContain('Review and run');
    await press('Enter');
    expect(memory.dialog).toEqual({ kind: 'run', folder, only: ['time.call.json'] });
    expect(sandbox.requested).toBeNull();
    expect(await window.connection.client.calls.history({ limit: 5 })).toEqual([]);
  });

  it.each([
    ['discovery', 'Discovery'],
    ['dark', 'Dark theme'],
    ['clock get_time', 'clock_get_time'],
  ])('puts what has “%s” in its name before what is described with it: %s', async (typed, first) => {
    window.workbench.toolRegistryManager.register(
      defineToolRegistry({
        id: 'client',
        name: 'Client',
        source: { kind: 'builtin', id: 'client', label: 'Client' },
        methods: [
          {
            name: 'get_time',
            description: 'The clock of the client, dark at night, for discovery',
            agentCallable: true,
            inputSchema: { type: 'object' },
            handler: () => 1,
          },
        ],
      }),
    );
    const tools = window.use(() => useTools());
    await vi.waitUntil(() => tools.byId.has('client'));
    const { type, active, options } = await open();
    await type(typed);
    expect(active()).toContain(first);
    expect(options().join()).toContain('client_get_time');
  });

  it('tells tools of the same name apart by their ids', async () => {
    const { client } = window.connection;
    await client.devices.addVirtual({ name: 'Board' });
    await client.devices.addVirtual({ name: 'Board' });
    const tools = window.use(() => useTools());
    await vi.waitUntil(() => tools.list.filter(({ name }) => name === 'Board').length === 2);
    const { type, options } = await open();
    await type('board set_volume');
    await vi.waitUntil(() => options().length === 2);
    expect(new Set(options().map((option) => option.replace('Open in Executor', ''))).size).toBe(2);
    for (const option of options()) expect(option).toMatch(/_self\.audio_speaker\.set_volumeBoard/);
  });

  it('finds a board by the number in its name, and marks it there', async () => {
    const { client } = window.connection;
    for (const n of [1, 2, 3]) await client.devices.addVirtual({ name: `Board ${n}` });
    const tools = window.use(() => useTools());
    await vi.waitUntil(() => tools.list.filter(({ name }) => name.startsWith('Board')).length === 3);
    const { type, active } = await open();
    for (const n of [1, 2, 3]) {
      await type(`Board ${n} volume`);
      expect(active()).toMatch(new RegExp(`_volumeBoard ${n}`));
      const marks = [...document.querySelectorAll('.palette [aria-selected="true"] mark')].map((at) => at.textContent);
      expect(marks).toEqual(['volume', 'Board', String(n)]);
    }
  });

  it('finds a device itself, and opens it in Devices', async () => {
    const { deviceId } = await window.connection.client.devices.addVirtual({ name: 'Slow board' });
    const tools = window.use(() => useTools());
    await vi.waitUntil(() => tools.list.some(({ name }) => name === 'Slow board'));
    const { navigation, type, press, active } = await open();
    await type('slow board');
    expect(active()).toContain('Slow boardDevices · Live');
    await press('Enter');
    expect(navigation.pane).toBe('devices');
    expect(window.use(() => useSettings()).own['devices.chosen']).toBe(`device:${deviceId}`);
  });

  it('lists a command that cannot run last, and never marks it', async () => {
    window.mount(DevicesPane);
    const { type, options } = await open();
    await type('> devices');
    const disabled = [...document.querySelectorAll('.palette [aria-disabled="true"]')];
    expect(disabled.length).toBeGreaterThan(0);
    const group = disabled[0]!.closest('[role="group"]')!;
    expect(group.querySelector('[role="option"]:last-child')?.getAttribute('aria-disabled')).toBe('true');
    expect(options().length).toBeGreaterThan(disabled.length);
    expect(document.querySelector('.palette [aria-selected="true"][aria-disabled="true"]')).toBeNull();
  });

  it('corrects mistyped names of tools, panes, commands and settings, and says so', async () => {
    const { type, options } = await open();
    for (const [typed, words, first] of [
      ['clock_get_tme', 'clock_get_time', 'clock_get_time'],
      ['setings', 'settings', 'Settings'],
      ['>dakr theme', 'dark theme', 'Dark theme'],
      ['langauge', 'language', 'Language'],
      ['tiem', 'time', 'time'],
      ['modles', 'models', 'Models'],
    ] as const) {
      await type(typed);
      expect(document.querySelector('.palette [role="status"]')?.textContent.trim()).toBe(
        `No exact match. Results for “${words}”:`,
      );
      expect(options()[0]).toContain(first);
      // Enter would do what nobody searched for.
      expect(document.querySelectorAll('.palette [aria-selected="true"]')).toHaveLength(0);
    }
  });

  it('shows the name of a recent call whose tool does not exist', async () => {
    await window.connection.client.calls.execute({
      callId: 'c',
      toolName: 'no_such_tool',
      argsJson: '{}',
      origin: 'executor',
    });
    const { options } = await open();
    await vi.waitUntil(() => options().some((option) => option.startsWith('no_such_tool{}')));
    expect(options().every((option) => !option.startsWith(' · '))).toBe(true);
  });

  it('finds tools by a mistyped name that was called before, and that call last', async () => {
    const call = { callId: 'c', toolName: 'clok_get_date', argsJson: '{}', origin: 'executor' as const };
    await window.connection.client.calls.execute(call);
    const { type, options } = await open();
    await vi.waitUntil(() => options().some((option) => option.startsWith('clok_get_date')));
    await type('clok');
    expect(options()[0]).toContain('clock_get_');
    expect(options().at(-1)).toContain('clok_get_date');
  });

  it('lists a method that cannot be used last, and says so', async () => {
    const method = { description: 'x', agentCallable: true, inputSchema: { type: 'object' }, handler: () => '' };
    const broken = { ...method, name: 'frob', error: 'No handler.', agentCallable: false };
    window.workbench.toolRegistryManager.register(
      defineToolRegistry({
        id: 'odd',
        name: 'Odd',
        source: { kind: 'builtin', id: 'odd', label: 'Odd' },
        methods: [broken, { ...method, name: 'frobnicate' }],
      }),
    );
    const { type, options } = await open();
    await type('frob');
    await vi.waitUntil(() => options().length === 2);
    expect(options()[1]).toMatch(/^odd_frobOdd.*Unusable/);
  });

  it('keeps the mark on the line that was moved to if tools arrive above it', async () => {
    const sandbox = window.use(() => useSandbox());
    const { type, press, options, active } = await open();
    await type('get');
    await press('ArrowDown');
    expect(active()).toContain('clock_get_time');
    const [first] = options();
    await window.connection.client.devices.addVirtual({ name: 'get' });
    await vi.waitUntil(() => options()[0] !== first);
    expect(active()).toContain('clock_get_time');
    await press('Enter');
    expect(sandbox.requested).toEqual({ qualifiedName: 'clock_get_time' });
  });

  it('cancels the running call that is marked, also if an equal one before it ends', async () => {
    const running = new Map<string, (result: unknown) => void>();
    window.workbench.toolRegistryManager.register(
      defineToolRegistry({
        id: 'long',
        name: 'Long',
        source: { kind: 'builtin', id: 'long', label: 'Long' },
        methods: [
          {
            name: 'wait',
            description: 'Waits',
            agentCallable: true,
            inputSchema: { type: 'object' },
            handler: (_, { callId }) => new Promise((resolve) => running.set(callId, resolve)),
          },
        ],
      }),
    );
    const { client } = window.connection;
    window.mount(StatusBar);
    const calls = ['a', 'b', 'c'].map((callId) =>
      client.calls.execute({ callId, toolName: 'long_wait', argsJson: '{}', origin: 'executor' }),
    );
    const { type, press, options, active } = await open();
    await type('cancel wait');
    await vi.waitUntil(() => options().length === 3);
    await press('ArrowDown');
    expect(active()).toContain('Cancel wait');
    const marked = document.querySelector('.palette [aria-selected="true"]');
    running.get('a')?.(1);
    await vi.waitUntil(() => options().length === 2);
    expect(document.querySelector('.palette [aria-selected="true"]')).toBe(marked);
    await press('Enter');
    await vi.waitUntil(async () => (await client.calls.running()).length === 1);
    for (const end of running.values()) end(1);
    const results = await Promise.all(calls);
    expect(results.map(({ error }) => error?.code)).toEqual([undefined, 'cancelled', undefined]);
  });

  it('says when nothing is called so, also nothing that an object in view offers', async () => {
    window.use(() => useCommandStore()).offerFor(() => [{ item: { label: 'Reject', run: vi.fn() }, name: 'Kit' }]);
    const { type, options, press } = await open();
    await type('zzz');
    expect(options()).toEqual([]);
    expect(document.querySelector('.palette')?.textContent).toContain('No results for “zzz”.');
    await press('Enter').then(() => expect(document.querySelector('.palette')).not.toBeNull());
  });
});

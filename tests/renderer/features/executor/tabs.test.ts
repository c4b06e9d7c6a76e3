/** The tabs of the Executor: which tool gets one, what goes on behind them, and what is kept. */
import type { VueWrapper } from '@vue/test-utils';
import { beforeEach, expect, it, vi } from 'vitest';
import { storeToRefs } from 'pinia';
import { nextTick } from 'vue';

import ExecutorPane from '../../../../renderer/features/executor/ExecutorPane.vue';
import { useCalls } from '../../../../renderer/features/calls/callsStore.ts';
import { useExecutor } from '../../../../renderer/features/executor/executorStore.ts';
import { useCommandStore } from '../../../../renderer/window/commands/commandStore.ts';
import { useSettings } from '../../../../renderer/window/settingsStore.ts';
import { useToasts } from '../../../../renderer/window/toasts.ts';
import { useTools } from '../../../../renderer/features/discovery/toolsStore.ts';
import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
let pane: VueWrapper;
let release: () => void = () => undefined;
const letters = [...'abcdefghijklmnopqrstuvwxyz123456'];

windowForEachTest((opened) => (window = opened));
beforeEach(async () => {
  const method = (name: string) => ({
    name,
    description: name,
    agentCallable: true,
    inputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
    handler: () => (name === 'a' ? new Promise((resolve) => (release = () => resolve('released'))) : name),
  });
  window.workbench.toolRegistryManager.register(
    defineToolRegistry({
      id: 'kit',
      name: 'Kit',
      source: { kind: 'builtin', id: 'kit', label: 'Kit' },
      methods: letters.map(method),
    }),
  );
  const tools = window.use(() => useTools());
  await vi.waitUntil(() => tools.find('kit_n') !== undefined && window.use(() => useSettings()).loaded);
});

const store = () => window.use(() => useExecutor());
const commands = () => window.use(() => useCommandStore());
const tab = (name: string) => pane.findAll('[role="tab"]').find((one) => one.find('.name').text() === name);
/** The names on the tabs, the one in front in brackets. */
const bar = () =>
  pane.findAll('.tab-bar [role="tab"]').map((one) => {
    const name = one.get('.name').text();
    return one.attributes('aria-selected') === 'true' ? `[${name}]` : name;
  });
async function open(name: string, ...more: [string?, { folder: string; file: string }?]): Promise<void> {
  store().open(`kit_${name}`, ...more);
  pane ??= window.mount(ExecutorPane, {});
  await nextTick();
}
async function show(...names: string[]): Promise<void> {
  pane = window.mount(ExecutorPane, {});
  for (const name of names) {
    store().keepTab();
    await open(name);
  }
}

it('gives a tool that was only looked at no tab of its own, and one that was used does keep its tab', async () => {
  await show('b');
  await open('c');
  expect(bar()).toEqual(['[c]']);
  store().text = '{"n": 1}';
  await open('d');
  expect(bar()).toEqual(['c', '[d]']);
  await store().start();
  await open('b');
  expect(bar()).toEqual(['c', 'd', '[b]']);
  await open('c');
  expect(bar()).toEqual(['[c]', 'd', 'b']);
  expect(store().text).toBe('{"n": 1}');
  store().keepTab();
  await open('e');
  await open('f');
  expect(bar()).toEqual(['c', '[f]', 'd', 'b']);
});

it('lets a call run behind another tab, and shows its state and its result there', async () => {
  await show('a', 'b');
  await open('a');
  void store().start();
  await vi.waitUntil(() => tab('a')?.text() === 'aKitRunning');
  await open('b');
  expect(store().busy).toBe(false);
  await store().start();
  await vi.waitUntil(() => tab('b')?.text() === 'bKitOK');
  release();
  await vi.waitUntil(() => tab('a')?.text() === 'aKitOK');
  expect(store().shown?.result.result).toBe('b');
  await tab('a')?.trigger('click');
  expect(store().shown?.result.result).toBe('released');
});

it('is closed, switched and moved to with the keyboard, and leaves its arguments', async () => {
  await show('b', 'c', 'd');
  store().text = '{"n": 7}';
  commands().run('executor.nextTab');
  await vi.waitUntil(() => bar().join() === '[b],c,d');
  commands().run('executor.previousTab');
  await vi.waitUntil(() => bar().join() === 'b,c,[d]');
  await tab('d')?.trigger('keydown', { key: 'ArrowLeft' });
  expect(bar()).toEqual(['b', '[c]', 'd']);
  await vi.waitUntil(() => document.activeElement === tab('c')?.element);
  await tab('c')?.trigger('keydown', { key: 'Delete' });
  expect(bar()).toEqual(['b', '[d]']);
  commands().run('executor.closeTab');
  await vi.waitUntil(() => bar().join() === '[b]');
  expect(commands().reasonOf('executor.nextTab')).toBe('Only one tab is open.');
  commands().run('executor.closeTab');
  await vi.waitUntil(() => store().toolName === '');
  expect(commands().reasonOf('executor.closeTab')).toContain('tool');
  await open('d');
  expect(store().text).toBe('{"n": 7}');
});

it('marks arguments that differ from the saved call that they came from', async () => {
  await show();
  await open('b', '{"n": 1}', { folder: '/calls', file: 'one.json' });
  expect(pane.find('.tab-bar .dot').exists()).toBe(false);
  store().text = '{"n":1.0}';
  await nextTick();
  expect(pane.find('.tab-bar .dot').exists()).toBe(false);
  store().text = '{"n": 2}';
  await nextTick();
  expect(tab('b')?.text()).toBe('bKitnot saved');
  await open('c');
  expect(tab('b')?.find('.dot').exists()).toBe(true);
});

/** Opens the other tools, each in a tab of its own. */
async function openMore(from = 2): Promise<void> {
  for (const name of letters.slice(from)) {
    store().keepTab();
    await open(name);
  }
}

it('has at most 30 tabs: of more, one closes in which nothing runs and nothing is unsaved', async () => {
  await show('a');
  void store().start();
  await vi.waitUntil(() => store().busy);
  await open('b', '{"n": 1}', { folder: '/calls', file: 'one.json' });
  store().text = '{"n": 2}';
  await openMore();
  expect(bar()).toEqual(['a', 'b', ...letters.slice(4, -1), `[${letters.at(-1)}]`]);
  release();
});

it('does not close a tab whose call asks, nor one whose arguments were edited', async () => {
  await show('a');
  await window.connection.client.settings.set({ dangerousTools: ['kit_a'] });
  void store().start();
  await vi.waitUntil(() => store().asking !== undefined);
  await open('b');
  store().text = '{"n": 2}';
  await openMore();
  expect(bar().slice(0, 3)).toEqual(['a', 'b', 'e']);
  await open('a');
  store().asking?.answer(false);
});

it('says which tab it closed, and brings it back', async () => {
  await show('a', 'b');
  await openMore();
  const { list } = window.use(() => useToasts());
  expect(list.map(({ title }) => title)).toEqual(
    ['a', 'b'].map((name) => `The tab of ${name} was closed, because more than 30 tabs were open.`),
  );
  list.at(-1)?.action?.run();
  await vi.waitUntil(() => bar().length === 31);
  expect(bar()[0]).toBe('b');
  store().closeTab('kit_d');
  store().keepTab();
  await open('d');
  expect(bar().slice(0, 2)).toEqual(['b', 'e']);
});

it('keeps all tabs with work across a reload, and knows which have work', async () => {
  await show('a', 'b');
  for (const name of letters) {
    await open(name);
    store().text = '{"n": 7}';
  }
  expect(bar()).toHaveLength(letters.length);
  await window.use(() => useSettings()).flush();

  await window.reload();
  pane = window.mount(ExecutorPane, {});
  await vi.waitUntil(() => bar().length === letters.length);
  await open('d');
  await store().start();
  await open('b');
  store().closeTab('kit_c');
  await open('c');
  expect(bar()).not.toContain('d');
  expect(bar()).toContain('b');
});

it('is remembered by the window', async () => {
  await show('b', 'c');
  const settings = window.use(() => useSettings());
  await settings.flush();
  const { ui } = await window.connection.client.settings.get();
  expect(ui['executor.tabs']).toEqual(['kit_b', 'kit_c']);
});

it('keeps name, form and outcome of a tool that has left before a reload', async () => {
  const registry = window.workbench.toolRegistryManager;
  registry.register(
    defineToolRegistry({
      id: 'board-1',
      name: 'Board 1',
      source: { kind: 'device', id: 'board-1', label: 'Board 1' },
      methods: [
        {
          name: 'self.audio_speaker.set_volume',
          description: 'Sets the volume.',
          agentCallable: true,
          inputSchema: { type: 'object', properties: { volume: { type: 'integer', maximum: 100 } } },
          handler: () => true,
        },
      ],
    }),
  );
  const qualifiedName = 'board-1_self.audio_speaker.set_volume';
  await vi.waitUntil(() => window.use(() => useTools()).find(qualifiedName) !== undefined);
  store().open(qualifiedName, '{"volume": 11}');
  pane = window.mount(ExecutorPane, {});
  await vi.waitUntil(() => bar().join() === '[audio_speaker.set_volume]');
  await store().start();
  registry.unregister('board-1');
  await vi.waitUntil(() => store().target === undefined);
  expect(tab('audio_speaker.set_volume')?.text()).toContain('Board 1');
  await window.use(() => useSettings()).flush();

  await window.reload();
  pane = window.mount(ExecutorPane, {});
  await vi.waitUntil(() => tab('audio_speaker.set_volume')?.text() === 'audio_speaker.set_volumeBoard 1OK');
  expect(store().schema).toHaveProperty('properties.volume.maximum', 100);
  expect(pane.get('.arguments').text()).toContain('Last known schema');
  expect(pane.get('.arguments').text()).not.toContain('Other arguments');
});

it.each(['executor.closeTab', 'Delete', 'the button'] as const)(
  'puts the focus on the button of the empty pane after the last tab was closed by %s',
  async (how) => {
    await show('b');
    (tab('b')?.element as HTMLElement | undefined)?.focus();
    if (how === 'executor.closeTab') commands().run(how);
    else if (how === 'Delete') await tab('b')?.trigger('keydown', { key: 'Delete' });
    else await pane.get('.held .shut button').trigger('click');
    await vi.waitUntil(() => document.activeElement?.textContent?.startsWith('Choose a tool'));
  },
);

it('marks a tab whose running call waits for the user with a hand', async () => {
  const releases: (() => void)[] = [];
  let waits = false;
  window.workbench.toolRegistryManager.register({
    id: 'form',
    name: 'Form',
    source: { kind: 'builtin', id: 'form', label: 'Form' },
    getMetadata: () => ({
      methods: [{ name: 'ask', description: '', agentCallable: true, inputSchema: { type: 'object' } }],
    }),
    invoke: (_, __, { callId, onWait }) => {
      if (waits || callId === 'other') onWait?.(true);
      return new Promise((resolve) => releases.push(() => resolve({ value: 'done' })));
    },
  });
  await vi.waitUntil(() => window.use(() => useTools()).find('form_ask') !== undefined);
  pane = window.mount(ExecutorPane, {});
  store().open('form_ask');
  // Another caller's call of the same tool waits; the call of the tab does not.
  const first = store().start();
  await vi.waitUntil(() => releases.length === 1);
  const { client } = window.connection;
  const other = client.calls.execute({ toolName: 'form_ask', argsJson: '{}', callId: 'other', origin: 'cli' });
  const { running } = storeToRefs(window.use(() => useCalls()));
  await vi.waitUntil(() => running.value.length === 2 && running.value.some(({ waitsForUser }) => waitsForUser));
  await nextTick();
  expect(tab('ask')?.find('.lucide-hand').exists()).toBe(false);
  releases.forEach((release) => release());
  await Promise.all([first, other]);

  waits = true;
  const ended = store().start();
  await vi.waitUntil(() => tab('ask')?.find('.lucide-hand').exists());
  releases.at(-1)?.();
  await ended;
  await vi.waitUntil(() => tab('ask')?.find('.lucide-hand').exists() === false);
});

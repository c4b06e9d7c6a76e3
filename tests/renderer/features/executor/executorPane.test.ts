import type { VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';

import DurationText from '../../../../renderer/ui/DurationText.vue';
import ExecutorPane from '../../../../renderer/features/executor/ExecutorPane.vue';
import { memoryKey } from '../../../../renderer/features/executor/argumentMemory.ts';
import { editorLoaderKey } from '../../../../renderer/ui/editor/loadMonaco.ts';
import { useExecutor } from '../../../../renderer/features/executor/executorStore.ts';
import { useCommandStore } from '../../../../renderer/window/commands/commandStore.ts';
import { useConnection } from '../../../../renderer/client/connectionStore.ts';
import { useSandbox } from '../../../../renderer/features/executor/sandboxStore.ts';
import { useSettings } from '../../../../renderer/window/settingsStore.ts';
import { useTools } from '../../../../renderer/features/discovery/toolsStore.ts';
import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
let pane: VueWrapper;
/** Ends what the tool `slow` waits for. */
let release: () => void = () => undefined;

windowForEachTest((opened) => (window = opened));
beforeEach(async () => {
  const seen: unknown[] = [];
  window.workbench.toolRegistryManager.register(
    defineToolRegistry({
      id: 'lamp',
      name: 'Lamp',
      source: { kind: 'builtin', id: 'lamp', label: 'Lamp' },
      methods: [
        {
          name: 'set',
          description: 'Sets the lamp',
          agentCallable: true,
          inputSchema: {
            type: 'object',
            properties: {
              level: { type: 'integer', minimum: 0, maximum: 100 },
              note: { type: 'string', default: 'none' },
              loud: { type: 'boolean' },
            },
            required: ['level'],
          },
          handler: (args) => ({ ...args, seen: seen.push(args) }),
        },
        {
          name: 'slow',
          description: 'Waits',
          agentCallable: true,
          inputSchema: { type: 'object' },
          handler: (_args, { signal }) =>
            new Promise((resolve, reject) => {
              release = () => resolve('done');
              signal.addEventListener('abort', () => reject(signal.reason as Error));
            }),
        },
        {
          name: 'mail',
          description: 'Writes to somebody',
          agentCallable: true,
          inputSchema: {
            type: 'object',
            properties: {
              user: {
                type: 'object',
                properties: {
                  address: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
                },
                required: ['address'],
              },
            },
            required: ['user'],
          },
          handler: () => 'sent',
        },
        {
          name: 'off',
          description: 'Cuts the power',
          agentCallable: true,
          danger: 'Cuts the power of the house.',
          inputSchema: { type: 'object' },
          handler: () => 'dark',
        },
      ],
    }),
  );
  const tools = window.use(() => useTools());
  await vi.waitUntil(() => tools.find('lamp_set') !== undefined);
  const settings = window.use(() => useSettings());
  await vi.waitUntil(() => settings.loaded);
});
afterEach(async () => {
  await window.use(() => useSettings()).flush();
});

function show(qualifiedName: string, argsJson?: string): void {
  window.use(() => useSandbox()).load({ qualifiedName, argsJson });
  pane = window.mount(ExecutorPane, {});
}
const button = (name: string): HTMLButtonElement => {
  const found = [...document.querySelectorAll<HTMLButtonElement>('button')].find((one) =>
    (one.getAttribute('aria-label') ?? one.textContent).trim().startsWith(name),
  );
  if (found === undefined) throw new Error(`no button ${name} in ${document.body.textContent}`);
  return found;
};
const level = () => pane.get<HTMLInputElement>('input[aria-label="level"]');
const store = () => window.use(() => useExecutor());

describe('the Executor', () => {
  it('runs what the form says and shows the answer, and sends no default unasked', async () => {
    show('lamp_set');
    expect(pane.text()).toContain('Not set. Default: "none"');
    await level().setValue('50');
    expect(JSON.parse(store().text)).toEqual({ level: 50 });
    button('Run').click();
    await vi.waitUntil(() => pane.text().includes('OK'));
    await vi.waitUntil(() => pane.findAll('.item').length === 1);
    expect(store().shown?.result.result).toBe('{"level":50,"seen":1}');
    // Fewer than five calls say nothing about how long they take.
    for (let calls = 2; calls <= 5; calls += 1) {
      expect(pane.find('.durations').exists()).toBe(false);
      button('Run').click();
      await vi.waitUntil(() => pane.findAll('.item').length === calls);
    }
    await vi.waitUntil(() => pane.findAll('.durations rect').length === 5);
    expect(pane.get('.durations').text()).toContain('p50');
  });

  it('names what is missing once a run was tried, and offers the remedy for what is out of range', async () => {
    show('lamp_set');
    expect(pane.text()).not.toContain('Required.');
    window.use(() => useCommandStore()).run('executor.run');
    await vi.waitUntil(() => pane.text().includes('Required.'));
    await level().setValue('400');
    expect(pane.text()).toContain('400 is above the maximum, 100.');
    button('Use 100').click();
    expect(JSON.parse(store().text)).toEqual({ level: 100 });
  });

  it('names of an object that is missing what has to be filled in', async () => {
    show('lamp_mail', '{"user": {}}');
    window.use(() => useCommandStore()).run('executor.runAsModel');
    await vi.waitUntil(() => pane.text().includes('Not called'));
    expect(pane.find('.issues').exists()).toBe(true);
    store().text = '{}';
    await vi.waitUntil(() => pane.find('.issues').exists());
    expect(pane.findAll('.issues .mono').map((name) => name.text())).toEqual(['user.address.city']);
  });

  it('sends a value only when asked to, and leaves it out again', async () => {
    show('lamp_set', '{"level": 1}');
    button('Set value: note').click();
    expect(JSON.parse(store().text)).toEqual({ level: 1, note: 'none' });
    await vi.waitUntil(() => pane.find('input[aria-label="note"]').exists());
    await pane.get('input[aria-label="note"]').setValue('one line');
    expect(JSON.parse(store().text)).toEqual({ level: 1, note: 'one line' });
    button('Clear: note').click();
    expect(store().text).toBe('{"level": 1}');
  });

  it('keeps text that is not a number in sight, as text, with what is wrong', async () => {
    show('lamp_set');
    await level().setValue('12x');
    expect(JSON.parse(store().text)).toEqual({ level: '12x' });
    expect(level().element.value).toBe('12x');
    expect(pane.text()).toContain('is not an integer');
    await level().setValue('');
    expect(JSON.parse(store().text)).toEqual({});
  });

  it('rests the form while the JSON cannot be read, and says where', async () => {
    show('lamp_set', '{"level": 1}');
    store().text = '{"level": 1';
    await vi.waitUntil(() => pane.text().includes('The form is shown once the JSON is valid.'));
    expect(pane.text()).toContain('Line 1, column 12');
    expect(level().element.readOnly).toBe(true);
    button('Run').click();
    expect(store().run).toBeUndefined();
  });

  it('cancels a running call, which then ends as cancelled', async () => {
    show('lamp_slow');
    button('Run').click();
    await vi.waitUntil(() => pane.text().includes('Running'));
    button('Cancel').click();
    await vi.waitUntil(() => pane.text().includes('Cancelled'));
    expect(store().shown?.result.error?.code).toBe('cancelled');
  });

  it('lets a call go on while another tool is in front', async () => {
    show('lamp_slow');
    button('Run').click();
    await vi.waitUntil(() => store().run?.running.value === true);
    store().open('lamp_set', '{"level": 2}');
    await vi.waitUntil(() => pane.text().includes('set'));
    expect(store().run).toBeUndefined();
    await vi.waitFor(() => {
      release();
      store().open('lamp_slow');
      expect(store().shown?.result.result).toBe('done');
    });
  });

  it('stops a call when its time is up', async () => {
    show('lamp_slow');
    store().timeout.seconds.value = '0.05';
    button('Run').click();
    await vi.waitUntil(() => pane.text().includes('Timed out'));
    expect(pane.text()).toContain('Run with a 1 s timeout');
    expect(pane.text()).not.toContain('Run again with a longer timeout.');
  });

  it('asks before a call that can do harm: a no is kept as a refusal, a yes calls it', async () => {
    show('lamp_off');
    button('Run').click();
    await vi.waitUntil(() => document.body.textContent.includes('Cuts the power of the house.'));
    button('Refuse').click();
    await vi.waitUntil(() => store().shown?.result.error?.code === 'not-authorized');
    expect(pane.text()).toContain('The user refused this call.');
    button('Run').click();
    await vi.waitUntil(() => document.body.textContent.includes('Cuts the power of the house.'));
    const askedUntil = Date.now();
    await vi.waitUntil(() => Date.now() > askedUntil);
    button('Approve').click();
    await vi.waitUntil(() => store().shown?.result.result === 'dark');
    // The time of the result is that of the call, not of the question.
    expect(store().shown?.startedAt).toBeGreaterThan(askedUntil);
  });

  it('shows and hides the wire with one click each, and keeps the focus', async () => {
    show('lamp_set');
    expect(pane.find('.wire-bar').exists()).toBe(false);
    // Of a tool that is not here it is not known: it may be a device's.
    store().open('lamp_gone');
    await nextTick();
    const bar = pane.get<HTMLElement>('.wire-bar');
    bar.element.focus();
    await bar.trigger('click');
    await vi.waitUntil(() => document.activeElement === button('Close Wire'));
    expect(pane.find('.wire-bar').exists()).toBe(false);
    button('Close Wire').click();
    await vi.waitUntil(() => document.activeElement?.classList.contains('wire-bar'));
  });

  it('is run by Ctrl+Enter from every control, the switch between form and JSON included', async () => {
    show('lamp_set', '{"level": 4}');
    const radio = pane.findAll<HTMLElement>('[role="radio"]').find((option) => option.text() === 'Form');
    radio?.element.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }),
    );
    await vi.waitUntil(() => store().shown?.result.status === 'success');
  });

  it('lists under the JSON what is wrong with it, with the remedy', async () => {
    show('lamp_set', '{"level": 400, "loud": "true"}');
    store().mode = 'json';
    const list = await vi.waitUntil(() => pane.find('.problems').exists() && pane.get('.problems'));
    expect(list.findAll('li').map((row) => row.text())).toEqual([
      expect.stringContaining('400 is above the maximum, 100.'),
      expect.stringContaining('"true" is a string, not a boolean.'),
    ]);
    button('Use 100').click();
    button('Use true').click();
    expect(JSON.parse(store().text)).toEqual({ level: 100, loud: true });
    await vi.waitUntil(() => list.text() === 'No problems.');
    store().text = '{';
    await vi.waitUntil(() => list.text().includes('Line 1, column 2'));
    store().text = '{}';
    await vi.waitUntil(() => /level\s*Required\./.test(list.text()));
    store().mode = 'form';
  });

  it('has a landmark for F6 in each of its parts', async () => {
    show('lamp_set');
    const names = pane.findAll('[data-region]').map((one) => one.attributes('aria-label') ?? one.text());
    expect(names).toEqual(['Tabs', 'lamp_set', 'Run', 'Arguments', 'Result', 'Last 10']);
    store().open('lamp_gone');
    await nextTick();
    expect(pane.findAll('[data-region]').at(-1)?.text()).toContain('Wire');
  });

  it('offers the nearest names for one that is not registered', async () => {
    show('lamp_sett');
    await vi.waitUntil(() => pane.text().includes('Did you mean'));
    await pane.get('.nearest button').trigger('click');
    expect(store().toolName).toBe('lamp_set');
  });

  it('remembers the arguments of each method', async () => {
    show('lamp_set');
    await level().setValue('33');
    button('Run').click();
    await vi.waitUntil(() => pane.text().includes('OK'));
    store().open('lamp_slow');
    store().open('lamp_set');
    expect(JSON.parse(store().text)).toEqual({ level: 33 });
    await window.use(() => useSettings()).flush();
    const { ui } = await window.connection.client.settings.get();
    expect(JSON.stringify(ui[memoryKey])).toContain('33');
  });

  it('runs nothing while the window is not connected, and says why', async () => {
    show('lamp_slow');
    const back = window.cut();
    await vi.waitUntil(() => button('Run').getAttribute('aria-disabled') === 'true');
    expect(pane.get('.run-bar').text()).not.toContain('Ready');
    expect(pane.get('.tool-line').text()).toContain('Not connected');
    button('Run').click();
    await store().start();
    expect(store().run?.state.value.phase ?? 'idle').toBe('idle');
    back();
    await vi.waitUntil(() => button('Run').getAttribute('aria-disabled') !== 'true');
    expect(pane.get('.tool-line').text()).toContain('Ready');
  });

  it('says that the state of a call of another window is unknown while it is not connected', async () => {
    const input = { callId: 'other', toolName: 'lamp_slow', argsJson: '{}', origin: 'executor' as const };
    const ended = window.workbench.services.calls.execute(input);
    show('lamp_slow');
    await vi.waitUntil(() => pane.text().includes('by another window or client, still running.'));
    const back = window.cut();
    await vi.waitUntil(() => pane.text().includes('Whether the call is still running is unknown.'));
    expect(pane.text()).not.toContain('by another window or client, still running.');
    back();
    await vi.waitUntil(() => pane.text().includes('by another window or client, still running.'));
    release();
    await ended;
  });

  it('fetches the answer on the next line, and says that it is lost if the engine was restarted', async () => {
    show('lamp_slow');
    button('Run').click();
    await vi.waitUntil(() => window.workbench.services.calls.running().length === 1);
    const back = window.cut();
    release();
    await vi.waitUntil(() => pane.get('.tool-line').text().includes('Not connected'));
    const result = pane.get('[aria-label="Result"]');
    expect(result.get('[role="status"]').text()).toBe('Outcome unknown');
    expect(result.text()).toContain('The outcome of this call is unknown.');
    const { lostAt } = window.use(() => useConnection());
    const clocks = pane.findAllComponents(DurationText).map((clock) => clock.props('until') as unknown);
    expect(clocks).toEqual([lostAt]);
    expect(button('Cancel').getAttribute('aria-disabled')).toBe('true');
    await store().cancel();
    expect(store().run?.state.value).toMatchObject({ phase: 'running', cancelling: false });
    back();
    await vi.waitUntil(() => store().run?.state.value.phase === 'done');
    const input = { callId: 'gone', toolName: 'lamp_slow', argsJson: '{}', origin: 'executor' as const };
    void store().run!.resume({ kind: 'call', id: 'gone', input, startedAt: Date.now() });
    await vi.waitUntil(() => pane.text().includes('The result was lost'));
    expect(pane.text()).toContain('Toolwire was restarted');
    expect(pane.text()).toContain('Check the last 10 calls');
  });

  it('shows the end of a run that the engine no longer knows, if the history has it', async () => {
    const { calls } = window.workbench.services;
    const input = { callId: 'kept', toolName: 'lamp_set', argsJson: '{"level":7}', origin: 'executor' as const };
    await calls.execute(input);
    show('lamp_set', '{"level": 1}');
    await store().start();
    void store().run!.resume({ kind: 'call', id: 'kept', input, startedAt: Date.now() });
    await vi.waitUntil(() => store().shown?.callId === 'kept');
    expect(store().shown).toMatchObject({
      result: { status: 'success', result: expect.stringContaining('"level":7') },
    });
  });

  it('leads to calls that other windows made', async () => {
    const { calls } = window.workbench.services;
    const input = { toolName: 'lamp_slow', argsJson: '{}', origin: 'cli' as const };
    const running = calls.execute({ callId: 'theirs', ...input });
    show('lamp_slow');
    await vi.waitUntil(() => /Called at .*\d\d:\d\d.* by another window or client/.test(pane.text()));
    release();
    await running;
    await vi.waitUntil(() => /The last call in the history started at .*\d\d:\d\d.*: OK\./.test(pane.text()));
    expect(pane.text()).toContain('Run to see the result.');
    button('Show the last call').click();
    await vi.waitUntil(() => store().shown?.callId === 'theirs');
    expect(pane.get('[aria-label="Result"]').text()).not.toContain('Run the tool');
  });
});

it('keeps what was typed into the JSON while the editor is not there', async () => {
  const { mount } = await import('@vue/test-utils');
  const { default: CodeEditor } = await import('../../../../renderer/ui/editor/CodeEditor.vue');
  const editor = mount(CodeEditor, {
    props: { modelValue: '{}', language: 'json', label: 'Arguments' },
    global: { provide: { [editorLoaderKey as symbol]: () => Promise.reject(new Error('offline')) } },
  });
  await editor.get('textarea').setValue('{"a": 1}');
  expect(editor.emitted('update:modelValue')).toEqual([['{"a": 1}']]);
  expect(editor.get('textarea').attributes('aria-label')).toBe('Arguments');
  editor.unmount();
});

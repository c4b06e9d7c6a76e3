import type { VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import ExecutorPane from '../../../../renderer/features/executor/ExecutorPane.vue';
import WireDrawer from '../../../../renderer/features/executor/WireDrawer.vue';
import { useExecutor } from '../../../../renderer/features/executor/executorStore.ts';
import { useSettings } from '../../../../renderer/window/settingsStore.ts';
import { useTools } from '../../../../renderer/features/discovery/toolsStore.ts';
import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
let pane: VueWrapper;
let made = 0;

windowForEachTest((opened) => (window = opened));
beforeEach(async () => {
  made = 0;
  const method = { description: 'x', agentCallable: true, inputSchema: { type: 'object' } };
  window.workbench.toolRegistryManager.register(
    defineToolRegistry({
      id: 'lamp',
      name: 'Lamp',
      source: { kind: 'builtin', id: 'lamp', label: 'Lamp' },
      methods: [
        {
          ...method,
          name: 'blink',
          handler: () => {
            made += 1;
            if (made % 5 === 0) throw new Error('burnt out');
            return made;
          },
        },
        { ...method, name: 'off', danger: 'Cuts the power of the house.', handler: () => (made += 1) },
        {
          ...method,
          name: 'dim',
          handler: (_args, { signal, onProgress }) => {
            onProgress?.({ progress: 3, total: 4, message: 'nearly dark' });
            return new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason as Error));
            });
          },
        },
      ],
    }),
  );
  const tools = window.use(() => useTools());
  await vi.waitUntil(() => tools.find('lamp_blink') !== undefined);
  const settings = window.use(() => useSettings());
  await vi.waitUntil(() => settings.loaded);
  pane = window.mount(ExecutorPane);
});
afterEach(async () => {
  await window.use(() => useSettings()).flush();
});

const executor = (): ReturnType<typeof useExecutor> => window.use(() => useExecutor());
const dialog = (): HTMLElement => document.querySelector<HTMLElement>('[role="dialog"], [role="alertdialog"]')!;
const button = (within: ParentNode, words: RegExp): HTMLButtonElement =>
  [...within.querySelectorAll('button')].find((each) => words.test(each.textContent || (each.ariaLabel ?? '')))!;

it('asks how often, runs as often, and shows figures, failures and the call behind one of them', async () => {
  executor().open('lamp_blink');
  await vi.waitUntil(() => pane.find('[aria-label="Repeat the call"]').exists());
  await pane.get('[aria-label="Repeat the call"]').trigger('click');
  await vi.waitUntil(() => dialog() !== null);
  const [count, parallel] = [...dialog().querySelectorAll('input')];
  const write = (field: HTMLInputElement, value: string): void => {
    field.value = value;
    field.dispatchEvent(new Event('input'));
  };
  write(count!, '20000');
  await vi.waitUntil(() => dialog().textContent.includes('1 to 10,000 calls'));
  expect(button(dialog(), /Run .* times/).disabled).toBe(true);
  write(count!, '40');
  write(parallel!, '4');
  await vi.waitUntil(() => !button(dialog(), /Run 40 times/)?.disabled);
  button(dialog(), /Run 40 times/).click();
  await vi.waitUntil(() => executor().series.phase === 'done');
  await vi.waitUntil(() => pane.text().includes('of 40 calls, 4 at a time'));
  expect(made).toBe(40);
  const wire = window.mount(WireDrawer);
  await vi.waitUntil(() => wire.text().includes('Choose a call to see its frames.'));
  expect(pane.text()).toMatch(/Succeeded\s*32/);
  expect(pane.text()).toMatch(/Failed\s*8/);

  button(pane.element, /Show the latest/).click();
  await vi.waitUntil(() => pane.text().includes('burnt out'));
  button(pane.element, /Back to the series/).click();
  await vi.waitUntil(() => pane.text().includes('of 40 calls'));
  await executor().start();
  await vi.waitUntil(() => !pane.text().includes('of 40 calls'));
  expect(made).toBe(41);

  // Among the last calls the series is one, and its figures open again.
  const rows = (): string[] => pane.findAll('.item').map((row) => row.text());
  await vi.waitUntil(() => rows().length === 2);
  expect(rows()[1]).toMatch(/40 calls.*p50.*8 failed/s);
  await pane.findAll('.item .pick')[1]!.trigger('click');
  await vi.waitUntil(() => pane.text().includes('calls in history'));
  expect(pane.text()).toMatch(/Succeeded\s*32/);
  expect(pane.findAll('.item')[1]!.classes()).toContain('sel');
  button(pane.element, /^Show$/).click();
  await vi.waitUntil(() => executor().selected !== undefined);
  expect(executor().selected?.callId).toBe(executor().pastSeries?.figures?.slowest[0]?.callId);
  button(pane.element, /Back to the series/).click();
  await vi.waitUntil(() => pane.text().includes('calls in history'));
  await pane.findAll('.item .pick')[0]!.trigger('click');
  await vi.waitUntil(() => executor().pastSeries === undefined && executor().selected !== undefined);
});

it('asks once before a series of dangerous calls; a refusal is kept as one refused call', async () => {
  executor().open('lamp_off');
  void executor().startSeries({ count: 7, parallel: 2 });
  await vi.waitUntil(() => dialog()?.textContent.includes('Cuts the power of the house.'));
  button(dialog(), /Refuse/).click();
  await vi.waitUntil(() => executor().series.phase === 'idle');
  expect(made).toBe(0);
  const [refused] = await window.connection.client.calls.history({ limit: 9 });
  expect(refused?.result?.error?.code).toBe('not-authorized');
  void executor().startSeries({ count: 7, parallel: 2 });
  await vi.waitUntil(() => dialog() !== null && executor().asking !== undefined);
  button(dialog(), /Approve/).click();
  await vi.waitUntil(() => executor().series.phase === 'done');
  expect(made).toBe(7);
});

it('takes the place of the call before it: its tab has its outcome, and Run is primary', async () => {
  made = 4;
  executor().open('lamp_blink');
  await executor().start();
  await vi.waitUntil(() => pane.get('[role="tab"]').text().includes('Error'));
  expect(pane.get('.run').classes()).not.toContain('primary');
  await executor().startSeries({ count: 2, parallel: 1 });
  await vi.waitUntil(() => pane.get('[role="tab"]').text().includes('OK'));
  expect(pane.get('.run').classes()).toContain('primary');
});

it('a series is cancelled like a call, and leaves its figures', async () => {
  executor().open('lamp_dim');
  void executor().startSeries({ count: 100, parallel: 2 });
  await vi.waitUntil(() => window.workbench.services.calls.running().length === 2);
  await executor().cancel();
  await vi.waitUntil(() => executor().series.phase === 'done');
  await vi.waitUntil(() => /Cancelled\s*2/.test(pane.text()));
});

it('a call shows how far it has come, as its tool tells', async () => {
  executor().open('lamp_dim');
  void executor().start();
  await vi.waitUntil(() => pane.text().includes('nearly dark'));
  expect(pane.text()).toContain('3 of 4');
  expect(pane.get('progress').attributes()).toMatchObject({ value: '3', max: '4' });
  await executor().cancel();
  await vi.waitUntil(() => !executor().busy);
});

/** Ctrl+Enter on arguments that cannot be sent leads to what is wrong. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { VueWrapper } from '@vue/test-utils';

import ExecutorPane from '../../../../renderer/features/executor/ExecutorPane.vue';
import { useExecutor } from '../../../../renderer/features/executor/executorStore.ts';
import { useSandbox } from '../../../../renderer/features/executor/sandboxStore.ts';
import { useMemory } from '../../../../renderer/features/collections/memoryStore.ts';
import { useTools } from '../../../../renderer/features/discovery/toolsStore.ts';
import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';
import { pressIn } from '../collections/openMemory.ts';
import { dialog, until } from '../devices/acting.ts';

let window: TestWindow;
let pane: VueWrapper;

windowForEachTest((opened) => (window = opened));
beforeEach(async () => {
  const tools = window.use(() => useTools());
  await vi.waitUntil(() => tools.find('clock_get_time') !== undefined);
  window.use(() => useSandbox()).load({ qualifiedName: 'clock_get_time', argsJson: '{"timezone": "UTC"}' });
  pane = window.mount(ExecutorPane, {});
});

function pressRun(): void {
  const init = { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true };
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', init));
}

it('moves the caret to the syntax error in the JSON', async () => {
  const executor = window.use(() => useExecutor());
  executor.mode = 'json';
  executor.text = '{"timezone": "UTC",, "a": 1}';
  await vi.waitUntil(() => pane.find('textarea.area').exists());
  const { element } = pane.get<HTMLTextAreaElement>('textarea.area');
  element.setSelectionRange(0, 0);
  pressRun();
  await until(() => document.activeElement === element);
  expect(element.selectionStart).toBe(19);
  expect(pane.find('.error-view').exists()).toBe(false);
});

it('shows the JSON with the caret at its error, if the form was shown', async () => {
  const executor = window.use(() => useExecutor());
  executor.mode = 'form';
  executor.text = '{"timezone": "UTC",, "a": 1}';
  await vi.waitUntil(() => pane.find('.arguments .resting').exists());
  pressRun();
  const area = await until(() => document.querySelector<HTMLTextAreaElement>('textarea.area'));
  await until(() => document.activeElement === area);
  expect(area.selectionStart).toBe(19);
});

it('puts the focus into a timeout that is not one', async () => {
  const executor = window.use(() => useExecutor());
  executor.timeout.seconds.value = 'x';
  await vi.waitUntil(() => pane.find('[aria-invalid="true"]').exists());
  pressRun();
  await vi.waitUntil(() => document.activeElement === pane.get('[aria-invalid="true"]').element);
});

describe('with arguments that the schema rejects', () => {
  const handler = vi.fn(() => 'set');
  const executor = () => window.use(() => useExecutor());
  beforeEach(async () => {
    handler.mockClear();
    const inputSchema = {
      type: 'object',
      properties: { level: { type: 'integer', maximum: 100 }, note: { type: 'string', minLength: 3 } },
      required: ['level'],
    };
    const methods = [{ name: 'set', description: '', agentCallable: true, inputSchema, handler }];
    const source = { kind: 'builtin' as const, id: 'lamp', label: 'Lamp' };
    window.workbench.toolRegistryManager.register(defineToolRegistry({ id: 'lamp', name: 'Lamp', source, methods }));
    await vi.waitUntil(() => window.use(() => useTools()).find('lamp_set') !== undefined);
    executor().open('lamp_set', '{"note": "a"}');
    await vi.waitUntil(() => pane.find('[data-field="level"]').exists());
  });

  it('disables Run with their names, and Ctrl+Enter moves the focus to the first', async () => {
    expect(executor().hindranceOf()).toBe('Invalid or missing: level, note');
    expect(pane.get('.arguments .tag').text()).toBe('2 problems');
    expect(pane.get('.run').attributes('aria-disabled')).toBe('true');
    expect(executor().hindranceOf('model')).toBeUndefined();
    expect(executor().hindranceOf('unchecked')).toBeUndefined();
    await pane.get('.run').trigger('click');
    pressRun();
    await vi.waitUntil(() => document.activeElement === pane.get('[data-field="level"] input').element);
    expect(pane.get('[data-field="level"]').text()).toContain('Required.');
    await executor().start();
    expect(handler).not.toHaveBeenCalled();
    executor().text = '{"level": 1, "note": "abc"}';
    await vi.waitUntil(() => pane.get('.run').attributes('aria-disabled') === undefined);
    pressRun();
    await vi.waitUntil(() => handler.mock.calls.length === 1);
  });

  it('moves the caret to the first of them in the JSON', async () => {
    executor().mode = 'json';
    executor().text = '{"level": 1, "note": "a"}';
    await vi.waitUntil(() => pane.find('textarea.area').exists());
    pressRun();
    await vi.waitUntil(() => document.activeElement === pane.get('textarea.area').element);
    expect(pane.get<HTMLTextAreaElement>('textarea.area').element.selectionStart).toBe(21);
  });

  it('leaves a secret of a collection to the engine, which fills it in first', () => {
    executor().text = '{"level": "{{$secret:LEVEL}}"}';
    expect(executor().hindranceOf()).toBeUndefined();
  });

  it('leads to the first if a call of the history is run again with them', async () => {
    const { calls } = window.workbench.services;
    const argsJson = '{"level": 200, "note": "old"}';
    await calls.execute({ callId: 'old', toolName: 'lamp_set', argsJson, origin: 'executor' });
    executor().open('clock_get_time', '{}');
    window.use(() => useMemory()).open({ kind: 'all' });
    const all = await dialog('All calls');
    await until(() => all.textContent.includes('Run again'));
    await pressIn(all, 'Run again');
    await until(() => !document.body.contains(all));
    expect(JSON.parse(executor().text)).toEqual(JSON.parse(argsJson));
    const level = await until(() => document.querySelector('[data-field="level"]'));
    expect(level.textContent).toContain('100');
    await until(() => level.contains(document.activeElement));
    expect((await calls.search({ limit: 10 })).rows).toHaveLength(1);
  });
});

/** Ctrl+Enter on arguments that cannot be sent leads to what is wrong. */
import { beforeEach, expect, it, vi } from 'vitest';
import type { VueWrapper } from '@vue/test-utils';

import ExecutorPane from '../../../../renderer/features/executor/ExecutorPane.vue';
import { useExecutor } from '../../../../renderer/features/executor/executorStore.ts';
import { useSandbox } from '../../../../renderer/features/executor/sandboxStore.ts';
import { useTools } from '../../../../renderer/features/discovery/toolsStore.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

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
  expect(document.activeElement).toBe(element);
  expect(element.selectionStart).toBe(19);
  expect(pane.find('.error-view').exists()).toBe(false);
});

it('puts the focus into a timeout that is not one', async () => {
  const executor = window.use(() => useExecutor());
  executor.timeout.seconds.value = 'x';
  await vi.waitUntil(() => pane.find('[aria-invalid="true"]').exists());
  pressRun();
  expect(document.activeElement).toBe(pane.get('[aria-invalid="true"]').element);
});

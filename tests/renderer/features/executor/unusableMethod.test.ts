/** A method with a mistake in the Executor, and where the focus goes if there are no arguments to fill in. */
import { expect, it, vi } from 'vitest';

import ExecutorPane from '../../../../renderer/features/executor/ExecutorPane.vue';
import { useSandbox } from '../../../../renderer/features/executor/sandboxStore.ts';
import { useTools } from '../../../../renderer/features/discovery/toolsStore.ts';
import { makeTool } from '../../../core/registry/testTool.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;

windowForEachTest((opened) => (window = opened));

it('shows why there is no result, without asking for a run', async () => {
  const kit = makeTool('kit', [{ name: 'bad' }]);
  const mistake = 'The tool has no function "bad".';
  window.workbench.toolRegistryManager.register({
    ...kit,
    getMetadata: () => ({ methods: kit.getMetadata().methods.map((method) => ({ ...method, error: mistake })) }),
  });
  const tools = window.use(() => useTools());
  await vi.waitUntil(() => tools.find('kit_bad') !== undefined);
  window.use(() => useSandbox()).load({ qualifiedName: 'kit_bad' });
  const pane = window.mount(ExecutorPane, {});
  await vi.waitUntil(() => pane.text().includes('This tool cannot be called.'));
  expect(pane.get('.nothing').text()).toBe('There is no result until the tool can be used.');
});

it('puts the focus on the region of the arguments if there are none', async () => {
  const tools = window.use(() => useTools());
  await vi.waitUntil(() => tools.find('clock_get_date') !== undefined);
  const sandbox = window.use(() => useSandbox());
  sandbox.load({ qualifiedName: 'kit_gone' });
  const pane = window.mount(ExecutorPane, {});
  sandbox.load({ qualifiedName: 'clock_get_date' });
  await vi.waitUntil(() => document.activeElement === pane.get('.arguments').element);
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Arguments');
});

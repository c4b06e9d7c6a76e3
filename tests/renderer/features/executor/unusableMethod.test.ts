/** A method with a mistake in the Executor, and where the focus goes if there are no arguments to fill in. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';

import { explainError } from '../../../../renderer/features/calls/explainError.ts';
import ExecutorPane from '../../../../renderer/features/executor/ExecutorPane.vue';
import { useSandbox } from '../../../../renderer/features/executor/sandboxStore.ts';
import { useTools } from '../../../../renderer/features/discovery/toolsStore.ts';
import { makeTool } from '../../../core/registry/testTool.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;

windowForEachTest((opened) => (window = opened));

it('shows why there is no result, without asking for a run', async () => {
  const kit = makeTool('kit', [{ name: 'bad' }]);
  const mistake = 'Method "bad" has no handler. Add `handler(args) { … }`.';
  window.workbench.toolRegistryManager.register({
    ...kit,
    getMetadata: () => ({ methods: kit.getMetadata().methods.map((method) => ({ ...method, error: mistake })) }),
  });
  const tools = window.use(() => useTools());
  await vi.waitUntil(() => tools.find('kit_bad') !== undefined);
  window.use(() => useSandbox()).load({ qualifiedName: 'kit_bad' });
  const pane = window.mount(ExecutorPane, {});
  await vi.waitUntil(() => pane.text().includes('This tool cannot be called.'));
  expect(pane.text()).toContain('Add handler(args) { … }.');
  expect(pane.html()).not.toContain('`');
  expect(pane.get('.tool-line .tag.error').text()).toBe('Unusable');
  const error = { code: 'unusable-method', message: mistake } as const;
  expect(explainError(error, { fromDevice: false }).why).toContain('Add handler(args)');
  expect(pane.get('.nothing').text()).toBe('There is no result until the tool can be used.');
});

it('calls a tool incomplete, not unusable, if another part of it has the problem', async () => {
  const { modulesDir } = await window.connection.client.workbench.info();
  await window.connection.client.tools.whenLoaded();
  await writeFile(
    join(modulesDir, 'dice.js'),
    "export default { versoin: '1', methods: { roll: { description: 'Rolls.', handler: () => 4 } } };",
  );
  const tools = window.use(() => useTools());
  await vi.waitUntil(() => tools.find('dice_roll') !== undefined);
  window.use(() => useSandbox()).load({ qualifiedName: 'dice_roll' });
  const pane = window.mount(ExecutorPane, {});
  await vi.waitUntil(() => pane.find('.fault').exists());
  expect(pane.get('.tool-line').text()).toContain('Incomplete');
  expect(pane.get('.tool-line').text()).not.toContain('Unusable');
  expect(pane.get('.fault').text()).toContain('versoin');
  expect(pane.get('.fault').classes()).toContain('warn');
  await pane.get('.run').trigger('click');
  await vi.waitUntil(() => pane.text().includes('OK'));
});

it('shows at once why an open module no longer loads, and that its file was deleted', async () => {
  const { modulesDir } = await window.connection.client.workbench.info();
  await window.connection.client.tools.whenLoaded();
  const file = join(modulesDir, 'dice.js');
  await writeFile(file, "export default { methods: { roll: { description: 'Rolls.', handler: () => 4 } } };");
  const tools = window.use(() => useTools());
  await vi.waitUntil(() => tools.find('dice_roll') !== undefined);
  window.use(() => useSandbox()).load({ qualifiedName: 'dice_roll' });
  const pane = window.mount(ExecutorPane, {});
  await writeFile(file, 'export default { methods: { roll:{{ } };');
  await vi.waitUntil(() => pane.find('.fault').exists());
  expect(pane.get('.tool-line').text()).toContain('Unusable');
  expect(pane.get('.fault').text()).toContain('dice.js:1');
  expect(pane.get('.run').attributes('aria-disabled')).toBe('true');
  await rm(file);
  await vi.waitUntil(() => pane.get('.tool-line').text().includes('Deleted'));
  expect(pane.get('.fault').text()).toContain('The file dice.js was deleted.');
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

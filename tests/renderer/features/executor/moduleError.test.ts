/** A handler of a module that throws, and a server that ends, in the Executor. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';

import ExecutorPane from '../../../../renderer/features/executor/ExecutorPane.vue';
import { useSandbox } from '../../../../renderer/features/executor/sandboxStore.ts';
import { useTools } from '../../../../renderer/features/discovery/toolsStore.ts';
import { ToolError } from '../../../../src-core/base/errors.ts';
import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { useNavigation } from '../../../../renderer/window/navigation.ts';
import { useSettingsPlace } from '../../../../renderer/window/settingsPlace.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;

windowForEachTest((opened) => (window = opened));

it("shows the user where it threw, and leaves the model the tool's words", async () => {
  const { modulesDir } = await window.connection.client.workbench.info();
  await window.connection.client.tools.whenLoaded();
  await writeFile(
    join(modulesDir, 'lamp.js'),
    `const inner = (level) => level.missing.x;
    export default { methods: { set: { description: 'Sets.', agentCallable: true, handler: () => inner({}) } } };`,
  );
  const tools = window.use(() => useTools());
  await vi.waitUntil(() => tools.find('lamp_set') !== undefined);
  window.use(() => useSandbox()).load({ qualifiedName: 'lamp_set' });
  const pane = window.mount(ExecutorPane, {});
  await vi.waitUntil(() => pane.find('.run').exists());
  await pane.get('.run').trigger('click');
  await vi.waitUntil(() => pane.find('.error-view').exists());
  const view = pane.get('.error-view').text();
  expect(view).toContain("Cannot read properties of undefined (reading 'x')");
  expect(view).toMatch(/Stack trace.*TypeError.*at inner \(lamp\.js:1:\d+\).*\(?lamp\.js:2:\d+/s);
  expect(view).toContain('Correct the file or change the arguments, then run again.');

  const [call] = await window.connection.client.calls.history({ limit: 1 });
  expect(call?.result?.result).toContain("reading 'x'");
  expect(call?.result?.result).not.toContain('lamp.js');
});

it('does not blame the arguments if the module crashed', async () => {
  const { modulesDir } = await window.connection.client.workbench.info();
  await window.connection.client.tools.whenLoaded();
  await writeFile(
    join(modulesDir, 'lamp.js'),
    `export default { methods: { set: { description: 'Sets.', handler: () => process.exit(3) } } };`,
  );
  const tools = window.use(() => useTools());
  await vi.waitUntil(() => tools.find('lamp_set') !== undefined);
  window.use(() => useSandbox()).load({ qualifiedName: 'lamp_set' });
  const pane = window.mount(ExecutorPane, {});
  await vi.waitUntil(() => pane.find('.run').exists());
  await pane.get('.run').trigger('click');
  await vi.waitUntil(() => pane.find('.error-view').exists());
  const view = pane.get('.error-view').text();
  expect(view).toContain('The module crashed');
  expect(view).toContain('exit code 3');
  expect(view).toContain('Correct the file, then run again.');
});

/** The view of a call of an MCP server that fails with this error. */
async function viewOf(error: ToolError) {
  const method = { name: 'pay', description: '', agentCallable: true, inputSchema: { type: 'object' } };
  window.workbench.toolRegistryManager.register(
    defineToolRegistry({
      id: 'billing',
      name: 'Billing',
      source: { kind: 'mcp', id: 'billing', label: 'Billing' },
      methods: [{ ...method, handler: () => Promise.reject(error) }],
    }),
  );
  const tools = window.use(() => useTools());
  await vi.waitUntil(() => tools.find('billing_pay') !== undefined);
  window.use(() => useSandbox()).load({ qualifiedName: 'billing_pay' });
  const pane = window.mount(ExecutorPane, {});
  await vi.waitUntil(() => pane.find('.run').exists());
  await pane.get('.run').trigger('click');
  await vi.waitUntil(() => pane.find('.error-view').exists());
  return pane.get('.error-view');
}

it('shows the last lines that a server wrote before it ended during the call', async () => {
  const stderr = ['started', 'Error: ledger lock lost', '    at ledger.js:88'];
  const details = { kind: 'mcp', sourceId: 'billing', lost: 'process', stderr };
  const view = await viewOf(
    new ToolError('disconnected', 'The server billing ended during the call (exit code 3).', { details }),
  );
  expect(view.text()).toMatch(/Last lines of stderr.*Error: ledger lock lost\s+at ledger\.js:88/s);
  expect(view.text()).not.toContain('started');
});

it('opens the setting that allows a longer answer of a server', async () => {
  const view = await viewOf(
    new ToolError('result-too-large', 'It is too long.', { details: { setting: 'mcpMessageMib' } }),
  );
  await view.get('button.primary').trigger('click');
  expect(window.use(() => useNavigation()).pane).toBe('settings');
  expect(window.use(() => useSettingsPlace()).row).toBe('settings.mcpMessage');
});

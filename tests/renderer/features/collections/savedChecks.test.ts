import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watch } from 'vue';

import SavedCalls from '../../../../renderer/features/collections/SavedCalls.vue';
import ExtractEditor from '../../../../renderer/features/collections/save/ExtractEditor.vue';
import ResultRegion from '../../../../renderer/features/executor/ResultRegion.vue';
import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { button, dialog, press, until } from '../devices/acting.ts';
import { field, fill, openMemory, pressIn, type MemoryWindow } from './openMemory.ts';

let at: MemoryWindow;
beforeEach(async () => (at = await openMemory()));
afterEach(async () => {
  await at.close();
  expect(at.window.errors).toEqual([]);
});

const bright = 'bright.call.json';
const files = {
  'toolwire.json': { format: 1, name: 'Lamps', variables: { wanted: 9 } },
  [bright]: {
    name: 'Bright',
    tool: 'lamp_set',
    arguments: { level: 9 },
    assertions: [{ check: 'path', path: '$.level', op: 'equals', value: '{{wanted}}' }],
  },
};
const brightOf = async (folder: string) => {
  const { collections } = at.window.connection.client;
  return collections.call({ folder, file: bright });
};

it('checks the assertions of the saved call in the form on each result, and keeps the outcome of the call as saved', async () => {
  const folder = await at.folder(files);
  const list = at.mount(SavedCalls);
  const result = at.mount(ResultRegion, { calls: [], historyButton: false });
  await press(button(list, 'Bright'));
  await until(() => at.executor.origin !== undefined);
  await at.executor.start();
  await until(() => result.text().includes('“Bright” passed: 1 assertion met'));
  await until(() => list.get('li').text().includes('passed'));

  // Other arguments are not the saved call: they are checked, but say nothing of it.
  at.executor.text = '{"level":3}';
  await at.executor.start();
  await until(() => result.text().includes('“Bright” failed: 1 of 1 assertion not met'));
  expect(result.get('.sub').text()).toContain('Assertions not met');
  expect(result.get('.check-lines').text().replaceAll(/\s+/g, ' ')).toMatch(/^JSON path ?\$\.level equals 9.*Got 3$/);
  expect(list.get('li').text()).toContain('passed');
  // The checks of the result before stay until the next one is checked.
  const checks = vi.fn();
  const stop = at.window.use(() => watch(() => at.executor.checked, checks, { flush: 'sync' }));
  await at.executor.start();
  await until(() => at.executor.checked?.callId === at.executor.shown?.callId);
  expect(checks.mock.calls.map(([now]) => now?.name)).toEqual(['Bright']);
  stop();

  // The assertions as they are now.
  const { version, draft } = await brightOf(folder);
  const [assertion] = draft.assertions;
  const assertions = [{ ...assertion, value: 3 } as NonNullable<typeof assertion>];
  await at.window.connection.client.collections.saveCall({
    folder,
    file: bright,
    version,
    draft: { ...draft, assertions },
  });
  await until(() => result.text().includes('“Bright” passed: 1 assertion met'));

  // A secret is compared in the engine.
  const secret = { check: 'path', path: '$.note', op: 'equals', value: '{{$secret:NOTE}}' } as const;
  await at.window.connection.client.collections.setSecret({ folder, name: 'NOTE', value: 'sesame' });
  const now = await brightOf(folder);
  const withSecret = { folder, file: bright, version: now.version, draft: { ...now.draft, assertions: [secret] } };
  await at.window.connection.client.collections.saveCall(withSecret);
  at.executor.text = '{"note":"{{$secret:NOTE}}"}';
  await at.executor.start();
  await until(() => at.executor.checked?.callId === at.executor.shown?.callId);
  expect(result.text()).toContain('“Bright” passed: 1 assertion met');
  expect(JSON.stringify(at.executor.checked)).not.toContain('sesame');

  // Without a saved call in the form there is nothing to check.
  at.executor.open('lamp_set', '{"level":3}');
  await until(() => !result.text().includes('assertions'));
});

it('counts a run as that of the saved call only with the arguments that its variables make now', async () => {
  const folder = await at.folder({ ...files, [bright]: { ...files[bright], arguments: { level: '{{wanted}}' } } });
  const { collections } = at.window.connection.client;
  const want = async (value: number): Promise<void> => {
    const { version } = await collections.variables({ folder });
    await collections.saveVariables({ folder, version, variablesJson: JSON.stringify({ wanted: value }) });
  };
  const list = at.mount(SavedCalls);
  const line = (): string => list.get('li').text().replaceAll(/\s+/g, ' ');
  await press(button(list, 'Bright'));
  await until(() => line().includes('In the form ·'));
  await want(4);
  await until(() => line().includes('In the form, changed'));
  await at.executor.start();
  await until(() => at.executor.checked?.callId === at.executor.shown?.callId);
  expect(line()).toContain('not run yet');

  at.executor.text = '{"level":4}';
  await until(() => line().includes('In the form ·'));
  await at.executor.start();
  await until(() => line().includes('passed'));
});

it('lists a call of whichever device is connected with the device that it called last', async () => {
  const source = { kind: 'device' as const, id: 'study', label: '书房音箱' };
  const set = { name: 'set', description: '', agentCallable: true, inputSchema: {}, handler: () => 'set' };
  at.window.workbench.toolRegistryManager.register(
    defineToolRegistry({ id: 'study', name: '书房音箱', source, methods: [set] }),
  );
  const folder = await at.folder({ ...files, [bright]: { name: 'Bright', tool: '{{$device}}_set', arguments: {} } });
  const list = at.mount(SavedCalls);
  await until(() => list.findAll('li').length === 1);
  at.memory.open({ kind: 'run', folder });
  const run = await dialog('Run Lamps');
  await pressIn(run, 'Run 1 call');
  await until(() => /passed · 书房音箱 ·/.test(list.get('li').text()));
});

it('compares a form with the call that was saved from its device, whichever others are connected', async () => {
  const set = { name: 'set', description: '', agentCallable: true, inputSchema: {}, handler: () => 'set' };
  for (const id of ['study', 'hall'])
    at.window.workbench.toolRegistryManager.register(
      defineToolRegistry({ id, name: id, source: { kind: 'device', id, label: id }, methods: [set] }),
    );
  const argsJson = '{"level":9}';
  const folder = await at.folder({
    ...files,
    [bright]: { name: 'Bright', tool: '{{$device}}_set', arguments: { level: 9 } },
  });
  const list = at.mount(SavedCalls);
  const line = (): string => list.get('li').text().replaceAll(/\s+/g, ' ');
  await until(() => list.findAll('li').length === 1);
  at.executor.open('study_set', argsJson);
  await until(() => at.executor.target !== undefined);
  const filled = vi.spyOn(at.collections, 'fill');
  at.executor.saveAs({ folder, file: bright, argsJson });
  await until(() => filled.mock.settledResults.length > 0);
  expect(filled.mock.settledResults[0]).toMatchObject({ type: 'fulfilled', value: { toolName: 'study_set' } });
  expect(line()).toContain('In the form ·');
  await at.executor.start();
  await until(() => line().includes('passed'));
});

it('moves the form along if its saved call gets another tool', async () => {
  const folder = await at.folder(files);
  const list = at.mount(SavedCalls);
  await press(button(list, 'Bright'));
  await until(() => at.executor.toolName === 'lamp_set');
  at.memory.open({ kind: 'save', folder, file: bright });
  const edit = await dialog('Edit the saved call');
  await until(() => field(edit, 'Name').value === 'Bright');
  await fill(edit, 'Tool', 'lamp_wait');
  await pressIn(edit, 'Save');
  await until(() => at.executor.toolName === 'lamp_wait');
  expect(at.executor.origin).toMatchObject({ folder, file: bright });
  at.executor.open('lamp_set');
  expect(at.executor.origin).toBeUndefined();
});

it('takes a value out of a result only with a path', () => {
  const rows = (path: string) => at.mount(ExtractEditor, { modelValue: [{ name: 'id', path }] });
  const reason = (path: string) => (rows(path).vm as unknown as { reason: string | undefined }).reason;
  expect([reason('$.id'), reason(' ')]).toEqual([undefined, 'A variable from the result has no JSON path.']);
});

it('names the variable without a value that an assertion needs, and leads to it', async () => {
  const assertions = [
    { check: 'path', path: '$.level', op: 'atLeast', value: '{{least}}' },
    { check: 'path', path: '$.level', op: 'equals', value: '{{wanted}}' },
  ];
  const folder = await at.folder({ ...files, [bright]: { ...files[bright], assertions } });
  const list = at.mount(SavedCalls);
  const result = at.mount(ResultRegion, { calls: [], historyButton: false });
  await press(button(list, 'Bright'));
  await until(() => at.executor.origin !== undefined);
  await at.executor.start();
  await until(() => result.text().includes('“Bright” failed: 1 of 2 assertions not met'));
  expect(result.get('.check-lines').text()).toContain('There is no variable "least".');
  await press(button(result, 'Set “least”'));
  expect(at.memory.dialog).toEqual({ kind: 'variables', folder });
});

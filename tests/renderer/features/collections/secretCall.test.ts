import { afterEach, beforeEach, expect, it } from 'vitest';

import ErrorView from '../../../../renderer/features/executor/result/ErrorView.vue';
import SavedCalls from '../../../../renderer/features/collections/SavedCalls.vue';
import type { ToolExecutionResult } from '../../../../src-core/contract/types.ts';
import { button, press, until } from '../devices/acting.ts';
import { openMemory, type MemoryWindow } from './openMemory.ts';

let at: MemoryWindow;
beforeEach(async () => (at = await openMemory()));
afterEach(async () => {
  await at.close();
  expect(at.window.errors).toEqual([]);
});

/** Runs what stands in the form, and resolves with what came of it. */
async function ran(): Promise<ToolExecutionResult> {
  await at.executor.start();
  const { state } = at.executor.run!;
  return until(() => (state.value.phase === 'done' ? state.value.result : undefined));
}

it('a saved call with a secret runs from the form where it is set, and says what is missing where not', async () => {
  const folder = await at.folder({
    'toolwire.json': { format: 1, name: 'Lamps' },
    'door.call.json': { name: 'door', tool: 'lamp_set', arguments: { note: 'open {{$secret:PIN}}' } },
  });
  const list = at.mount(SavedCalls);
  await press(button(list, 'door'));
  await until(() => at.executor.toolName === 'lamp_set');
  await until(() => at.executor.unset.join() === '$secret:PIN');
  expect(await ran()).toMatchObject({ error: { code: 'invalid-arguments', details: { secret: 'PIN' } } });
  // The schema has nothing against it: it is not sent anyway, but set.
  expect(at.executor.misfit).toBeUndefined();
  const view = at.mount(ErrorView, { call: at.executor.shown });
  expect(view.get('h2').text()).toBe('A secret has no value');
  expect(view.findAll('button').map((one) => one.text())).not.toContain('Send anyway');
  await press(button(view, 'Set the variables'));
  expect(at.memory.dialog).toEqual({ kind: 'variables', folder });
  at.memory.close();

  const { client } = at.window.connection;
  await client.collections.setSecret({ folder, name: 'PIN', value: 'hush-4711' });
  // The tool says back what it was given.
  expect(await ran()).toMatchObject({ status: 'success', result: '{"note":"open {{$secret:PIN}}"}' });

  // Brought back from the history, it belongs to no collection.
  const [kept] = await client.calls.history({ limit: 1 });
  at.executor.open('lamp_set', kept!.argsJson);
  expect(at.executor.text).not.toContain('hush-4711');
  expect(await ran()).toMatchObject({ error: { code: 'invalid-arguments' } });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { VueWrapper } from '@vue/test-utils';

import { useSavedOrigins } from '../../../../renderer/features/executor/useSavedOrigins.ts';
import SavedCalls from '../../../../renderer/features/collections/SavedCalls.vue';
import { button, dialog, press, until } from '../devices/acting.ts';
import { escape, fileAt, openMemory, pressIn, type MemoryWindow } from './openMemory.ts';

let at: MemoryWindow;
beforeEach(async () => (at = await openMemory()));
afterEach(async () => {
  await at.close();
  expect(at.window.errors).toEqual([]);
});

const files = {
  'toolwire.json': { format: 1, name: 'Lamps', order: ['dim.call.json', 'bright.call.json', 'lost.call.json'] },
  'dim.call.json': { name: 'Dim', tool: 'lamp_set', arguments: { level: 1 } },
  'bright.call.json': { name: 'Bright', tool: 'lamp_set', arguments: { level: 9 } },
  'lost.call.json': { name: 'Lost', tool: 'lamp_wait', arguments: { note: '{{nobody}}' } },
};
const lines = (list: VueWrapper): string[] =>
  list.findAll('li').map((line) => line.text().replaceAll(/\s+/g, ' ').trim());
const inForm = (list: VueWrapper): string[] => list.findAll('[aria-current="true"]').map((one) => one.text());

describe('the saved calls', () => {
  it('say that a call failed, too, if it could not be made', async () => {
    const folder = await at.folder(files);
    const list = at.mount(SavedCalls);
    await until(() => lines(list).length === 3);
    expect(lines(list)[2]).toContain('not run yet');
    at.memory.open({ kind: 'run', folder, only: ['lost.call.json'] });
    const run = await dialog('Run Lost');
    await pressIn(run, 'Run 1 call');
    await until(() => run.textContent.includes('0 passed, 1 failed, 0 skipped'));
    await escape(run);
    await until(() => lines(list)[2]?.includes('failed'));
    expect(lines(list)[2]).not.toContain('not run yet');
  });

  it('mark the one that is in the form, and say once it was changed there', async () => {
    await at.folder(files);
    const list = at.mount(SavedCalls);
    await press(button(list, 'Bright'));
    await until(() => inForm(list).length === 1);
    expect(inForm(list)[0]).toMatch(/^Bright.*In the form ·/);
    expect(inForm(list)[0]).not.toContain('lamp_set');
    expect(lines(list)[0]).toContain('lamp_set');
    at.executor.text = '{"level":8}';
    await until(() => inForm(list)[0]?.includes('In the form, changed'));
    at.executor.text = '{ "level": 9 }';
    await until(() => inForm(list)[0]?.includes('In the form ·'));
    at.executor.open('lamp_set', '{"level":9}');
    await until(() => inForm(list).length === 0);
  });

  it('stay those of their forms after a reload', async () => {
    const saved = { folder: '/lamps', file: 'bright.call.json', argsJson: '{"level":9}' };
    const before = at.window.use(() => useSavedOrigins());
    before.set('lamp_set', saved);
    before.set('lamp_wait', saved);
    before.set('lamp_wait', undefined);
    const after = at.window.use(() => useSavedOrigins());
    expect([after.get('lamp_set'), after.get('lamp_wait')]).toEqual([saved, undefined]);
  });

  it('are searched by their name and tool; Esc empties the search', async () => {
    await at.folder(files);
    await at.folder({ ...files, 'toolwire.json': { format: 1, name: 'Other lamps' } });
    const list = at.mount(SavedCalls);
    await until(() => lines(list).length === 6);
    const search = list.get('[role="searchbox"]');
    await search.setValue('WAIT other');
    expect(lines(list)).toHaveLength(1);
    expect(lines(list)[0]).toContain('Lost');
    await search.setValue('brig');
    expect(lines(list).every((line) => line.startsWith('Bright'))).toBe(true);
    await search.setValue('nothing is called so');
    expect(list.text()).toContain('No matching saved calls.');
    await search.trigger('keydown', { key: 'Escape' });
    expect(lines(list)).toHaveLength(6);
  });

  it('are edited with F2 and deleted with Delete, which can be undone', async () => {
    const folder = await at.folder(files);
    const list = at.mount(SavedCalls);
    await until(() => lines(list).length === 3);
    const bright = () => list.findAll('button').find((one) => one.text().startsWith('Bright'));
    await bright()?.trigger('keydown', { key: 'F2' });
    await escape(await dialog('Edit the saved call'));
    await bright()?.trigger('keydown', { key: 'Delete' });
    await until(() => lines(list).length === 2);
    expect(fileAt(folder, 'bright.call.json')).toBeUndefined();
    at.toasts.list[0]?.action?.run();
    await until(() => lines(list).length === 3);
  });
});

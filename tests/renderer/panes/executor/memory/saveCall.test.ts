import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { dialog, until } from '../../devices/acting.ts';
import { field, fileAt, fill, openMemory, pressIn, type MemoryWindow } from './openMemory.ts';

let at: MemoryWindow;
beforeEach(async () => (at = await openMemory()));
afterEach(async () => {
  await at.close();
  expect(at.window.errors).toEqual([]);
});

describe('the first call that is saved', () => {
  it('waits for its collection to be made, with all that was filled in, and goes into it', async () => {
    const parent = await at.folder({});
    at.executor.open('lamp_set', '{"level":5}');
    at.memory.open({ kind: 'save' });
    const save = await dialog('Save this call');
    await fill(save, 'Name', 'Dim');
    await fill(save, 'Description', 'For the night');
    await pressIn(save, 'New collection');
    const make = await dialog('Make a collection');
    await fill(make, 'Name', 'Lamps');
    await fill(make, 'Folder', join(parent, 'calls'));
    await pressIn(make, 'Make it');
    await until(() => !document.body.contains(make));
    expect(field(save, 'Name').value).toBe('Dim');
    await until(() => save.textContent.includes('Lamps'));
    await pressIn(save, 'Save');
    await until(() => at.memory.dialog === undefined);
    expect(fileAt(join(parent, 'calls'), 'dim.call.json')).toEqual({
      ...{ name: 'Dim', description: 'For the night', tool: 'lamp_set', arguments: { level: 5 } },
    });
  });

  it('stays as it was where no collection is made after all', async () => {
    at.executor.open('lamp_set', '{}');
    at.memory.open({ kind: 'save' });
    const save = await dialog('Save this call');
    await fill(save, 'Name', 'Dim');
    await pressIn(save, 'Open a folder');
    const open = await dialog('Open a collection');
    await fill(open, 'Folder', '/nowhere/at/all');
    await pressIn(open, 'Open');
    await until(() => open.textContent.includes('is no folder on this machine'));
    await pressIn(open, 'Cancel');
    await until(() => !document.body.contains(open));
    expect(document.body.contains(save)).toBe(true);
    expect(field(save, 'Name').value).toBe('Dim');
  });
});

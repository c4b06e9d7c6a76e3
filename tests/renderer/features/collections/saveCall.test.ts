import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import SavedCalls from '../../../../renderer/features/collections/SavedCalls.vue';
import { button, dialog, press, until } from '../devices/acting.ts';
import { escape, field, fileAt, fill, openMemory, pressIn, type MemoryWindow } from './openMemory.ts';

let at: MemoryWindow;
beforeEach(async () => (at = await openMemory()));
afterEach(async () => {
  await at.close();
  expect(at.window.errors).toEqual([]);
});

describe('the first call that is saved', () => {
  it('makes its collection in the same dialog, and goes into it', async () => {
    const parent = await at.folder({});
    at.executor.open('lamp_set', '{"level":5}');
    at.memory.open({ kind: 'save' });
    const save = await dialog('Save this call');
    await fill(save, 'Name', 'Dim');
    await fill(save, 'Description', 'For the night');
    // In the same dialog, with a name and a folder that can be kept.
    expect(field(save, 'Name of the collection').value).toBe('My calls');
    expect(field(save, 'Folder').value).toBe('~/toolwire-calls');
    await fill(save, 'Folder', '');
    expect(save.textContent).toContain('Enter the name and the folder of the collection.');
    await fill(save, 'Name of the collection', 'Lamps');
    await fill(save, 'Folder', join(parent, 'calls'));
    await pressIn(save, 'Save');
    await until(() => at.memory.dialog === undefined);
    await until(() => at.collections.list.some(({ name }) => name === 'Lamps'));
    expect(fileAt(join(parent, 'calls'), 'dim.call.json')).toEqual({
      name: 'Dim',
      description: 'For the night',
      tool: 'lamp_set',
      arguments: { level: 5 },
    });
  });

  it('stays as it was if no collection is made after all', async () => {
    at.executor.open('lamp_set', '{}');
    at.memory.open({ kind: 'save' });
    const save = await dialog('Save this call');
    await fill(save, 'Name', 'Dim');
    const select = save.querySelector<HTMLElement>('[aria-label="Collection"]')!;
    select.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    const option = await until(() =>
      [...document.querySelectorAll<HTMLElement>('[role="option"]')].find(({ textContent }) =>
        textContent.includes('Open a folder'),
      ),
    );
    option.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    await until(() => save.textContent.includes('a toolwire.json'));
    const folder = field(save, 'Folder');
    expect(folder.value).toBe('');
    await fill(save, 'Folder', '/nowhere/at/all');
    await pressIn(save, 'Save');
    await until(() => folder.closest('label')!.textContent.includes('is not a folder on this machine'));
    expect(save.querySelector('footer')!.textContent).not.toContain('is not a folder');
    await until(() => document.activeElement === folder);
    expect(folder.ariaInvalid).toBe('true');
    expect(document.body.contains(save)).toBe(true);
    expect(field(save, 'Name').value).toBe('Dim');
    await fill(save, 'Folder', '/nowhere/at/al');
    expect(save.textContent).not.toContain('is not a folder');
    expect(folder.ariaInvalid).toBe(null);
  });
});

it('a new saved call has the outcome of the call that it was made from', async () => {
  await at.folder({ 'toolwire.json': { format: 1, name: 'Lamps' } });
  const list = at.mount(SavedCalls);
  at.executor.open('lamp_set', '{"level":4}');
  await at.executor.start();
  await until(() => at.executor.shown !== undefined);
  at.memory.open({ kind: 'save' });
  const save = await dialog('Save this call');
  await fill(save, 'Name', 'Dim light');
  await pressIn(save, 'Save');
  await until(() => at.memory.dialog === undefined);
  await until(() => list.find('li').exists() && list.get('li').text().includes('passed'));
  await until(() => at.executor.checked !== undefined);
  expect(at.executor.checked?.name).toBe('Dim light');
});

const table = {
  name: 'table',
  tool: 'lamp_set',
  arguments: { level: '{{n}}', note: 'as {{mood}}' },
  assertions: [{ check: 'status', is: 'success' }],
};

/** Puts the saved call `table` into the form, and gives it another note. */
async function useTable(note = 'bright'): Promise<string> {
  const folder = await at.folder({
    'toolwire.json': { format: 1, name: 'Lamps', variables: { n: 5, mood: 'calm' } },
    'table.call.json': table,
  });
  const list = at.mount(SavedCalls);
  await press(button(list, 'table'));
  await until(() => at.executor.toolName === 'lamp_set');
  expect(JSON.parse(at.executor.text)).toEqual({ level: 5, note: 'as calm' });
  at.executor.text = JSON.stringify({ level: 5, note });
  at.memory.open({ kind: 'save' });
  return folder;
}

describe('a saved call that was changed in the form', () => {
  it('updates its file, with its assertions, and with the variables of all that is as they gave it', async () => {
    const folder = await useTable();
    const save = await dialog('Save this call');
    await until(() => field(save, 'Arguments').value.includes('{{n}}'));
    await pressIn(save, 'Update');
    await until(() => at.memory.dialog === undefined);
    expect(fileAt(folder, 'table.call.json')).toEqual({ ...table, arguments: { level: '{{n}}', note: 'bright' } });
    expect(fileAt(folder, 'table-2.call.json')).toBeUndefined();

    // What was saved is what the next change starts from.
    at.executor.text = '{"level":5,"note":"as calm"}';
    at.memory.open({ kind: 'save' });
    const again = await dialog('Save this call');
    await until(() => field(again, 'Arguments').value.includes('{{n}}'));
    expect(field(again, 'Arguments').value).toContain('as calm');
    await pressIn(again, 'Update');
    await until(() => at.memory.dialog === undefined);
    expect(fileAt(folder, 'table.call.json')).toEqual({ ...table, arguments: { level: '{{n}}', note: 'as calm' } });
  });

  it('becomes a new one beside it if that is chosen, and says that the name is taken', async () => {
    const folder = await useTable();
    const save = await dialog('Save this call');
    await until(() => field(save, 'Name').value === 'table');
    expect(save.textContent).not.toContain('with this name');
    await pressIn(save, 'A new call');
    await until(() => save.textContent.includes('A call with this name already exists'));
    await fill(save, 'Name', 'bright table');
    expect(save.textContent).not.toContain('with this name');
    await pressIn(save, 'Save');
    await until(() => at.memory.dialog === undefined);
    expect(fileAt(folder, 'table.call.json')).toEqual(table);
    expect(fileAt(folder, 'bright-table.call.json')).toEqual({
      ...table,
      name: 'bright table',
      arguments: { level: '{{n}}', note: 'bright' },
    });
  });

  it('is asked about if somebody else changed the file meanwhile', async () => {
    const folder = await useTable();
    const save = await dialog('Save this call');
    await until(() => field(save, 'Name').value === 'table');
    writeFileSync(join(folder, 'table.call.json'), JSON.stringify({ ...table, name: 'theirs' }));
    await pressIn(save, 'Update');
    const asks = await dialog('The file changed on disk');
    expect(fileAt(folder, 'table.call.json')).toMatchObject({ name: 'theirs' });
    await pressIn(asks, 'Overwrite');
    await until(() => at.memory.dialog === undefined);
    expect(fileAt(folder, 'table.call.json')).toMatchObject({ name: 'table', arguments: { note: 'bright' } });
  });

  it('is a call like any other once another tool, or other arguments, came into the form', async () => {
    await useTable();
    at.memory.close();
    at.executor.open('lamp_wait');
    expect(at.executor.origin).toBeUndefined();
    at.executor.open('lamp_set');
    expect(at.executor.origin).toMatchObject({ file: 'table.call.json' });
    at.executor.open('lamp_set', '{"level":1}');
    expect(at.executor.origin).toBeUndefined();
  });
});

describe('the list of saved calls', () => {
  it('shows the last outcome of each', async () => {
    const folder = await at.folder({ 'toolwire.json': { format: 1, name: 'Lamps' }, 'table.call.json': table });
    const list = at.mount(SavedCalls);
    const { collections } = at.window.connection.client;
    const record = (verdict: 'passed' | 'failed') =>
      collections.record({ folder, file: 'table.call.json', run: { at: 1, verdict, durationMs: 7 } });
    expect(list.text()).toContain('not run');
    await record('failed');
    await until(() => list.text().includes('failed'));
    await record('passed');
    await until(() => list.text().includes('passed'));
  });
});

describe('a file that is no saved call', () => {
  it('is listed with the reason, and marked before a run', async () => {
    const folder = await at.folder({
      'toolwire.json': { format: 1, name: 'Lamps' },
      'bad.call.json': { name: 'bad', tool: 'lamp_set', argumants: {} },
      'table.call.json': table,
    });
    const reason = 'Line 1: The file has an unknown field "argumants". Did you mean "arguments"?';
    const list = at.mount(SavedCalls);
    expect(list.get('.line').text()).toBe(`bad.call.jsonUnusable · ${reason}`);
    at.memory.open({ kind: 'run', folder });
    const run = await dialog('Run Lamps');
    expect(run.querySelector('.planned')?.textContent).toBe(`bad.call.jsonUnusable · ${reason}`);
  });
});

describe('what is to be true', () => {
  it('shows a long whole number inside a value, and keeps its digits', async () => {
    const folder = await at.folder({ 'toolwire.json': { format: 1, name: 'Lamps' } });
    const value = '{"id":9007199254740993,"ids":[12345678901234567891]}';
    const path = join(folder, 'big.call.json');
    const text = (name: string): string =>
      `{"name":"${name}","tool":"lamp_set","arguments":{},"assertions":[{"check":"path","path":"$","op":"contains","value":${value}}]}`;
    writeFileSync(path, text('big'));
    await at.collections.refresh();
    at.memory.open({ kind: 'save', folder, file: 'big.call.json' });
    const save = await dialog('Edit the saved call');
    await until(() => save.querySelector('.assertion') !== null);
    expect(field(save, 'Value').value).toBe(value);
    await fill(save, 'Name', 'bigger');
    await pressIn(save, 'Save');
    await until(() => at.memory.dialog === undefined);
    expect(readFileSync(path, 'utf8').replace(/\s+/g, '')).toBe(text('bigger'));
  });

  it('is not saved while a comparison has no value, and shows no verdict', async () => {
    const folder = await at.folder({ 'toolwire.json': { format: 1, name: 'Lamps' } });
    at.executor.open('lamp_set', '{"level":5}');
    await at.executor.start();
    await until(() => at.executor.shown?.callId !== undefined);
    at.memory.open({ kind: 'save' });
    const save = await dialog('Save this call');
    await fill(save, 'Name', 'level');
    await pressIn(save, 'Add');
    await until(() => save.querySelector('[role="status"] .ok') !== null);
    await fill(save, 'JSON path', '$.[');
    await until(() => save.textContent.includes('Cannot be checked'));
    expect(save.textContent).not.toContain('not true');
    const operators = save.querySelector<HTMLElement>('[aria-label="How to compare"]');
    operators?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    const option = await until(() =>
      [...document.querySelectorAll<HTMLElement>('[role="option"]')].find(
        (one) => one.textContent?.trim() === 'does not equal',
      ),
    );
    option.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    await until(() => save.textContent.includes('Enter a value to compare with'));
    expect(save.querySelector('.assertion [role="status"]')?.textContent).toBe('');
    await pressIn(save, 'Save');
    expect(fileAt(folder, 'level.call.json')).toBeUndefined();
    await fill(save, 'Value', '""');
    await fill(save, 'JSON path', '$.level');
    await pressIn(save, 'Save');
    await until(() => at.memory.dialog === undefined);
    expect(fileAt(folder, 'level.call.json')).toMatchObject({
      assertions: [{ check: 'path', path: '$.level', op: 'notEquals', value: '' }],
    });
  });

  it('says what is wrong with arguments and schemas while they are typed', async () => {
    await at.folder({ 'toolwire.json': { format: 1, name: 'Lamps' } });
    at.executor.open('lamp_set', '{}');
    at.memory.open({ kind: 'save' });
    const save = await dialog('Save this call');
    await fill(save, 'Arguments', '{"level":');
    expect(save.textContent).toContain('Line 1, column 10');
    await fill(save, 'Arguments', '[1]');
    expect(save.textContent).toContain('Must be a JSON object');
    await pressIn(save, 'Save');
    expect(at.memory.dialog).toBeDefined();
    await fill(save, 'Arguments', '{"level": 9007199254740993}');
    expect(save.textContent).not.toContain('Must be a JSON object');
  });
});

describe('variables from the result', () => {
  it('need a valid name of their own before the call is saved', async () => {
    const folder = await at.folder({ 'toolwire.json': { format: 1, name: 'Lamps' } });
    at.executor.open('lamp_set', '{}');
    at.memory.open({ kind: 'save' });
    const save = await dialog('Save this call');
    await pressIn(save, 'Extract a value');
    await pressIn(save, 'Save');
    expect(save.textContent).toContain('Enter the name of the variable.');
    await fill(save, 'Variable', '点数');
    await pressIn(save, 'Save');
    expect(save.textContent).toContain('Begin with a letter (A–Z) or _');
    expect(field(save, 'Variable').getAttribute('aria-invalid')).toBe('true');
    await fill(save, 'Variable', 'points');
    await pressIn(save, 'Extract a value');
    const second = [...save.querySelectorAll<HTMLInputElement>('[aria-label="Variable"]')][1]!;
    second.value = 'points';
    second.dispatchEvent(new Event('input', { bubbles: true }));
    await until(() => save.textContent.includes('This name is already in use.'));
    expect(fileAt(folder, 'lamp-set.call.json')).toBeUndefined();
    second.value = 'level';
    second.dispatchEvent(new Event('input', { bubbles: true }));
    await fill(save, 'Name', 'Lamp set');
    await pressIn(save, 'Save');
    await until(() => at.memory.dialog === undefined);
    expect(fileAt(folder, 'lamp-set.call.json')).toMatchObject({ extract: { points: '$', level: '$' } });
  });
});

describe('a saved call that is being edited', () => {
  it('asks before what was changed is thrown away, and keeps it if that is no', async () => {
    const folder = await at.folder({ 'toolwire.json': { format: 1, name: 'Lamps' }, 'table.call.json': table });
    at.memory.open({ kind: 'save', folder, file: 'table.call.json' });
    const edit = await dialog('Edit the saved call');
    await until(() => field(edit, 'Name').value === 'table');
    await fill(edit, 'Description', 'Mine');
    await escape(edit);
    await pressIn(await dialog('Discard changes?'), 'Keep editing');
    expect(field(edit, 'Description').value).toBe('Mine');
    await escape(edit);
    await pressIn(await dialog('Discard changes?'), 'Discard');
    await until(() => at.memory.dialog === undefined);
    expect(fileAt(folder, 'table.call.json')).toEqual(table);
  });

  it('comes into the form as it is now, unless the form was changed', async () => {
    const folder = await useTable('as calm');
    await dialog('Save this call');
    at.memory.close();
    await until(() => document.querySelector('[role="dialog"]') === null);
    const edit = async (level: unknown): Promise<void> => {
      at.memory.open({ kind: 'save', folder, file: 'table.call.json' });
      const dialogNow = await dialog('Edit the saved call');
      await until(() => field(dialogNow, 'Name').value === 'table');
      await fill(dialogNow, 'Arguments', JSON.stringify({ level, note: 'as {{mood}}' }));
      await pressIn(dialogNow, 'Save');
      await until(() => at.memory.dialog === undefined);
    };
    await edit(7);
    expect(JSON.parse(at.executor.text)).toEqual({ level: 7, note: 'as calm' });
    expect(at.executor.isUnsaved('lamp_set')).toBe(false);

    at.executor.text = '{"level":1,"note":"as calm"}';
    at.executor.open('lamp_wait');
    await edit(8);
    at.executor.open('lamp_set');
    expect(at.executor.text).toBe('{"level":1,"note":"as calm"}');
    expect(at.executor.isUnsaved('lamp_set')).toBe(true);
    expect(JSON.parse(at.executor.origin?.argsJson ?? '')).toEqual({ level: 8, note: 'as calm' });

    // A form that is not in front.
    at.executor.text = '{"level":8,"note":"as calm"}';
    at.executor.open('lamp_wait');
    await edit(9);
    at.executor.open('lamp_set');
    expect(JSON.parse(at.executor.text)).toEqual({ level: 9, note: 'as calm' });
  });

  it('closes at once if nothing was changed, and says so if its file is gone', async () => {
    const folder = await at.folder({ 'toolwire.json': { format: 1, name: 'Lamps' }, 'table.call.json': table });
    at.memory.open({ kind: 'save', folder, file: 'table.call.json' });
    const edit = await dialog('Edit the saved call');
    await until(() => field(edit, 'Name').value === 'table');
    await escape(edit);
    await until(() => at.memory.dialog === undefined);
    at.memory.open({ kind: 'save', folder, file: 'no.call.json' });
    const gone = await dialog('Edit the saved call');
    await until(() => gone.textContent.includes('no.call.json is gone.'));
  });
});

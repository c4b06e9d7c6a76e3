import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import ArgumentsRegion from '../../../../renderer/features/executor/ArgumentsRegion.vue';
import SavedCalls from '../../../../renderer/features/collections/SavedCalls.vue';
import { button, dialog, press, until } from '../devices/acting.ts';
import { escape, field, fileAt, fill, openMemory, pressIn, type MemoryWindow } from './openMemory.ts';

let at: MemoryWindow;
beforeEach(async () => (at = await openMemory()));
afterEach(async () => {
  await at.close();
  expect(at.window.errors).toEqual([]);
});

const manifest = { format: 1, name: 'Lamps', variables: { n: 5 } };
const json = 'Variables as JSON';
const noEnvironment = 'Name of the environment';

async function openVariables(files: Record<string, unknown> = {}): Promise<{ folder: string; variables: HTMLElement }> {
  const folder = await at.folder({ 'toolwire.json': manifest, ...files });
  at.memory.open({ kind: 'variables', folder });
  const variables = await dialog('Variables of Lamps');
  await until(() => field(variables, json).value.includes('"n"'));
  return { folder, variables };
}

async function pick(within: HTMLElement, word: string): Promise<void> {
  const opener = within.querySelector<HTMLElement>('[aria-label="Variables of"]');
  opener?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  const option = await until(() =>
    [...document.querySelectorAll<HTMLElement>('[role="option"]')].find((one) => one.textContent?.trim() === word),
  );
  option.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  await until(() => document.querySelector('[role="option"]') === null);
}

describe('a new environment', () => {
  it('has its own text, and is saved together with that of the collection', async () => {
    const { folder, variables } = await openVariables();
    await fill(variables, json, '{"n":2}');
    await pressIn(variables, 'New environment');
    expect(field(variables, json).value).toBe('{}');
    await fill(variables, noEnvironment, 'prod');
    await fill(variables, json, '{"n":9007199254740993}');
    await pressIn(variables, 'Save');
    await until(() => at.memory.dialog === undefined);
    expect(fileAt(folder, 'toolwire.json')).toMatchObject({ variables: { n: 2 } });
    expect(JSON.stringify(fileAt(folder, 'environments/prod.json'))).toContain('"n"');
  });

  it('is not saved at Enter in its name, which leads to its variables', async () => {
    const { folder, variables } = await openVariables();
    await pressIn(variables, 'New environment');
    await fill(variables, noEnvironment, 'prod');
    field(variables, noEnvironment).dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    await until(() => document.activeElement === field(variables, json));
    expect(at.memory.dialog).toBeDefined();
    expect(fileAt(folder, 'environments/prod.json')).toBeUndefined();
  });

  it('is not saved without a name, with one that is taken, or with one that is a path', async () => {
    const { folder, variables } = await openVariables({ 'environments/prod.json': { variables: {} } });
    await pressIn(variables, 'New environment');
    await pressIn(variables, 'Save');
    expect(at.memory.dialog).toBeDefined();
    await fill(variables, noEnvironment, 'prod');
    await pressIn(variables, 'Save');
    expect(variables.textContent).toContain('An environment with this name already exists.');
    await fill(variables, noEnvironment, '../prod');
    await pressIn(variables, 'Save');
    await until(() => variables.textContent.includes('is not a file of a collection'));
    expect(fileAt(folder, 'prod.json')).toBeUndefined();
    await pressIn(variables, 'Delete the environment');
    await until(() => field(variables, json).value.includes('5'));
  });
});

describe('the variables', () => {
  it('of every environment that was edited are saved', async () => {
    const { folder, variables } = await openVariables({ 'environments/prod.json': { variables: { host: 'a' } } });
    await fill(variables, json, '{"n":6}');
    await pick(variables, 'prod');
    await until(() => field(variables, json).value.includes('host'));
    await fill(variables, json, '{"host":"b"}');
    await pick(variables, 'The collection');
    expect(field(variables, json).value).toBe('{"n":6}');
    await pressIn(variables, 'Save');
    await until(() => at.memory.dialog === undefined);
    expect(fileAt(folder, 'toolwire.json')).toMatchObject({ variables: { n: 6 } });
    expect(fileAt(folder, 'environments/prod.json')).toMatchObject({ variables: { host: 'b' } });
  });

  it('are said to be no JSON while they are typed, and are not saved so', async () => {
    const { folder, variables } = await openVariables();
    await fill(variables, json, '{"n":');
    expect(variables.textContent).toContain('Line 1, column 6');
    await pressIn(variables, 'Save');
    expect(at.memory.dialog).toBeDefined();
    await fill(variables, json, '{"no name":1}');
    expect(variables.textContent).toContain('“no name” cannot be the name of a variable.');
    await pressIn(variables, 'Save');
    expect(at.memory.dialog).toBeDefined();
    expect(fileAt(folder, 'toolwire.json')).toEqual(manifest);
  });

  it('ask before what was changed is thrown away, and if somebody else changed them', async () => {
    const { folder, variables } = await openVariables();
    await fill(variables, json, '{"n":6}');
    await escape(variables);
    await pressIn(await dialog('Discard changes?'), 'Keep editing');
    writeFileSync(join(folder, 'toolwire.json'), JSON.stringify({ ...manifest, variables: { n: 7 } }));
    await pressIn(variables, 'Save');
    const asks = await dialog('The file changed on disk');
    expect(asks.textContent).toContain('toolwire.json');
    await pressIn(asks, 'Overwrite');
    await until(() => at.memory.dialog === undefined);
    expect(fileAt(folder, 'toolwire.json')).toMatchObject({ variables: { n: 6 } });
  });

  it('of an environment are deleted at once and can be restored', async () => {
    const { folder, variables } = await openVariables({ 'environments/prod.json': { variables: { host: 'a' } } });
    await pick(variables, 'prod');
    await pressIn(variables, 'Delete the environment');
    await until(() => fileAt(folder, 'environments/prod.json') === undefined);
    await until(() => field(variables, json).value.includes('"n"'));
    const { toasts } = at;
    await until(() => toasts.list.at(-1)?.action?.label === 'Undo');
    toasts.list.at(-1)?.action?.run();
    await until(() => fileAt(folder, 'environments/prod.json') !== undefined);
  });

  it('say how they are written, and take the values of secrets that a file names', async () => {
    const call = { name: 'x', tool: 'lamp_set', arguments: { note: '{{$secret:KEY}}' } };
    const { folder, variables } = await openVariables({ 'x.call.json': call });
    expect(variables.textContent).toContain('{{name}}');
    expect(variables.textContent).toContain('{{$secret:NAME}}');
    await until(() => variables.textContent.includes('KEY'));
    await fill(variables, 'Value of KEY', 'hush');
    await pressIn(variables, 'Set');
    await until(() => variables.querySelector('.secrets')?.textContent?.includes('Missing') === false);
    expect(JSON.stringify(fileAt(folder, 'x.call.json'))).not.toContain('hush');
    expect(variables.textContent).not.toContain('hush');
  });

  it('are saved together with the value that was typed for a secret, which is not given up without a question', async () => {
    const call = { name: 'x', tool: 'lamp_set', arguments: { note: '{{$secret:KEY}}' } };
    const { folder, variables } = await openVariables({ 'x.call.json': call });
    await until(() => variables.textContent.includes('KEY'));
    await fill(variables, 'Value of KEY', 'hush');
    await escape(variables);
    await pressIn(await dialog('Discard changes?'), 'Keep editing');
    await pressIn(variables, 'Save');
    await until(() => at.memory.dialog === undefined);
    const { client } = at.window.connection;
    expect(await client.collections.secrets({ folder })).toEqual([{ name: 'KEY', isSet: true }]);
  });
});

describe('a saved call with variables that have no value', () => {
  it('does not run, names them, and shows their values once they are set', async () => {
    const folder = await at.folder({
      'toolwire.json': manifest,
      'x.call.json': { name: 'x', tool: 'lamp_set', arguments: { level: '{{n}}', note: '{{city}} {{ mood }}' } },
    });
    const list = at.mount(SavedCalls);
    await press(button(list, 'lamp_set'));
    await until(() => at.executor.toolName === 'lamp_set');
    expect(JSON.parse(at.executor.text)).toEqual({ level: 5, note: '{{city}} {{mood}}' });
    const form = at.mount(ArgumentsRegion, { tried: false, schema: false });
    await until(() => form.text().includes('No value for {{city}}, {{mood}}'));
    expect(at.executor.hindranceOf()).toBe('No value for {{city}}, {{mood}}');
    expect(at.executor.hindranceOf('unchecked')).toBeDefined();
    await press(button(form, 'Set the variables'));
    expect(at.memory.dialog).toEqual({ kind: 'variables', folder });
    at.memory.close();

    const variables = { n: 5, city: 'Bergen', mood: 'calm' };
    writeFileSync(join(folder, 'toolwire.json'), JSON.stringify({ ...manifest, variables }));
    await until(() => at.executor.text.includes('Bergen calm'));
    expect(at.executor.hindranceOf()).toBeUndefined();
  });
});

it('variables that calls name and nothing sets can be added', async () => {
  const call = { name: 'set', tool: 'lamp_set', arguments: { level: '{{n}}', on: '{{state}}' }, extract: { x: '$.x' } };
  const next = { name: 'next', tool: 'lamp_set', arguments: { level: '{{x}}' } };
  const { folder, variables } = await openVariables({ 'set.call.json': call, 'next.call.json': next });
  expect(variables.querySelector('.unset')?.textContent).toBe('Without a value:Set “state”');
  await pressIn(variables, 'Set “state”');
  expect(JSON.parse(field(variables, json).value)).toEqual({ n: 5, state: '' });
  expect(variables.querySelector('.unset')).toBeNull();
  await pressIn(variables, 'Save');
  await until(() => at.memory.dialog === undefined);
  expect(fileAt(folder, 'toolwire.json')).toMatchObject({ variables: { n: 5, state: '' } });
});

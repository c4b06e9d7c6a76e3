import { expect, it, vi } from 'vitest';
import { nextTick } from 'vue';

import ImportDialog from '../../../../renderer/features/servers/transfer/ImportDialog.vue';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

it('shows the secrets of a command only if asked', async () => {
  const text = JSON.stringify({ mcpServers: { a: { command: 'x', args: ['--token', 'hunter-2-word'] } } });
  window.mount(ImportDialog, { given: { text } });
  const place = () => document.querySelector('.previews .command-line')?.textContent;
  await vi.waitUntil(() => place() === 'x --token ***');
  const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Show secrets');
  button!.click();
  await vi.waitUntil(() => place() === 'x --token hunter-2-word');
});

it('imports a replaced text only after its preview', async () => {
  const textOf = (name: string) => JSON.stringify({ mcpServers: { [name]: { command: 'node' } } });
  const dialog = window.mount(ImportDialog, { given: { text: textOf('first') } });
  const run = () =>
    [...document.querySelectorAll('button')].find(({ textContent }) => /^Import \d? ?server/.test(textContent.trim()));
  await vi.waitUntil(() => run()?.disabled === false);
  const field = document.querySelector<HTMLTextAreaElement>('[role="dialog"] textarea')!;
  field.value = textOf('second');
  field.dispatchEvent(new Event('input'));
  await nextTick();
  expect(run()?.disabled).toBe(true);
  run()!.click();
  await vi.waitUntil(() => run()?.disabled === false);
  expect(dialog.emitted('close')).toBeUndefined();
  run()!.click();
  await vi.waitUntil(() => dialog.emitted('close'));
  const names = (await window.connection.client.servers.list()).map(({ name }) => name);
  expect(names).toEqual(['second']);
});

it('marks a server that is already added, and does not import it again', async () => {
  const text = JSON.stringify({ mcpServers: { a: { command: 'node', env: { KEY: 'x' } }, b: { command: 'node' } } });
  const { servers } = window.connection.client;
  await servers.import({ text, names: ['a'] });
  const dialog = window.mount(ImportDialog, { given: { text } });
  const ticks = () => [...document.querySelectorAll<HTMLInputElement>('.previews input')];
  await vi.waitUntil(() => ticks().length === 2);
  expect(ticks().map(({ checked }) => checked)).toEqual([false, true]);
  const tags = () => document.querySelector('.previews > li')?.textContent;
  expect(tags()).toContain('Already added');
  expect(tags()).not.toContain('Name in use');
  const run = [...document.querySelectorAll('button')].find(
    ({ textContent }) => textContent.trim() === 'Import 1 server',
  );
  run!.click();
  await vi.waitUntil(() => dialog.emitted('close'));
  expect((await servers.list()).map(({ name }) => name)).toEqual(['a', 'b']);
});

it('leaves a server unticked that is disabled in the file', async () => {
  const command = 'node';
  const text = JSON.stringify({ mcpServers: { a: { command, disabled: true }, b: { command } } });
  window.mount(ImportDialog, { given: { text } });
  const ticks = () => [...document.querySelectorAll<HTMLInputElement>('.previews input')];
  await vi.waitUntil(() => ticks().length === 2);
  expect(ticks().map(({ checked }) => checked)).toEqual([false, true]);
  expect(document.querySelector('.previews > li')?.textContent).toContain('Disabled in the file');
});

it('applies neither ticks nor shown secrets to another text', async () => {
  const of = (secret: string) =>
    JSON.stringify({ mcpServers: { a: { command: 'x', args: ['--token', secret], disabled: true } } });
  window.mount(ImportDialog, { given: { text: of('hunter-2-word') } });
  const tick = () => document.querySelector<HTMLInputElement>('.previews input');
  const place = () => document.querySelector('.previews .command-line')?.textContent;
  await vi.waitUntil(() => tick() !== null);
  tick()!.click();
  document.querySelector<HTMLButtonElement>('.previews .reveal')!.click();
  await vi.waitUntil(() => place() === 'x --token hunter-2-word');
  expect(tick()!.checked).toBe(true);
  const field = document.querySelector<HTMLTextAreaElement>('[role="dialog"] textarea')!;
  field.value = of('hunter-3-word');
  field.dispatchEvent(new Event('input'));
  await vi.waitUntil(() => place() !== 'x --token hunter-2-word');
  expect([place(), tick()!.checked]).toEqual(['x --token ***', false]);
});

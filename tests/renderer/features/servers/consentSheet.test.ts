import { flushPromises, mount } from '@vue/test-utils';
import { getActivePinia } from 'pinia';
import { expect, it, vi } from 'vitest';

import { connectionKey } from '../../../../renderer/client/connection.ts';
import ConsentSheet from '../../../../renderer/features/servers/consent/ConsentSheet.vue';
import { approve, everything, nodeServer, onlyServer, untilState } from '../../../core/features/servers/support.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';
import { otherAnswers } from './otherAnswers.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

/** The connection of the window, on which `requests` waits. */
const slowConnection = (wait: () => Promise<unknown>): TestWindow['connection'] =>
  otherAnswers(window.connection, {
    requests: () => wait().then(() => window.connection.client.servers.requests()),
  });

it('connects to a server at a URL instead of starting it', async () => {
  const { servers } = window.workbench.services;
  const text = JSON.stringify({ mcpServers: { far: { url: 'http://127.0.0.1:1/mcp' } } });
  const [id = ''] = (await servers.import({ text, fileName: 'mcp.json', names: ['far'] })).ids;
  window.mount(ConsentSheet, { id });
  const labels = () => [...document.querySelectorAll('footer button')].map((one) => one.textContent.trim());
  await vi.waitUntil(() => labels().includes('Always connect'));
  expect(document.querySelector('[role=alertdialog] h2')?.textContent).toBe('Connect to “far” for the first time?');
  expect(labels()[1]).toBe('Connect');
  expect(labels()[0]).toBe('Don’t connect');
  expect(labels()[3]).toContain('Decide later');
  expect(document.body.textContent).toMatch(/Imported from mcp\.json \(\d\d:\d\d:\d\d\)\. Nothing has been sent yet\./);
});

it('leaves the server as it is at Esc', async () => {
  const { servers } = window.workbench.services;
  await servers.add(nodeServer('pin', [everything, 'stdio']));
  const { id } = await onlyServer(window.workbench);
  const sheet = window.mount(ConsentSheet, { id });
  const dialog = await vi.waitUntil(() => document.querySelector('[role=alertdialog]'));
  dialog.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
  await vi.waitUntil(() => sheet.emitted('close'));
  await flushPromises();
  expect((await onlyServer(window.workbench)).state).toBe('asking');
});

it('says that a server was approved only for an earlier session', async () => {
  const { servers } = window.workbench.services;
  const { id } = await servers.add(nodeServer('pin', [everything, 'stdio']));
  await approve(window.workbench, id, false);
  await untilState(window.workbench, 'ready');
  await servers.decline({ id });
  window.mount(ConsentSheet, { id });
  await vi.waitUntil(() => document.querySelector('[role=alertdialog] h2')?.textContent === 'Start “pin”?');
  expect(document.body.textContent).toMatch(/Added by hand \(.+\)\. You approved this command only for an earlier/);
});

it('takes no decision while given values are still being kept, and does not lose one afterwards', async () => {
  const { servers } = window.workbench.services;
  const entry = { command: process.execPath, args: [everything, '${input:transport}'] };
  const text = JSON.stringify({ inputs: [{ id: 'transport', type: 'promptString' }], servers: { asks: entry } });
  const [id] = (await servers.import({ text, fileName: '.vscode/mcp.json', names: ['asks'] })).ids;
  let gate: Promise<unknown> = Promise.resolve();
  const sheet = mount(ConsentSheet, {
    props: { id: id ?? '' },
    attachTo: document.body,
    global: {
      plugins: [getActivePinia()!],
      provide: { [connectionKey as symbol]: slowConnection(() => gate) },
    },
  });
  const button = (word: string) =>
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent.includes(word));
  const field = await vi.waitUntil(() => document.querySelector<HTMLInputElement>('input[type="text"]'));
  field.value = 'stdio';
  field.dispatchEvent(new Event('input'));
  await vi.waitUntil(() => button('Continue')?.disabled === false);
  const held = Promise.withResolvers<unknown>();
  gate = held.promise;
  button('Continue')!.click();
  const always = await vi.waitUntil(() => button('Always start this'));
  expect(always.disabled).toBe(true);
  held.resolve(undefined);
  await vi.waitUntil(() => !always.disabled);
  always.click();
  await vi.waitUntil(async () => (await onlyServer(window.workbench)).state === 'ready');
  sheet.unmount();
});

it('keeps what was decided on until the next sheet is there, and takes no second decision', async () => {
  const { servers } = window.workbench.services;
  const { client } = window.connection;
  const { id } = await servers.add(nodeServer('pin', [everything, 'stdio']));
  const held = Promise.withResolvers<undefined>();
  const seen: boolean[] = [];
  const connection = otherAnswers(window.connection, {
    requests: () => held.promise.then(() => client.servers.requests()),
    consent: async () => {
      const sheet = await client.servers.consent({ id });
      seen.push(sheet.approvedBefore);
      return sheet;
    },
  });
  const sheet = mount(ConsentSheet, {
    props: { id },
    attachTo: document.body,
    global: { plugins: [getActivePinia()!], provide: { [connectionKey as symbol]: connection } },
  });
  const buttons = () => [...document.querySelectorAll<HTMLButtonElement>('footer button')];
  const once = await vi.waitUntil(() => buttons().find((each) => each.textContent.trim() === 'Start once'));
  await vi.waitUntil(() => !once.disabled);
  once.click();
  await vi.waitUntil(() => once.getAttribute('aria-busy') === 'true');
  await vi.waitUntil(() => seen.includes(true));
  await flushPromises();
  expect(document.querySelector('[role=alertdialog] h2')?.textContent).toBe('Start “pin” for the first time?');
  expect(buttons().find((each) => each.textContent.trim() === 'Always start this')?.disabled).toBe(true);
  held.resolve(undefined);
  await vi.waitUntil(() => sheet.emitted('close'));
  await flushPromises();
  expect(once.getAttribute('aria-busy')).toBe('true');
  await untilState(window.workbench, 'ready');
  sheet.unmount();
});

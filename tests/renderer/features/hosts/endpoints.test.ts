import type { VueWrapper } from '@vue/test-utils';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { nextTick } from 'vue';

import HostsPane from '../../../../renderer/features/hosts/HostsPane.vue';
import { setLanguage } from '../../../../renderer/i18n/index.ts';
import { startEndpointBroker } from '../../../fakes/endpointBroker.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';
import { button, choose } from '../devices/acting.ts';

let window: TestWindow;
let pane: VueWrapper;
const until = <T>(holds: () => T | Promise<T>) => vi.waitUntil(holds);
const page = (): string => document.body.textContent ?? '';

windowForEachTest((opened) => (window = opened), { width: 1_400, height: 900 });
beforeEach(async () => {
  pane = window.mount(HostsPane);
  await until(() => pane.text().includes('Toolwire connects to the MCP endpoint'));
});

function press(word: string): void {
  const buttons = [...document.body.querySelectorAll<HTMLElement>('button')];
  // A dialog is behind the pane in the document.
  const found = buttons.findLast(
    (each) => each.textContent?.trim() === word || each.getAttribute('aria-label') === word,
  );
  if (!found) throw new Error(`No button “${word}” in: ${buttons.map((each) => each.textContent).join(' | ')}`);
  found.click();
}

function type(label: string, text: string): void {
  const input = document.body.querySelector<HTMLInputElement>(`.dialog input[aria-label="${label}"]`);
  if (!input) throw new Error(`No field “${label}”`);
  input.value = text;
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

function tick(word: string): void {
  const boxes = [...document.body.querySelectorAll<HTMLElement>('.dialog label')];
  const found = boxes.find((each) => each.textContent?.includes(word))?.querySelector('input');
  if (!found) throw new Error(`No box “${word}” in: ${boxes.map((each) => each.textContent).join(' | ')}`);
  found.click();
}

async function withBroker() {
  const broker = await startEndpointBroker();
  onTestFinished(broker.close);
  return { broker, url: broker.toolUrl('agent') };
}

/** Adds an endpoint that serves all tools, as the user does. */
async function add(url: string): Promise<void> {
  press('Add an endpoint');
  await until(() => page().includes('Copy it from the console'));
  type('Address', url);
  type('Name', 'Kitchen agent');
  press('All');
  await nextTick();
  press('Save');
}

it('adds an endpoint with chosen tools and a limit, lists its calls, and changes it without showing its address', async () => {
  const { broker, url } = await withBroker();
  press('Add an endpoint');
  await until(() => page().includes('All tools of Clock'));
  type('Address', url);
  type('Name', 'Kitchen agent');
  tick('clock_get_time');
  type('Result limit', '64');
  await until(() => /1 of \d+ tools, ≈ [1-9]\d* tokens/.test(page()));
  press('Save');
  await until(() => pane.text().includes('Ready'));
  expect(pane.text()).toMatch(/\/mcp_endpoint\/mcp\/\?\*\*\*/);
  expect(pane.text()).toContain('64 B');

  const caller = await broker.call('agent');
  const list = (await caller.request(1, 'tools/list')) as { result: { tools: { name: string }[] } };
  expect(list.result.tools.map(({ name }) => name)).toEqual(['clock_get_time']);
  await caller.request(2, 'tools/call', { name: 'clock_get_time' });
  await pane.get('tbody[aria-label="Kitchen agent"] .host').trigger('click');
  await until(() => pane.findAll('li').length === 1);
  expect(pane.find('li').text()).toContain('clock_get_time');

  await choose(button(pane, 'More: Kitchen agent'), 'Edit');
  await until(() => document.body.querySelector('.dialog input[placeholder^="Stored"]') !== null);
  type('Result limit', '12');
  await until(() => page().includes('Use a whole number from 64 to 65536'));
  type('Result limit', '2048');
  await nextTick();
  press('Save');
  await until(() => pane.text().includes('2.0 kB'));
  expect(document.body.innerHTML).not.toContain(new URL(url).searchParams.get('token'));
});

it('says why an endpoint stopped, connects it again, and removes it', async () => {
  const { broker, url } = await withBroker();
  await add(url);
  await until(() => pane.text().includes('Ready'));
  broker.end('agent', 1000);
  await until(() => pane.text().includes('Another program has connected with the same token'));
  expect(pane.text()).toContain('Failing');
  expect(pane.text()).not.toContain('retry in');
  press('Connect: Kitchen agent');
  await until(() => pane.text().includes('Ready'));
  broker.end('agent', 4004);
  await until(() => /Failing, retry in \d s/.test(pane.text()));
  expect(pane.text()).toContain('(code 4004)');
  press('Disconnect: Kitchen agent');
  await until(() => pane.text().includes('Stopped'));
  await choose(button(pane, 'More: Kitchen agent'), 'Remove');
  await until(() => page().includes('deletes the address'));
  press('Remove');
  await until(() => pane.text().includes('Toolwire connects to the MCP endpoint'));
  expect(await window.connection.client.endpoint.list()).toEqual([]);
});

it('shows a refused address in the dialog and keeps what was typed', async () => {
  await add('https://example.invalid/mcp?token=s3cret');
  await until(() => page().includes('must begin with ws:// or wss://'));
  expect(document.body.querySelector<HTMLInputElement>('.dialog input[aria-label="Name"]')?.value).toBe(
    'Kitchen agent',
  );
  press('Cancel');
  expect(await window.connection.client.endpoint.list()).toEqual([]);
});

it('is in Chinese, too', async () => {
  setLanguage('zh');
  onTestFinished(() => setLanguage('en'));
  await until(() => pane.text().includes('小智接入点'));
});

it('imports a configuration of mcp_pipe and serves its servers as whole sources', async () => {
  const { url } = await withBroker();
  const { servers, endpoint } = window.connection.client;
  press('Add an endpoint');
  await until(() => page().includes('Copy it from the console'));
  type('Address', url);
  press('Chosen');
  press('Import MCP servers');
  const text = await until(() => document.body.querySelector<HTMLTextAreaElement>('.dialog textarea'));
  if (text === null) throw new Error('There is no field for the text.');
  text.value = '{"mcpServers": {"calculator": {"type": "stdio", "command": "python", "args": ["-m", "calculator"]}}}';
  text.dispatchEvent(new Event('input', { bubbles: true }));
  await until(() => page().includes('calculator'));
  press('Import 1 server');
  await until(() => page().includes('Imported: 1.'));
  const [server] = await servers.list();
  expect(server).toMatchObject({ name: 'calculator', state: 'asking', consumers: ['device'] });
  press('Save');
  await until(async () => (await endpoint.list()).length === 1);
  expect((await endpoint.list())[0]?.chosen).toEqual({ all: false, sources: [`mcp:${server?.id}`], tools: [] });
});

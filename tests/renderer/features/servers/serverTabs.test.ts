import { expect, it, vi } from 'vitest';

import ServersPane from '../../../../renderer/features/servers/ServersPane.vue';
import { useSettings } from '../../../../renderer/window/settingsStore.ts';
import { addServer, nodeServer, untilState } from '../../../core/features/servers/support.ts';
import { serveLegacy } from '../../../core/mcp/legacyServer.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened), { width: 1_400, height: 900 });

it('opens a server on the tab that explains its state, not on the runs of the server before', async () => {
  const config = { type: 'stdio' as const, args: [], env: [] };
  const { servers } = window.connection.client;
  const fresh = await servers.add({ ...config, name: 'fresh', command: 'fresh' });
  const failing = await addServer(window.workbench, { ...config, name: 'failing', command: '/nowhere/failing' });
  const pane = window.mount(ServersPane);
  const settings = window.use(() => useSettings());
  const shown = () => pane.find('[role=tab][aria-selected=true]').text();
  const title = () => pane.find('.detail-head h2').text();
  const choose = async (name: string, id: string) => {
    settings.remember('servers.chosen', id);
    await vi.waitUntil(() => pane.find('.detail-head').exists() && title() === name);
  };
  await choose('fresh', fresh.id);
  expect(shown()).toContain('Tools');
  await pane
    .findAll('[role=tab]')
    .find((tab) => tab.text().startsWith('Conformance'))!
    .trigger('click');
  expect(shown()).toContain('Conformance');
  await choose('failing', failing);
  await vi.waitUntil(() => shown() === 'Log');
  await choose('fresh', fresh.id);
  expect(shown()).toContain('Tools');
  // Asked for in the palette.
  await choose('failing', failing);
  settings.remember('servers.tabOf', fresh.id);
  await choose('fresh', fresh.id);
  expect(shown()).toContain('Conformance');
});

it('says of a ready server how many of its lines on stdout are no messages, and leads to its log', async () => {
  const answers = `
    console.log('Listening'); console.log('on stdio');
    require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      if (id === undefined) return;
      const said = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
      if (method === 'initialize')
        said({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } });
      else if (method === 'tools/list') said({ tools: [] });
      else console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }));
    });`;
  const config = { type: 'stdio' as const, name: 'chatty', command: process.execPath, args: ['-e', answers], env: [] };
  await addServer(window.workbench, config);
  await untilState(window.workbench, 'ready');
  const pane = window.mount(ServersPane);
  const hint = await vi.waitUntil(() => pane.findAll('button').find((each) => /lines on stdout/.test(each.text())));
  expect(hint.text()).toBe('2 lines on stdout are not JSON-RPC');
  await hint.trigger('click');
  expect(pane.find('[role=tab][aria-selected=true]').text()).toBe('Log');
});

it('describes entries of the list of tools that cannot be used', async () => {
  const inputSchema = { type: 'object' };
  const server = await serveLegacy(({ method }) =>
    method === 'tools/list' ? { tools: [{ name: 'a', inputSchema }, { inputSchema }, { name: 'b' }] } : undefined,
  );
  await addServer(window.workbench, { name: 'odd', type: 'http', url: server.url, headers: [] });
  await untilState(window.workbench, 'ready');
  const pane = window.mount(ServersPane);
  await vi.waitUntil(() => pane.find('.faults').exists());
  expect(pane.find('.faults').text()).toBe(
    'Entry 2 of the tool list has no name and cannot be used. "b" has no inputSchema and cannot be used.',
  );
});

it('finds a tool among many by its name and its description', async () => {
  const tools = Array.from({ length: 40 }, (_, at) => ({
    name: `tool_${at}`,
    description: `Does ${at === 7 ? 'one' : 'another'} thing.`,
    inputSchema: { type: 'object' },
  }));
  const server = await serveLegacy(({ method }) => (method === 'tools/list' ? { tools } : undefined));
  await addServer(window.workbench, { name: 'many', type: 'http', url: server.url, headers: [] });
  await untilState(window.workbench, 'ready');
  const pane = window.mount(ServersPane);
  const search = await vi.waitUntil(() =>
    pane.findAll('input').find((each) => each.element.ariaLabel === 'Search tools'),
  );
  const listed = () => pane.findAll('[role=listbox][aria-label^=Tools] [role=option]').map((each) => each.text());
  await search.setValue('one');
  await vi.waitUntil(() => listed().length === 1);
  expect(listed()[0]).toContain('tool_7');
  await search.setValue('tool_39');
  await vi.waitUntil(() => listed()[0]?.includes('tool_39'));
  await search.setValue('nothing');
  await vi.waitUntil(() => pane.text().includes('No tool matches.'));
});

it('asks about several servers one after the other, until the user leaves the others for later', async () => {
  const { servers } = window.connection.client;
  for (const name of ['a', 'b', 'c']) await servers.add(nodeServer(name, ['-e', '']));
  const pane = window.mount(ServersPane);
  const review = () => pane.findAll('button').find((each) => each.text() === 'Review 3 servers one after the other');
  await vi.waitUntil(() => review() !== undefined);
  await review()?.trigger('click');
  const title = () => document.querySelector('[role=alertdialog] h2')?.textContent;
  const press = (word: string) =>
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent.includes(word))!.click();
  await vi.waitUntil(() => title() === 'Start “a” for the first time?');
  expect(document.body.textContent).toContain('Decide on all 3 later');
  press('Don’t start');
  await vi.waitUntil(() => title() === 'Start “b” for the first time?');
  press('Decide on all 2 later');
  await vi.waitUntil(() => title() === undefined);
  expect((await servers.list()).filter(({ state }) => state === 'asking').map(({ name }) => name)).toEqual(['b', 'c']);
});

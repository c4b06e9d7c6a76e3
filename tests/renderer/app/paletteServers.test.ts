import { expect, it, vi } from 'vitest';

import { useServers } from '../../../renderer/features/servers/serversStore.ts';
import { useSettings } from '../../../renderer/window/settingsStore.ts';
import { addServer } from '../../core/features/servers/support.ts';
import { serveLegacy } from '../../core/mcp/legacyServer.ts';
import { type TestWindow, windowForEachTest } from '../openWindow.ts';
import { openPalette } from './openPalette.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));
const open = () => openPalette(window);

it('finds prompts, resources and tabs of a ready server, and opens the tab', async () => {
  const settings = window.use(() => useSettings());
  const prompts = [{ name: 'dun_customer', description: 'Writes a reminder' }];
  const resources = [{ name: 'ledger', uri: 'billing://book' }];
  const answers: Record<string, object> = { 'prompts/list': { prompts }, 'resources/list': { resources } };
  const server = await serveLegacy(({ method }) => answers[method] as Record<string, unknown>, {
    prompts: {},
    resources: {},
  });
  const id = await addServer(window.workbench, { name: 'billing', type: 'http', url: server.url, headers: [] });
  const { navigation, type, press, options, active } = await open();
  await type('dun_customer');
  await vi.waitUntil(() => active().includes('dun_customer'));
  expect(active()).toContain('Prompts · billing');
  for (const words of ['ledger', 'book']) {
    await type(words);
    expect(options().join()).toMatch(/ledger.*Resources · billing/);
  }
  await type('billing');
  expect(options().filter((option) => option.includes('billing'))).not.toContainEqual(
    expect.stringMatching(/Conformance|dun_customer/),
  );
  await type('billing conformance');
  expect(active()).toMatch(/^Conformancebilling/);
  await press('Enter');
  expect(navigation.pane).toBe('servers');
  expect(settings.own).toMatchObject({ 'servers.chosen': id, 'servers.tab': 'conformance', 'servers.tabOf': id });
});

it('tells two resources of one name apart, so that each can be reached', async () => {
  const resources = ['lab://one', 'lab://two'].map((uri) => ({ name: 'README.md', uri }));
  const server = await serveLegacy(({ method }) => (method === 'resources/list' ? { resources } : undefined), {
    resources: {},
  });
  await addServer(window.workbench, { name: 'lab', type: 'http', url: server.url, headers: [] });
  const { type, press, options } = await open();
  await type('README.md');
  await vi.waitUntil(() => options().filter((option) => option.includes('README.md')).length === 2);
  const marked = (): number[] =>
    [...document.querySelectorAll('[role="option"]')].flatMap((option, at) =>
      option.getAttribute('aria-selected') === 'true' ? [at] : [],
    );
  expect(marked()).toEqual([0]);
  await press('ArrowDown');
  expect(marked()).toEqual([1]);
});

it('finds an MCP server that lists no tools, also by a mistyped name, and shows it in Servers', async () => {
  const config = { type: 'stdio' as const, command: '/nowhere/crashy', args: [], env: [] };
  const { id } = await window.connection.client.servers.add({ name: 'Weather lab', ...config });
  const servers = window.use(() => useServers());
  await vi.waitUntil(() => servers.list.length === 1);
  const { navigation, type, press, options, active } = await open();
  await type('wether lab');
  expect(options()).toHaveLength(1);
  await type('weather');
  expect(active()).toContain('Weather labServers · Needs approval');
  await press('Enter');
  expect(navigation.pane).toBe('servers');
  expect(window.use(() => useSettings()).own['servers.chosen']).toBe(id);
});

import { flushPromises } from '@vue/test-utils';
import { expect, it, vi } from 'vitest';

import ToolsTab from '../../../../renderer/features/servers/detail/ToolsTab.vue';
import { useServers } from '../../../../renderer/features/servers/serversStore.ts';
import { addServer, untilState } from '../../../core/features/servers/support.ts';
import { serveLegacy } from '../../../core/mcp/legacyServer.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

it('shows under which name hosts call a tool, and a type that JSON Schema does not have', async () => {
  const { workbench } = window;
  const inputSchema = { type: 'object', properties: { at: { type: 'datum' } } };
  const tools = [
    { name: 'read.file', inputSchema },
    { name: 'plain', description: 'Does little.', inputSchema: { type: 'object' } },
  ];
  const { url } = await serveLegacy(({ method }) => (method === 'tools/list' ? { tools } : undefined));
  const id = await addServer(workbench, { name: 'lab', type: 'http', url, headers: [] });
  const server = await untilState(workbench, 'ready');
  const { servers } = workbench.services;
  await servers.setConsumers({ id, consumers: ['host'] });
  await vi.waitUntil(() => window.use(useServers).byId.has(id));
  const tab = window.mount(ToolsTab, { server, detail: await servers.detail({ id }) });
  await vi.waitUntil(() => tab.text().includes('Hosts call it “lab_read_file”.'));
  expect(tab.text()).toContain('The schema of the parameters has the unknown type "datum", which is not checked.');
  workbench.services.hosts.rename({ name: 'lab_read_file', to: 'lab_reader' });
  await vi.waitUntil(() => tab.text().includes('Hosts call it “lab_reader”.'));
  const plain = tab.findAll('[role="option"]')[1]!;
  expect(plain.text()).toContain('Does little.');
  await plain.trigger('click');
  await flushPromises();
  expect(tab.text()).not.toMatch(/Hosts call it|unknown type/);
});

it('shows the search for as long as it filters, however few tools are left', async () => {
  const { workbench } = window;
  const tools = Array.from({ length: 13 }, (_, at) => ({ name: `tool-${at}`, inputSchema: { type: 'object' } }));
  const { url } = await serveLegacy(({ method }) => (method === 'tools/list' ? { tools } : undefined));
  const id = await addServer(workbench, { name: 'lab', type: 'http', url, headers: [] });
  const server = await untilState(workbench, 'ready');
  const detail = await workbench.services.servers.detail({ id });
  const tab = window.mount(ToolsTab, { server, detail });
  const shown = () => tab.findAll('[role="option"]').length;
  await tab.get('.find input').setValue('tool-12');
  await vi.waitUntil(() => shown() === 1);
  await tab.setProps({ server, detail: { ...detail, tools: detail.tools.slice(0, 12) } });
  expect(shown()).toBe(0);
  await tab.get('.find input').setValue('');
  await vi.waitUntil(() => !tab.find('.find').exists());
  expect(shown()).toBe(12);
});

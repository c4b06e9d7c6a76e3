import { expect, it, vi } from 'vitest';

import { useCalls } from '../../../../renderer/features/calls/callsStore.ts';
import ServersPane from '../../../../renderer/features/servers/ServersPane.vue';
import { serveLegacy } from '../../../core/mcp/legacyServer.ts';
import { addServer, untilState } from '../../../core/features/servers/support.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened), { width: 1_400, height: 900 });

it('says which tools came with the permission to ask a model, and leads to them', async () => {
  const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
  let starts = 0;
  const server = await serveLegacy(({ method }) => {
    if (method !== 'tools/list') return undefined;
    starts += 1;
    return { tools: starts === 1 ? [tool('read')] : [tool('read'), tool('think')] };
  });
  await addServer(window.workbench, { name: 'lab', type: 'http', url: server.url, headers: [] });
  await untilState(window.workbench, 'ready');
  const pane = window.mount(ServersPane);
  const tabOf = (name: string) => pane.findAll('[role=tab]').find((each) => each.text().startsWith(name));
  await (await vi.waitUntil(() => tabOf('Access'))).trigger('click');
  const allowed = await vi.waitUntil(() => pane.findAll('[role=switch]').at(0));
  await allowed.trigger('click');
  await vi.waitUntil(() => pane.text().includes('1 tool is new or changed.'));
  await pane
    .findAll('button')
    .find((each) => each.text() === 'Show in Tools')!
    .trigger('click');
  expect(tabOf('Tools')?.attributes('aria-selected')).toBe('true');
});

it('asks before a change restarts the server and so ends its running call', async () => {
  const tools = [{ name: 'slow', inputSchema: { type: 'object' } }];
  const server = await serveLegacy(({ method }) => {
    if (method === 'tools/call') return new Promise<never>(() => {});
    return method === 'tools/list' ? { tools } : undefined;
  });
  await addServer(window.workbench, { name: 'lab', type: 'http', url: server.url, headers: [] });
  await untilState(window.workbench, 'ready');
  const { calls } = window.workbench.services;
  const call = { callId: 'c', toolName: 'mcp-lab_slow', argsJson: '{}', origin: 'executor' as const };
  const ended = calls.execute(call);
  const pane = window.mount(ServersPane);
  await vi.waitUntil(() => window.use(useCalls).running.length === 1);
  const access = () => pane.findAll('[role=tab]').find((each) => each.text().startsWith('Access'));
  await (await vi.waitUntil(access)).trigger('click');
  const allowed = await vi.waitUntil(() => pane.findAll('[role=switch]').at(0));
  const question = () => document.querySelector('[role=alertdialog]');
  const press = (word: string) =>
    [...question()!.querySelectorAll('button')].find((each) => each.textContent.trim() === word)!.click();
  await allowed.trigger('click');
  await vi.waitUntil(question);
  expect(question()!.textContent).toContain('ends its running call: slow.');
  press('Cancel');
  await vi.waitUntil(() => question() === null);
  expect([calls.running().length, allowed.attributes('aria-checked')]).toEqual([1, 'false']);
  await allowed.trigger('click');
  await vi.waitUntil(question);
  press('Change and restart');
  expect((await ended).status).toBe('error');
  await vi.waitUntil(() => allowed.attributes('aria-checked') === 'true');
});

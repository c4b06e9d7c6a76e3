import { expect, it, vi } from 'vitest';

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

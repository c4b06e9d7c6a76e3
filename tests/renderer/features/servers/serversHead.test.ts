import { afterEach, expect, it, vi } from 'vitest';

import ServersPane from '../../../../renderer/features/servers/ServersPane.vue';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));
afterEach(() => vi.unstubAllGlobals());

it('has its actions in a narrow window in the order in which a wide one has them', async () => {
  const query = { matches: true, addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal('matchMedia', () => query);
  await window.connection.client.servers.add({ name: 'lab', type: 'stdio', command: 'lab', args: [], env: [] });
  const pane = window.mount(ServersPane);
  await vi.waitUntil(() => pane.find('.head button[aria-label="Export"]').exists());
  const labels = pane.findAll('.head button').map((button) => button.attributes('aria-label'));
  expect(labels.filter((label) => label !== undefined)).toEqual(['Import', 'Export', 'Add a server']);
});

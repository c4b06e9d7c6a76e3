import { expect, it, vi } from 'vitest';

import ServersPane from '../../../../renderer/features/servers/ServersPane.vue';
import { useSettings } from '../../../../renderer/window/settingsStore.ts';
import { addServer } from '../../../core/features/servers/support.ts';
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
});

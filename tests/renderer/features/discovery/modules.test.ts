/** The user's own modules in Discovery: how to add one, the cause in a row, and a file that was deleted. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import DiscoveryPane from '../../../../renderer/features/discovery/DiscoveryPane.vue';
import { useTools } from '../../../../renderer/features/discovery/toolsStore.ts';
import { useSettings } from '../../../../renderer/window/settingsStore.ts';
import { giveLayout } from '../../layout.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
let undoLayout: () => void;
beforeEach(() => (undoLayout = giveLayout()));
afterEach(() => undoLayout());
windowForEachTest((opened) => (window = opened));

it('names the folder for modules while there is none', async () => {
  const { modulesDir } = await window.connection.client.workbench.info();
  const pane = window.mount(DiscoveryPane, {});
  await vi.waitUntil(() => pane.find('.module-invite').exists());
  expect(pane.get('.module-invite').text()).toContain(modulesDir);
});

it('invites before the tools until one is added, and below them from then on', async () => {
  const { client } = window.connection;
  await client.tools.whenLoaded();
  const pane = window.mount(DiscoveryPane, {});
  await vi.waitUntil(() => pane.find('.invite').exists() && pane.find('.tool-grid').exists());
  const isLast = (): boolean =>
    (pane.get('.tool-grid').element.compareDocumentPosition(pane.get('.invite').element) &
      Node.DOCUMENT_POSITION_FOLLOWING) !==
    0;
  expect(isLast()).toBe(false);
  const { modulesDir } = await client.workbench.info();
  await writeFile(
    join(modulesDir, 'own.js'),
    `export default { methods: { go: { description: 'x', handler: () => 1 } } };`,
  );
  await vi.waitUntil(() => window.use(() => useTools()).byId.has('own'));
  await vi.waitUntil(isLast);
});

it('shows the cause in a row, and that a file was deleted', async () => {
  const { client } = window.connection;
  const { modulesDir } = await client.workbench.info();
  await client.tools.whenLoaded();
  const file = join(modulesDir, 'odd.js');
  await writeFile(
    file,
    `export default { pluginType: 'x', methods: { go: { description: 'Goes.', paramters: {}, handler: () => 1 } } };`,
  );
  const tools = window.use(() => useTools());
  await vi.waitUntil(() => tools.byId.has('odd'));
  window.use(() => useSettings()).remember('discovery.layout', 'rows');
  const pane = window.mount(DiscoveryPane, {});
  const row = (): string =>
    pane
      .findAll('.tool-row')
      .find((each) => each.text().includes('odd'))
      ?.text() ?? '';
  await vi.waitUntil(() => row().includes('unknown field'));
  expect(pane.find('.module-invite').exists()).toBe(false);
  // The tool's own unknown field is harmless; that of its only method is not.
  expect(row()).toContain('go · has an unknown field "paramters"');
  expect(row()).not.toContain('pluginType');

  await pane
    .findAll('.tool-row')
    .find((each) => each.text().includes('odd'))!
    .trigger('click');
  await vi.waitUntil(() => pane.find('.tool-detail .detail-head h2').text() === 'odd');
  expect(pane.find('.tool-detail .detail-head [role="switch"]').exists()).toBe(false);

  await rm(file);
  await vi.waitUntil(() => row().includes('Deleted'));
  expect(row()).toContain('The file odd.js was deleted. It is reloaded when you restore the file.');
  expect(row()).not.toContain('disconnected');
  expect(pane.get('.tool-detail > .banner').text()).toBe(
    'The file odd.js was deleted. It is reloaded when you restore the file.',
  );
});

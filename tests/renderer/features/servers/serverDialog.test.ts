import { it, vi } from 'vitest';

import ServerDialog from '../../../../renderer/features/servers/edit/ServerDialog.vue';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

const labelOfFocus = () => document.activeElement?.getAttribute('aria-label');

it('goes to the name of a variable that is added', async () => {
  window.mount(ServerDialog, { id: 'new' });
  const add = await vi.waitUntil(() =>
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === 'Add variable'),
  );
  for (const n of [1, 2]) {
    add.click();
    await vi.waitUntil(() => labelOfFocus() === `Environment: name ${n}`);
  }
});

it('begins with a new header if one is missing, which is nothing to lose yet', async () => {
  const headers = [{ name: 'X-Lab', value: 'bench' }];
  const config = { name: 'lab', type: 'http' as const, url: 'http://127.0.0.1:9/mcp', headers };
  const { id } = await window.workbench.services.servers.add(config);
  const dialog = window.mount(ServerDialog, { id, adds: 'header' });
  await vi.waitUntil(() => labelOfFocus() === 'Headers: name 2');
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  await vi.waitUntil(() => dialog.emitted('close'));
});

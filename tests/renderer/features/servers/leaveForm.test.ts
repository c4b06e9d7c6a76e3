import { flushPromises } from '@vue/test-utils';
import { expect, it, vi } from 'vitest';

import EndpointDialog from '../../../../renderer/features/hosts/endpoints/EndpointDialog.vue';
import ServerDialog from '../../../../renderer/features/servers/edit/ServerDialog.vue';
import ImportDialog from '../../../../renderer/features/servers/transfer/ImportDialog.vue';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

it.each([
  ['Add a server', ServerDialog, { id: 'new' }, 'input[aria-label="Name"]'],
  ['Add an endpoint', EndpointDialog, { endpoint: 'new' }, 'input[aria-label="Address"]'],
  ['Import', ImportDialog, { given: { text: '' } }, 'textarea'],
])('%s: Escape asks before it discards what was typed', async (_, component, props, selector) => {
  const dialog = window.mount(component, props);
  const press = (word: string) =>
    [...document.querySelectorAll<HTMLElement>('button')].find((each) => each.textContent.trim() === word)!.click();
  const escape = () =>
    document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  const field = await vi.waitUntil(() =>
    document.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[role="dialog"] ${selector}`),
  );
  field.focus();
  field.value = 'pin';
  field.dispatchEvent(new Event('input'));
  await flushPromises();
  escape();
  await vi.waitUntil(() => document.querySelector('[role="alertdialog"]')?.textContent?.includes('Discard changes?'));
  expect(dialog.emitted('close')).toBeUndefined();
  press('Keep editing');
  await vi.waitUntil(() => document.querySelector('[role="alertdialog"]') === null);
  expect(field.value).toBe('pin');
  escape();
  await vi.waitUntil(() => document.querySelector('[role="alertdialog"]'));
  press('Discard');
  await vi.waitUntil(() => dialog.emitted('close'));
});

/** What the tests of the Chat pane share. */
import type { VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, expect, vi } from 'vitest';

import ChatPane from '../../../../renderer/features/chat/ChatPane.vue';
import type { ModelScript } from '../../../../src-core/contract/types.ts';
import { giveLayout } from '../../layout.ts';
import { openWindow, type TestWindow } from '../../openWindow.ts';

/** Of the test that runs. */
export let window: TestWindow;

/** Opens a window before each test of a file, and closes it after it. */
export function useChatWindow(): void {
  let undoLayout: () => void;
  beforeEach(async () => {
    undoLayout = giveLayout();
    window = await openWindow();
  });
  afterEach(async () => {
    await window.close();
    undoLayout();
    expect(window.errors).toEqual([]);
  });
}

export const client = () => window.connection.client.chat;
export const until = (check: () => boolean) => vi.waitUntil(check);
export const button = (pane: VueWrapper, name: string) => {
  const found = pane.findAll('button').find((one) => one.text() === name || one.attributes('aria-label') === name);
  if (found === undefined) throw new Error(`No button “${name}”`);
  return found;
};
export const script = (value: ModelScript) =>
  window.connection.client.models.save({
    kind: 'scripted',
    id: 'scripted',
    label: 'Scripted model',
    script: JSON.parse(JSON.stringify(value)) as never,
  });

export async function openChatPane(): Promise<VueWrapper> {
  const pane = window.mount(ChatPane);
  await until(() => pane.find('.empty, .list-row').exists());
  return pane;
}

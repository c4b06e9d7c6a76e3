import { nextTick } from 'vue';
import { vi } from 'vitest';

import CommandPalette from '../../../renderer/app/CommandPalette.vue';
import { useCommands } from '../../../renderer/app/useCommands.ts';
import { useTools } from '../../../renderer/features/discovery/toolsStore.ts';
import { useNavigation } from '../../../renderer/window/navigation.ts';
import type { TestWindow } from '../openWindow.ts';
import { waitForSearch } from '../waitForSearch.ts';

/** Opens the palette, and returns what a user does and sees in it. */
export async function openPalette(window: TestWindow) {
  const tools = window.use(() => useTools());
  const navigation = window.use(() => useNavigation());
  const commands = window.use(() => useCommands());
  await vi.waitUntil(() => tools.loaded);
  window.mount(CommandPalette, { commands });
  navigation.overlay = 'palette';
  const input = await vi.waitUntil(() => document.querySelector<HTMLInputElement>('.palette input'));
  const type = async (text: string): Promise<void> => {
    input.value = text;
    input.dispatchEvent(new Event('input'));
    await waitForSearch();
  };
  const press = async (key: string, keys: KeyboardEventInit = {}): Promise<void> => {
    input.dispatchEvent(new KeyboardEvent('keydown', { ...keys, key, bubbles: true, cancelable: true }));
    await nextTick();
  };
  const options = (): string[] =>
    [...document.querySelectorAll('.palette [role="option"]')].map((option) => option.textContent ?? '');
  const active = (): string =>
    document.getElementById(input.getAttribute('aria-activedescendant') ?? '')?.textContent ?? '';
  return { navigation, type, press, options, active };
}

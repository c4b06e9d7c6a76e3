import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { vi } from 'vitest';

/** Waits until it holds; long, since a busy machine is slow. */
export const until = <T>(holds: () => T | Promise<T>) => vi.waitUntil(holds);

/** The button with this word on it, or with this name. */
export function button(within: VueWrapper, word: string): HTMLElement {
  const found = within
    .findAll<HTMLElement>('button')
    .find(
      ({ element }) => element.textContent?.includes(word) || element.getAttribute('aria-label')?.includes(word),
    )?.element;
  if (!found) throw new Error(`No button “${word}” in: ${within.text()}`);
  return found;
}

export async function press(element: HTMLElement): Promise<void> {
  element.click();
  await flushPromises();
}

/** Opens the menu of a button, and takes the item with this word. */
export async function choose(opener: HTMLElement, word: string): Promise<void> {
  opener.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  const item = await until(() =>
    [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')].find((one) => one.textContent?.includes(word)),
  );
  item.focus();
  item.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  await until(() => document.querySelector('[role="menuitem"]') === null);
}

/** Opens a menu, and returns the words of its items that match; the menu is closed again. */
export async function menuItems(opener: HTMLElement, matching = ''): Promise<string[]> {
  opener.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  const items = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(`[role="menuitem"]${matching}`)];
  await until(() => items().length > 0);
  const words = items().map((item) => item.querySelector('span')?.textContent ?? '');
  items()[0]?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  await until(() => document.querySelector('[role="menuitem"]') === null);
  // A menu that opens before the focus is back would be closed by that.
  await until(() => document.activeElement === opener);
  return words;
}

/** The open dialog of this title. */
export async function dialog(title: string): Promise<HTMLElement> {
  return until(() =>
    [...document.querySelectorAll<HTMLElement>('[role="dialog"], [role="alertdialog"]')].find((one) =>
      one.querySelector('h2')?.textContent.includes(title),
    ),
  );
}

import { useEventListener } from '@vueuse/core';
import { getCurrentInstance, inject, onActivated, onDeactivated } from 'vue';

import { paneHostKey } from './paneHost.ts';
import { isMac } from './platform.ts';

/** What a key does. `false` leaves the key to whoever else wants it. */
export type HotkeyAction = (event: KeyboardEvent) => unknown;

/**
 * Listens for keys while the component lives and its pane is in front: of two halves, the one that has the focus. Keys are written `mod+k`, `mod+shift+d`, `/`,
 * `f6`, `escape`; `mod` is ⌘ on a Mac and Ctrl elsewhere. A plain character is not taken while the person types into a
 * field, nor while a dialog is open over the pane.
 */
export function useHotkeys(bindings: Record<string, HotkeyAction>, target: EventTarget = window): void {
  const byKey = new Map(Object.entries(bindings));
  let active = true;
  const component = getCurrentInstance();
  const host = component ? inject(paneHostKey, undefined) : undefined;
  if (component) {
    onActivated(() => (active = true));
    onDeactivated(() => (active = false));
  }
  useEventListener(target, 'keydown', (event: Event) => {
    if (
      !active ||
      host?.inFront.value === false ||
      !(event instanceof KeyboardEvent) ||
      isSpentOn(event) ||
      event.isComposing
    )
      return;
    const action = byKey.get(describe(event));
    if (!action || (isPlainCharacter(event) && isTaken(event.target))) return;
    if (action(event) !== false) event.preventDefault();
  });
}

/** Somebody took the key. Not so a radio button: reka-ui's swallows Enter, chords of it included, and does nothing with it. */
function isSpentOn(event: KeyboardEvent): boolean {
  const radio = event.target instanceof Element && event.target.matches('[role="radio"]');
  return event.defaultPrevented && !(radio && event.key === 'Enter');
}

function describe(event: KeyboardEvent): string {
  const mod = isMac ? event.metaKey : event.ctrlKey;
  const key = event.key.toLowerCase();
  // `?` needs Shift on most keyboards; it is the character that counts.
  const shift = event.shiftKey && !(key.length === 1 && key.toUpperCase() === key);
  return [mod && 'mod', event.altKey && 'alt', shift && 'shift', key].filter(Boolean).join('+');
}

function isPlainCharacter(event: KeyboardEvent): boolean {
  return event.key.length === 1 && !event.metaKey && !event.ctrlKey && !event.altKey;
}

function isTaken(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const typing = target.isContentEditable || target.matches('input, textarea, select, [role="textbox"]');
  return (
    typing ||
    target.closest('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"][data-state]') !== null
  );
}

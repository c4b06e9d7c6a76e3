import { useEventListener } from '@vueuse/core';

import { isMac } from './platform.ts';

/** What a key does. `false` leaves the key to whoever else wants it. */
export type HotkeyAction = (event: KeyboardEvent) => unknown;

/**
 * Listens for keys while the component lives. Keys are written `mod+k`, `mod+shift+d`, `/`, `f6`, `escape`; `mod` is ⌘
 * on a Mac and Ctrl elsewhere. A plain character is not taken while the person types into a field.
 */
export function useHotkeys(bindings: Record<string, HotkeyAction>, target: EventTarget = window): void {
  const byKey = new Map(Object.entries(bindings));
  useEventListener(target, 'keydown', (event: Event) => {
    if (!(event instanceof KeyboardEvent) || event.defaultPrevented || event.isComposing) return;
    const action = byKey.get(describe(event));
    if (!action || (isPlainCharacter(event) && isTyping(event.target))) return;
    if (action(event) !== false) event.preventDefault();
  });
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

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"]'))
  );
}

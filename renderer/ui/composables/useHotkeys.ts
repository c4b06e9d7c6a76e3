import { useEventListener } from '@vueuse/core';
import { getCurrentInstance, inject, onActivated, onDeactivated } from 'vue';

import { paneHostKey } from '../../window/paneHost.ts';
import { isMac } from './platform.ts';

/** What a key does. `false` leaves the key to other handlers. */
export type HotkeyAction = (event: KeyboardEvent) => unknown;

/**
 * Listens for keys while the component lives and its pane is in front: of two halves, the one that has the focus. Keys are written `mod+k`, `mod+shift+d`, `/`,
 * `f6`, `escape`; `mod` is ⌘ on a Mac and Ctrl elsewhere. A plain character is not taken while the user types into a
 * field, nor Enter and Escape in `data-own-keys`. Under an open dialog or menu only what is in it and `overDialogs` take keys.
 */
export function useHotkeys(
  bindings: Record<string, HotkeyAction>,
  { overDialogs = false }: { overDialogs?: boolean } = {},
): void {
  const byKey = new Map(Object.entries(bindings));
  let active = true;
  const component = getCurrentInstance();
  const host = component ? inject(paneHostKey, undefined) : undefined;
  if (component) {
    onActivated(() => (active = true));
    onDeactivated(() => (active = false));
  }
  const own = (): Element | null => {
    const node = component?.vnode.el;
    return node instanceof Element ? node : node instanceof Node ? node.parentElement : null;
  };

  function take(event: KeyboardEvent): boolean {
    if (!active || host?.inFront.value === false || event.defaultPrevented || event.isComposing) return false;
    const action = byKey.get(describe(event));
    if (!action || (isPlainCharacter(event) && isTaken(event.target))) return false;
    const isOwn = ['Enter', 'Escape'].includes(event.key) && document.activeElement?.closest('[data-own-keys]');
    if ((!overDialogs && (isOwn || isCovered(own()))) || action(event) === false) return false;
    event.preventDefault();
    return true;
  }

  useEventListener(window, 'keydown', take);
  // A switch, a row or an editor does something of its own at Enter: within the pane its chords come before that.
  useEventListener(
    window,
    'keydown',
    (event) => {
      const pane = own()?.closest('[data-pane]');
      const inPane = event.target instanceof Element && pane?.contains(event.target) === true;
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && inPane && take(event)) event.stopPropagation();
    },
    { capture: true },
  );
}

/** Whether a dialog or menu is open over the element. */
function isCovered(element: Element | null): boolean {
  const open = [...document.querySelectorAll(overlays)].at(-1);
  return open !== undefined && !open.contains(element);
}

const overlays = ['dialog', 'alertdialog', 'menu', 'listbox']
  .map((role) => `[role="${role}"][data-state="open"]`)
  .join();

function describe(event: KeyboardEvent): string {
  const mod = isMac ? event.metaKey : event.ctrlKey;
  // With ⌥, a Mac writes another character.
  const key =
    event.altKey && /^Key[A-Z]$/.test(event.code) ? event.code.slice(3).toLowerCase() : event.key.toLowerCase();
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

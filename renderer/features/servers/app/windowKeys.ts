import { isMac } from '../../../ui/composables/platform.ts';
import type { JsonObject } from '../../../../src-core/contract/types.ts';

/** The notification of an App's page that a key of the window was pressed in it. */
export const keyPressed = 'ui/notifications/toolwire-key';

/** With ⌘ or Ctrl: the panes, the settings and the palette. */
const chords = '^[1-9,k]$';

/** Runs in the page of an App, before its own scripts. A key that the App handles with `preventDefault` stays with it. */
const script = `<script>(() => {
  const page = parent;
  addEventListener('keydown', (event) => {
    const { ctrlKey, metaKey, shiftKey: shift, altKey } = event;
    const key = event.key.toLowerCase();
    const mod = ${isMac ? 'metaKey' : 'ctrlKey'};
    if (!event.isTrusted || event.defaultPrevented || altKey || (${isMac ? 'ctrlKey' : 'metaKey'})) return;
    if (key !== 'f6' && !(mod && !shift && /${chords}/.test(key))) return;
    event.preventDefault();
    page.postMessage({ jsonrpc: '2.0', method: '${keyPressed}', params: { key, mod, shift } }, '*');
  });
})();</script>`;

/** The page of an App that leaves the keys of the window to the window. */
export function withWindowKeys(html: string): string {
  // Before the type of the document, it would be another document.
  const [doctype = ''] = /^\s*<!doctype[^>]*>/i.exec(html) ?? [];
  return doctype + script + html.slice(doctype.length);
}

/**
 * Passes a key of an App on to the window. The App can send it at any time: it counts only if it is one of these keys, and the user is in
 * the App. They only open panes and the palette, and move the focus.
 */
export function passKeyOn(frame: HTMLElement, { key, mod, shift }: JsonObject): void {
  const isChord = mod === true && shift !== true && new RegExp(chords).test(String(key));
  if (key !== 'f6' && !isChord) return;
  const activation: UserActivation | undefined = navigator.userActivation;
  if (document.activeElement !== frame || activation?.isActive === false) return;
  const chord = { [isMac ? 'metaKey' : 'ctrlKey']: mod === true, shiftKey: shift === true };
  frame.dispatchEvent(new KeyboardEvent('keydown', { key: String(key), ...chord, bubbles: true, cancelable: true }));
}

import { useEventListener } from '@vueuse/core';

/**
 * Runs `save` when the window is hidden or left, which may be the last that the page does: no answer comes any more. A setting
 * that is changed there is sent at once. `back` runs where it is seen again after all.
 */
export function useBeforeLeaving(save: () => void, back: () => void = () => undefined): void {
  useEventListener(window, 'pagehide', save);
  useEventListener(window, 'pageshow', back);
  useEventListener(document, 'visibilitychange', () => (document.visibilityState === 'hidden' ? save() : back()));
}

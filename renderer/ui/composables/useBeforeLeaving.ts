import { useEventListener } from '@vueuse/core';

/**
 * Runs `save` when the window is hidden or left. This may be the last code that the page runs, without waiting for an
 * answer, so settings changed in it are sent immediately. Runs `back` if the window becomes visible again.
 */
export function useBeforeLeaving(save: () => void, back: () => void = () => undefined): void {
  useEventListener(window, 'pagehide', save);
  useEventListener(window, 'pageshow', back);
  useEventListener(document, 'visibilitychange', () => (document.visibilityState === 'hidden' ? save() : back()));
}

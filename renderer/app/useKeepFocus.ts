import { useEventListener, useTimeoutFn } from '@vueuse/core';
import { onScopeDispose } from 'vue';

/** ms after a click or a key in which what it removes is missed. */
const watchedMs = 3_000;
const mostKept = 16;
/** ms in which whatever removed it may move the focus itself. */
const othersMs = 100;
/** What returns the focus by itself. */
const modal = '[role="dialog"], [role="alertdialog"], [role="menu"]';

/**
 * If a click or a key removes what has the focus, such as the button that closes a region, the focus returns to the element
 * that had it before and is still there, or else to the list of the pane.
 */
export function useKeepFocus(): void {
  /** Elements that had the focus, the last one at the end. */
  const before: HTMLElement[] = [];
  const soon = useTimeoutFn(restore, othersMs, { immediate: false });
  // It is not started again by every row that is added meanwhile.
  const observer = new MutationObserver(() => {
    if (document.activeElement === document.body && !soon.isPending.value) soon.start();
  });
  const { start } = useTimeoutFn(() => observer.disconnect(), watchedMs, { immediate: false });
  onScopeDispose(() => observer.disconnect());

  useEventListener(document, 'focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || target === before.at(-1)) return;
    before.push(target);
    if (before.length > mostKept) before.shift();
  });
  useEventListener(document, ['click', 'keydown'], watchRemoval, { capture: true });

  function watchRemoval(): void {
    observer.observe(document.body, { childList: true, subtree: true });
    start();
  }

  function restore(): void {
    const gone = before.at(-1);
    if (document.activeElement !== document.body || gone === undefined || gone.isConnected) return;
    if (document.querySelector(modal) !== null) return;
    const there = before.findLast((element) => element.isConnected && element.checkVisibility?.() !== false);
    const pane = document.querySelector<HTMLElement>('[data-half]');
    (there ?? pane?.querySelector<HTMLElement>(':is([role="listbox"], [role="grid"])[tabindex="0"]') ?? pane)?.focus({
      preventScroll: true,
    });
  }
}

/**
 * To be called before what removes `from`, the element with the focus. Once it is gone, and the focus with it, the first of `places`
 * (selectors) in the same region gets the focus, or else the region. If the user moves the focus before that, nothing is done.
 */
export function keepFocus(places: string, from = document.activeElement): void {
  const region = from?.closest<HTMLElement>('[data-region]');
  // The queue moves the focus to its next item itself.
  if (!from || !region || region.closest('.waiting-queue')) return;
  const moves = ({ target }: FocusEvent): void => {
    if (target !== from && target instanceof Element && !target.closest('[role="alertdialog"]')) stop();
  };
  const observer = new MutationObserver(() => {
    if (from.isConnected) return;
    stop();
    const place = region.querySelector<HTMLElement>(places) ?? region;
    if (place === region) region.tabIndex = -1;
    place.focus();
  });
  function stop(): void {
    observer.disconnect();
    document.removeEventListener('focusin', moves);
  }
  document.addEventListener('focusin', moves);
  observer.observe(region, { childList: true, subtree: true });
}

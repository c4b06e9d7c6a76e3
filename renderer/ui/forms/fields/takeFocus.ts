/** Focuses a new control and selects its value, so that typing replaces it. */
export function takeFocus(element: HTMLElement | null | undefined): void {
  element?.focus();
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) element.select();
}

/**
 * Puts the focus into a control that has just come: the value it came with is selected, so that what is typed replaces
 * it.
 */
export function takeFocus(element: HTMLElement | null | undefined): void {
  element?.focus();
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) element.select();
}

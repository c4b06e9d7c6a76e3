/** Puts the focus into the first field in `root` that is marked as invalid, and opens what hides it. */
export function focusInvalid(root: Element | null): void {
  const field = root?.querySelector<HTMLElement>('[aria-invalid="true"]');
  const details = field?.closest('details');
  if (details) details.open = true;
  field?.focus();
}

/** Asks the user for files, and passes on those that were chosen. */
export function pickFiles(options: { accept: string; label: string; take: (files: File[]) => void }): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = options.accept;
  input.multiple = true;
  input.ariaLabel = options.label;
  input.addEventListener('change', () => options.take([...(input.files ?? [])]));
  input.click();
}

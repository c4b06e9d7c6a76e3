/** A JSON pointer as the user writes it: `/turns/2/text` is `turns[2].text`. */
export function pointerToPath(pointer: string): string {
  const steps = pointer.split('/').slice(1);
  const plain = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return plain
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

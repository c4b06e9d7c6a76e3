/** One step of a path as it is written after `$`: `.name`, `["a name"]`, `[0]`. */
export function stepText(step: string | number): string {
  if (typeof step === 'number') return `[${String(step)}]`;
  return /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

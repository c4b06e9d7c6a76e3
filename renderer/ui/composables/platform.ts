const described = window.toolwireShell?.platform ?? navigator.userAgent;

/** Whether keys are named and used as on a Mac. */
export const isMac = /darwin|mac/i.test(described);

const macNames: Record<string, string> = { mod: '⌘', shift: '⇧', alt: '⌥' };
const otherNames: Record<string, string> = { mod: 'Ctrl', shift: 'Shift', alt: 'Alt' };
const caps: Record<string, string> = {
  enter: '⏎',
  delete: 'Del',
  escape: 'Esc',
  up: '↑',
  down: '↓',
  pageup: 'PgUp',
  pagedown: 'PgDn',
};

/** `mod+shift+d` as it stands on this keyboard: `⇧⌘D` or `Ctrl+Shift+D`. */
export function keyLabel(keys: string): string {
  const parts = keys.split('+');
  const names = isMac ? macNames : otherNames;
  const words = parts.map((part) => names[part] ?? caps[part] ?? (/^(.|f\d+)$/.test(part) ? part.toUpperCase() : part));
  if (!isMac) return words.join('+');
  // On a Mac ⌘ stands last of the modifiers.
  const order = ['⌥', '⇧', '⌘'];
  return words.sort((a, b) => rank(a) - rank(b)).join('');

  function rank(word: string): number {
    const at = order.indexOf(word);
    return at === -1 ? order.length : at;
  }
}

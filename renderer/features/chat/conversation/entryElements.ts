import type { ChatEntry } from '../../../../src-core/contract/types.ts';

/** About how many elements an entry takes in the page. Its Markdown and its calls are drawn in slices of their own. */
export function entryElements(entry: ChatEntry): number {
  // Reading and laying out a text takes as long as elements, too.
  const ofText = Math.round(entry.text.length / 250);
  return ofText + (entry.role === 'user' ? 40 : 120);
}

/** Offset of the first occurrence at or after `from`, `Infinity` if there is none. `from` never decreases. */
export type Finder = (from: number) => number;

/** Looks for one string, forwards only, and remembers: however often it is asked, it passes over the text once. */
export function createFinder(text: string, needle: string): Finder {
  let next = -1;
  return (from) => {
    if (next >= from) return next;
    const found = text.indexOf(needle, from);
    next = found < 0 ? Infinity : found;
    return next;
  };
}

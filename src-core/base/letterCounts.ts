/** How often each letter occurs in a text, for the comparison with many other texts. */
export interface LetterCounts {
  /** An upper bound of the number of UTF-16 code units that the text and `other` share, each as often as both have it. */
  sharedWith(other: string): number;
}

/** Code units that are equal modulo this number count as one. */
const slots = 128;

/** Counts the letters of `text`. A comparison is linear in the length of the other text. */
export function countLetters(text: string): LetterCounts {
  const counts = new Int32Array(slots);
  for (let at = 0; at < text.length; at += 1) add(counts, text.charCodeAt(at), 1);
  const left = new Int32Array(slots);
  return {
    sharedWith(other) {
      left.set(counts);
      let shared = 0;
      for (let at = 0; at < other.length; at += 1) if (add(left, other.charCodeAt(at), -1) >= 0) shared += 1;
      return shared;
    },
  };
}

/** Returns the new count. */
function add(counts: Int32Array, letter: number, change: 1 | -1): number {
  const slot = letter % slots;
  return (counts[slot] = (counts[slot] ?? 0) + change);
}

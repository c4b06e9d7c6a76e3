/** The letters of a text, to be compared with those of many others. */
export interface LetterBag {
  /** How many code units the text and `other` have in common, each as often as both have it; at least that many, never fewer. */
  shared(other: string): number;
}

/** Letters that share a place are taken for one another, so that the count may be too high and never too low. */
const places = 128;

/** Counts the letters of a text once; each comparison costs a step a letter. */
export function createLetterBag(text: string): LetterBag {
  const counts = new Int32Array(places);
  for (let at = 0; at < text.length; at += 1) add(counts, text.charCodeAt(at), 1);
  const left = new Int32Array(places);
  return {
    shared(other) {
      left.set(counts);
      let found = 0;
      for (let at = 0; at < other.length; at += 1) if (add(left, other.charCodeAt(at), -1) >= 0) found += 1;
      return found;
    },
  };
}

/** Gives what is there afterwards. */
function add(counts: Int32Array, letter: number, by: 1 | -1): number {
  const place = letter % places;
  return (counts[place] = (counts[place] ?? 0) + by);
}

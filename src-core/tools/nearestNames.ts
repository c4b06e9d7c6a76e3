/** The most characters of a name that are compared. */
const maximumLength = 120;
/** Below this, two names have too little in common to offer one for the other. */
const minimumScore = 0.5;

/** The keys of an item are the names it may be meant by; the best of them counts. */
export interface NearestNamesOptions<T> {
  query: string;
  items: Iterable<T>;
  keysOf: (item: T) => string[];
  /** How many at most; 5 unless told. */
  limit?: number;
}

/**
 * The items whose names are most like the query, best first: by edit distance (transpositions count once), by shared
 * words, and by containment. Linear in the number of items; the cost an item is bounded.
 */
export function nearestNames<T>({ query, items, keysOf, limit = 5 }: NearestNamesOptions<T>): T[] {
  const wanted = toComparable(query);
  const found: { item: T; score: number; name: string }[] = [];
  for (const item of items) {
    const keys = keysOf(item);
    const score = Math.max(0, ...keys.map((key) => similarity(wanted, toComparable(key))));
    if (score >= minimumScore) found.push({ item, score, name: keys[0] ?? '' });
  }
  found.sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
  return found.slice(0, limit).map(({ item }) => item);
}

interface Comparable {
  text: string;
  words: Set<string>;
}

function toComparable(name: string): Comparable {
  const bounded = name.slice(0, maximumLength);
  const words = bounded
    .replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  return { text: bounded.toLowerCase(), words: new Set(words) };
}

/** From 0 (nothing alike) to 1 (the same but for case). */
function similarity(wanted: Comparable, name: Comparable): number {
  if (wanted.text === name.text) return 1;
  return Math.max(
    editSimilarity(wanted.text, name.text),
    wordSimilarity(wanted.words, name.words),
    containment(wanted, name),
  );
}

function wordSimilarity(wanted: Set<string>, name: Set<string>): number {
  let shared = 0;
  for (const word of wanted) if (name.has(word)) shared += 1;
  if (shared === 0) return 0;
  // Chiefly: how much of what was asked for is there. A little: how little else is there.
  return (0.7 * shared) / wanted.size + (0.2 * shared) / name.size;
}

function containment(wanted: Comparable, name: Comparable): number {
  const [short, long] = wanted.text.length < name.text.length ? [wanted.text, name.text] : [name.text, wanted.text];
  return short.length >= 3 && long.includes(short) ? 0.5 + (0.4 * short.length) / long.length : 0;
}

function editSimilarity(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  const most = Math.max(1, Math.floor(longest / 3));
  if (Math.abs(a.length - b.length) > most) return 0;
  const distance = editDistance(a, b, most);
  return distance > most ? 0 : 1 - distance / longest;
}

/** Optimal string alignment distance; gives `most + 1` as soon as it is sure to be above `most`. */
function editDistance(a: string, b: string, most: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return most + 1;
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: number[], index: number): number {
  return row[index] ?? Infinity;
}

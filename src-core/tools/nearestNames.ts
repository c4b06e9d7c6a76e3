import { distance } from 'fastest-levenshtein';

/** The most characters of a name that are compared. */
const maximumLength = 120;
/** Names with a lower score have too little in common to be offered. */
const minimumScore = 0.5;

export interface NearestNamesOptions<T> {
  query: string;
  items: Iterable<T>;
  /** The names that an item may be meant by; the best of them counts. */
  keysOf: (item: T) => string[];
  /** How many at most; 5 by default. */
  limit?: number;
}

/**
 * The items whose names are most like the query, best first: by edit distance (two adjacent letters in the wrong order are
 * one edit), by shared words, and by containment. Linear in the number of items; the cost of an item is bounded.
 */
export function nearestNames<T>({ query, items, keysOf, limit = 5 }: NearestNamesOptions<T>): T[] {
  const wanted = toWanted(query);
  const scores = new Map<string, number>();
  // Many items may share a key, such as the id of their tool.
  const scoreOf = (key: string): number => {
    const score = scores.get(key) ?? similarity(wanted, key.slice(0, maximumLength));
    scores.set(key, score);
    return score;
  };
  return [...items]
    .map((item) => {
      const keys = keysOf(item);
      return { item, score: Math.max(0, ...keys.map(scoreOf)), name: keys[0] ?? '' };
    })
    .filter(({ score }) => score >= minimumScore)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(({ item }) => item);
}

interface Wanted {
  text: string;
  words: string[];
}

function toWanted(query: string): Wanted {
  const bounded = query.slice(0, maximumLength);
  const words = bounded
    .replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  return { text: bounded.toLowerCase(), words: [...new Set(words)] };
}

/** From 0 (nothing alike) to 1 (the same but for case). */
function similarity(wanted: Wanted, name: string): number {
  const text = name.toLowerCase();
  if (wanted.text === text) return 1;
  return Math.max(
    wordSimilarity(wanted, name, text),
    containment(wanted.text, text),
    editSimilarity(wanted.text, text),
  );
}

function wordSimilarity({ words }: Wanted, name: string, text: string): number {
  const shared = words.filter((word) => holdsWord(name, text, word));
  if (shared.length === 0) return 0;
  // Chiefly: how much of what was asked for is there. A little: how little else is there.
  const covered = shared.reduce((sum, word) => sum + word.length, 0);
  return (0.7 * shared.length) / words.length + (0.2 * Math.min(covered, text.length)) / text.length;
}

/** The word stands in the name, between marks or humps: `volume` in `set_volume` and in `getVolume`, `on` not in `button`. */
function holdsWord(name: string, text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (isEdge(name, at) && isEdge(name, at + word.length)) return true;
  }
  return false;
}

const letterOrDigit = /[\p{L}\p{N}]/u;

function isEdge(name: string, at: number): boolean {
  const [before = '', after = ''] = [name[at - 1], name[at]];
  if (!letterOrDigit.test(before) || !letterOrDigit.test(after)) return true;
  return after !== after.toLowerCase() && before === before.toLowerCase();
}

/** Without it, `t_c` would be found in `list_codes`. */
const threeInARow = /[\p{L}\p{N}]{3}/u;

function containment(wanted: string, name: string): number {
  const [short, long] = wanted.length < name.length ? [wanted, name] : [name, wanted];
  return threeInARow.test(short) && long.includes(short) ? 0.5 + (0.4 * short.length) / long.length : 0;
}

function editSimilarity(query: string, name: string): number {
  const longest = Math.max(query.length, name.length);
  const most = Math.max(1, Math.floor(longest / 3));
  if (Math.abs(query.length - name.length) > most) return 0;
  const edits = isOneSwap(query, name) ? 1 : distance(query, name);
  return edits > most ? 0 : 1 - edits / longest;
}

/** The texts differ only in the order of two adjacent letters. */
function isOneSwap(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return a.slice(0, at) + (a[at + 1] ?? '') + (a[at] ?? '') + a.slice(at + 2) === b;
}

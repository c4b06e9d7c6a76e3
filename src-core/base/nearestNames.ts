import { distance } from 'fastest-levenshtein';

import { countLetters, type LetterCounts } from './letterCounts.ts';

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
 * The items whose names are most like the query, best first: by edit distance, by shared words, and by containment.
 * Names that differ only in the order of two adjacent letters are one edit apart. Linear in the number of items; the
 * cost of an item is bounded.
 */
export function nearestNames<T>({ query, items, keysOf, limit = 5 }: NearestNamesOptions<T>): T[] {
  const wanted = toWanted(query);
  const found: Found<T>[] = [];
  // The lowest score that can still be among the best.
  let bar = minimumScore;
  for (const item of items) {
    const keys = keysOf(item);
    let score = 0;
    for (const key of keys) {
      score = Math.max(score, similarity(wanted, key.slice(0, maximumLength), Math.max(bar, score)));
    }
    if (score < bar) continue;
    found.push({ item, score, name: keys[0] ?? '' });
    if (found.length < 2 * limit) continue;
    found.sort(byScore).length = limit;
    bar = found.at(-1)?.score ?? bar;
  }
  return found
    .sort(byScore)
    .slice(0, limit)
    .map(({ item }) => item);
}

interface Found<T> {
  item: T;
  score: number;
  name: string;
}

function byScore(a: Found<unknown>, b: Found<unknown>): number {
  return b.score - a.score || (a.name < b.name ? -1 : 1);
}

interface Wanted {
  text: string;
  words: string[];
  letters: LetterCounts;
}

function toWanted(query: string): Wanted {
  const bounded = query.slice(0, maximumLength);
  const words = bounded
    .replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const text = bounded.toLowerCase();
  return { text, words: [...new Set(words)], letters: countLetters(text) };
}

/** The most that shared words or containment are worth. */
const maximumPartialScore = 0.9;

/** From 0 (nothing alike) to 1 (the same but for case). A score below the bar may be too low. */
function similarity(wanted: Wanted, name: string, bar: number): number {
  const text = name.toLowerCase();
  if (wanted.text === text) return 1;
  const score =
    bar > maximumPartialScore ? 0 : Math.max(wordSimilarity(wanted, name, text), containment(wanted.text, text));
  return Math.max(score, editSimilarity(wanted, text, Math.max(bar, score)));
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

/** Keeps a score that equals the bar, in spite of rounding. */
const rounding = 1e-9;

function editSimilarity({ text, letters }: Wanted, name: string, bar: number): number {
  const longest = Math.max(text.length, name.length);
  const most = Math.min(Math.max(1, Math.floor(longest / 3)), Math.floor((1 - bar) * longest + rounding));
  if (most < 1 || Math.abs(text.length - name.length) > most) return 0;
  // An edit makes at most one letter match. Counting letters costs far less than the distance.
  if (longest - letters.sharedWith(name) > most) return 0;
  const edits = editsBetween(...differingParts(text, name));
  return edits > most ? 0 : 1 - edits / longest;
}

/** The texts without what they have in common at their beginnings and ends. */
function differingParts(a: string, b: string): [string, string] {
  let start = 0;
  let [endA, endB] = [a.length, b.length];
  while (start < endA && start < endB && a.charCodeAt(start) === b.charCodeAt(start)) start += 1;
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA -= 1;
    endB -= 1;
  }
  return [a.slice(start, endA), b.slice(start, endB)];
}

function editsBetween(a: string, b: string): number {
  const isOneSwap = a.length === 2 && b.length === 2 && a[0] === b[1] && a[1] === b[0];
  return isOneSwap ? 1 : distance(a, b);
}

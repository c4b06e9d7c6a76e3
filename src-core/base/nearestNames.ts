import { distance } from 'fastest-levenshtein';

/** The most characters of a name that are compared. */
const maximumLength = 120;
/** The most names that are compared in full: those that have most of the query's letters, if there are more. */
const maximumCompared = 500;
/** The most names that are read, unless there are more items: then it is the first name of each. */
const maximumNames = 20_000;

export interface NearestNamesOptions<T> {
  query: string;
  items: readonly T[];
  /** The names that an item may be meant by; the best of them counts. Of very many items, only the first names are read. */
  keysOf: (item: T) => string[];
  /** How many at most; 5 by default. */
  limit?: number;
  /** Names with a lower score have too little in common to be offered; 0.5 by default. */
  least?: number;
}

/**
 * Returns the items whose names are most like the query, best first: by edit distance, by shared words, and by containment.
 * Two adjacent letters in the wrong order are half an edit, as they are the most frequent slip, unless the first is one of them. Of more than 500 names, only those
 * that have most of the query's letters are compared.
 */
export function nearestNames<T>({ query, items, keysOf, limit = 5, least = 0.5 }: NearestNamesOptions<T>): T[] {
  const wanted = toWanted(query.slice(0, maximumLength));
  const found = new Map<T, { item: T; score: number; name: string }>();
  for (const { item, name, first } of mostPromising(wanted.text, items, keysOf)) {
    const score = Math.max(similarity(wanted, name), found.get(item)?.score ?? 0);
    if (score >= least) found.set(item, { item, score, name: first });
  }
  return [...found.values()]
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(({ item }) => item);
}

interface Candidate<T> {
  item: T;
  name: string;
  /** The item's first name. */
  first: string;
}

/**
 * Returns the names that have most of the query's letters. Of those with as many, names that contain the query come
 * first, then those whose beginning and end are like the query's.
 */
function mostPromising<T>(query: string, items: readonly T[], keysOf: (item: T) => string[]): Candidate<T>[] {
  const candidates: Candidate<T>[] = [];
  const namesEach = Math.max(1, Math.floor(maximumNames / items.length));
  for (const item of items) {
    const names = keysOf(item).slice(0, namesEach);
    for (const name of names) candidates.push({ item, name: name.slice(0, maximumLength), first: names[0] ?? '' });
  }
  if (candidates.length <= maximumCompared) return candidates;
  const missingFrom = createLetterCheck(query);
  const byRank: Candidate<T>[][] = [];
  for (const candidate of candidates) {
    const text = candidate.name.toLowerCase();
    const differing = text.includes(query) ? 0 : differingParts(query, text)[0].length;
    (byRank[missingFrom(text) * (maximumLength + 1) + differing] ??= []).push(candidate);
  }
  return byRank.flat().slice(0, maximumCompared);
}

/** Code units that are equal modulo this number count as one letter. */
const slots = 256;

/** Returns a function that counts the letters of `query` that a text lacks. A letter counts as often as it occurs. */
function createLetterCheck(query: string): (text: string) => number {
  const counts = new Int16Array(slots);
  const add = (to: Int16Array, letter: number, change: number): number =>
    (to[letter % slots] = (to[letter % slots] ?? 0) + change);
  for (let at = 0; at < query.length; at += 1) add(counts, query.charCodeAt(at), 1);
  const left = new Int16Array(slots);
  return (text) => {
    left.set(counts);
    let missing = query.length;
    for (let at = 0; at < text.length; at += 1) if (add(left, text.charCodeAt(at), -1) >= 0) missing -= 1;
    return missing;
  };
}

interface Wanted {
  text: string;
  words: string[];
}

function toWanted(query: string): Wanted {
  const words = query
    .replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  return { text: query.toLowerCase(), words: [...new Set(words)] };
}

/** Returns how alike both are: from 0 (nothing in common) to 1 (the same but for case). */
function similarity({ text: wanted, words }: Wanted, name: string): number {
  const text = name.toLowerCase();
  if (wanted === text) return 1;
  return Math.max(wordSimilarity(words, name, text), containment(wanted, text), editSimilarity(wanted, text));
}

function wordSimilarity(words: readonly string[], name: string, text: string): number {
  const shared = words.filter((word) => holdsWord(name, text, word));
  if (shared.length === 0) return 0;
  // Mainly: how much of the wanted name occurs in the other one. To a lesser degree: how little else it contains.
  const covered = shared.reduce((sum, word) => sum + word.length, 0);
  return (0.7 * shared.length) / words.length + (0.2 * Math.min(covered, text.length)) / text.length;
}

/** The most places of a name at which a word is looked for. */
const maximumPlaces = 4;

/** True if the word is in the name between marks or humps: `volume` in `set_volume` and in `getVolume`, `on` not in `button`. */
function holdsWord(name: string, text: string, word: string): boolean {
  let places = 0;
  for (let at = text.indexOf(word); at >= 0 && places < maximumPlaces; at = text.indexOf(word, at + 1)) {
    places += 1;
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

function editSimilarity(wanted: string, name: string): number {
  const longest = Math.max(wanted.length, name.length);
  const isSwap = wanted[0] === name[0] && isOneSwap(...differingParts(wanted, name));
  const edits = isSwap ? 0.5 : editsBetween(...differingParts(wanted, name));
  return edits > Math.max(1, Math.floor(longest / 3)) ? 0 : 1 - edits / longest;
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

const isOneSwap = (a: string, b: string): boolean => a.length === 2 && b.length === 2 && a[0] === b[1] && a[1] === b[0];
const editsBetween = (a: string, b: string): number => (isOneSwap(a, b) ? 1 : distance(a, b));

import { distance } from 'fastest-levenshtein';

import { NameScanner, foldCase, type NameScan } from './nameScan.ts';

/** The most characters of a name that are compared. */
const maximumLength = 120;
/** The most characters that are read of all items together, unless there are so many that the least of each is more. */
const maximumCharacters = 2_700_000;
const leastCharacters = 64;
/** The most edit distances of a search. */
const maximumDistances = 500;
/** Names with a lower score have too little in common to be offered. */
const minimumScore = 0.5;

export interface NearestNamesOptions<T> {
  query: string;
  items: readonly T[];
  /** The names that an item may be meant by; the best of them counts. Of very many items, the later names may not be read. */
  keysOf: (item: T) => string[];
  /** How many at most; 5 by default. */
  limit?: number;
}

/**
 * The items whose names are most like the query, best first: by edit distance, by shared words, and by containment.
 * Names that differ only in the order of two adjacent letters are one edit apart. Each item has the same share of the
 * work: one pass over its names. The edit distance is computed for the names that promise most, so that very many
 * names made of the query's letters cost no more and do not displace a name with one slip.
 */
export function nearestNames<T>({ query, items, keysOf, limit = 5 }: NearestNamesOptions<T>): T[] {
  const share = Math.max(leastCharacters, Math.floor(maximumCharacters / items.length));
  const length = Math.min(maximumLength, share);
  const best = new Best<T>(limit);
  const search = new Search(query.slice(0, length), best);
  for (const item of items) {
    const keys = keysOf(item);
    const found = { item, score: 0, name: keys[0] ?? '' };
    let left = share;
    for (const key of keys) {
      const name = key.slice(0, length);
      left -= name.length;
      if (left < 0) break;
      search.read(found, name);
    }
    best.add(found);
  }
  search.measure();
  return best.list();
}

interface Found<T> {
  item: T;
  score: number;
  name: string;
}

/** The best so far. */
class Best<T> {
  readonly #found = new Set<Found<T>>();
  readonly #limit: number;
  /** The lowest score that can still be among the best. */
  bar = minimumScore;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(found: Found<T>): void {
    if (found.score < this.bar) return;
    this.#found.add(found);
    if (this.#found.size < 2 * this.#limit) return;
    const [...best] = this.#sorted();
    for (const dropped of best.splice(this.#limit)) this.#found.delete(dropped);
    this.bar = best.at(-1)?.score ?? this.bar;
  }

  list(): T[] {
    return this.#sorted()
      .map(({ item }) => item)
      .slice(0, this.#limit);
  }

  #sorted(): Found<T>[] {
    return [...this.#found].sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
  }
}

/** A name that is to be compared letter by letter. */
interface Candidate<T> {
  found: Found<T>;
  name: string;
  /** The highest score that its letters allow. */
  potential: number;
}

/** Reads names for one query. */
class Search<T> {
  readonly #text: string;
  readonly #scanner: NameScanner;
  readonly #best: Best<T>;
  /** By the sum of the least and the most edits that are possible. */
  readonly #candidates: Candidate<T>[][] = [];

  constructor(query: string, best: Best<T>) {
    this.#text = foldCase(query);
    this.#scanner = new NameScanner(query);
    this.#best = best;
  }

  /** Scores a name by the words and the part that it shares with the query, and keeps it if it may be worth more. */
  read(found: Found<T>, name: string): void {
    const scan = this.#scanner.scan(name);
    found.score = Math.max(
      found.score,
      this.#wordSimilarity(scan, name),
      scan.holdsQuery ? containment(this.#text, name) : 0,
    );
    const longest = Math.max(this.#text.length, name.length);
    const least = longest - scan.shared;
    const byEdits = least <= mostEdits(longest) ? 1 - least / longest : 0;
    const potential = Math.max(byEdits, scan.shared === name.length ? containment(name, this.#text) : 0);
    if (potential < this.#best.bar || potential <= found.score) return;
    const rank = least + this.#scanner.differing(name);
    const ranked = (this.#candidates[rank] ??= []);
    if (ranked.length < maximumDistances) ranked.push({ found, name, potential });
  }

  /** Compares the most promising names letter by letter. */
  measure(): void {
    let measured = 0;
    for (const { found, name, potential } of this.#candidates.flat()) {
      if (potential < this.#best.bar || potential <= found.score) continue;
      if (measured === maximumDistances) return;
      measured += 1;
      const text = foldCase(name);
      const held = this.#text.includes(text) ? containment(text, this.#text) : 0;
      found.score = Math.max(found.score, held, editSimilarity(this.#text, text));
      this.#best.add(found);
    }
  }

  #wordSimilarity({ words, covered }: NameScan, { length }: string): number {
    if (words === 0) return 0;
    // Chiefly: how much of what was asked for is there. A little: how little else is there.
    return (0.7 * words) / this.#scanner.words.length + (0.2 * Math.min(covered, length)) / length;
  }
}

/** Without it, `t_c` would be found in `list_codes`. */
const threeInARow = /[\p{L}\p{N}]{3}/u;

/** What it is worth that the long text has the short one in it. */
function containment(short: string, long: string): number {
  if (short.length === long.length) return 1;
  return threeInARow.test(short) ? 0.5 + (0.4 * short.length) / long.length : 0;
}

function mostEdits(longest: number): number {
  return Math.max(1, Math.floor(longest / 3));
}

function editSimilarity(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  const edits = editsBetween(...differingParts(a, b));
  return edits > mostEdits(longest) ? 0 : 1 - edits / longest;
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

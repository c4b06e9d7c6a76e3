import { editDistance } from './editDistance.ts';
import { createLetterBag, type LetterBag } from './letterBag.ts';

/** The most characters of a name that are compared. */
const maximumLength = 120;
/** Below this, two names have too little in common to offer one for the other. */
const minimumScore = 0.5;

/** The keys of an item are the names it may be meant by; the best of them counts. */
export interface NearestNamesOptions<T> {
  query: string;
  items: Iterable<T>;
  keysOf: (item: T) => string[];
  /** More keys: those that many items have. Each is worked out once; to remember the others costs more than it saves. */
  sharedKeysOf?: (item: T) => string[];
  /** How many at most; 5 unless told. */
  limit?: number;
}

/**
 * The items whose names are most like the query, best first: by edit distance (a swap of neighbours counts once), by
 * shared words, and by containment. Linear in the number of items, and the cost an item is bounded: some 30 ms for the
 * 32,000 methods of a thousand devices.
 */
export function nearestNames<T>({ query, items, keysOf, sharedKeysOf, limit = 5 }: NearestNamesOptions<T>): T[] {
  const wanted = toWanted(query);
  const known = new Map<string, number>();
  const found: { item: T; score: number; name: string }[] = [];
  const byScore = (a: { score: number; name: string }, b: { score: number; name: string }): number =>
    b.score - a.score || (a.name < b.name ? -1 : 1);
  // What is worse than those already found need not be worked out: the bar rises as better ones are found.
  let bar = minimumScore;

  const scoreOf = (key: string): number => similarity(wanted, key.slice(0, maximumLength), bar);
  const sharedScoreOf = (key: string): number => {
    const score = known.get(key) ?? scoreOf(key);
    known.set(key, score);
    return score;
  };

  for (const item of items) {
    const keys = keysOf(item);
    const score = Math.max(0, ...keys.map(scoreOf), ...(sharedKeysOf?.(item) ?? []).map(sharedScoreOf));
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

interface Wanted {
  text: string;
  words: string[];
  letters: LetterBag;
}

function toWanted(query: string): Wanted {
  const bounded = query.slice(0, maximumLength);
  const words = bounded
    .replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const text = bounded.toLowerCase();
  return { text, words: [...new Set(words)], letters: createLetterBag(text) };
}

/** From 0 (nothing alike) to 1 (the same but for case); below the bar it may come out as anything below the bar. */
function similarity(wanted: Wanted, name: string, bar: number): number {
  const text = name.toLowerCase();
  if (wanted.text === text) return 1;
  const cheap = Math.max(wordSimilarity(wanted, name, text), containment(wanted.text, text));
  return Math.max(cheap, editSimilarity(wanted, text, Math.max(bar, cheap)));
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

function containment(wanted: string, name: string): number {
  const [short, long] = wanted.length < name.length ? [wanted, name] : [name, wanted];
  return short.length >= 3 && long.includes(short) ? 0.5 + (0.4 * short.length) / long.length : 0;
}

/** So that a score equal to the bar is not lost. */
const rounding = 1e-9;

function editSimilarity({ text, letters }: Wanted, name: string, bar: number): number {
  const longest = Math.max(text.length, name.length);
  const most = Math.min(Math.max(1, Math.floor(longest / 3)), Math.floor((1 - bar) * longest + rounding));
  // Each step brings at most one letter right: most names are out for less than a look at every pair of letters.
  if (longest - letters.shared(name) > most) return 0;
  const distance = editDistance(text, name, most);
  return distance > most ? 0 : 1 - distance / longest;
}

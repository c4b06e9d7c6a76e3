import { foldText } from './matchWords.ts';

/** The texts of a searchable item, as returned by `foldText`. */
export interface SearchTexts {
  /** The full name used in calls, such as `clock_get_time`, or the id of a tool: often generated. */
  fullName?: string;
  /** Its names, with the displayed one first. */
  names: readonly string[];
  /** Its description. */
  about: string;
}

/**
 * Ranks of a match, best last: a word is only in the description; all words are in names; they are a name; they are the
 * full name.
 */
export const matchRank = { about: 1, names: 2, name: 3, fullName: 4 } as const;

const perRank = 1_000;
const nothing: SearchTexts = { names: [], about: '' };

/** The score moved behind all others of its rank. */
export function lastOfRank(score: number): number {
  return rankOf(score) * perRank + (score % perRank) / 1e6;
}

/** The rank of a score that is not 0. */
export function rankOf(score: number): number {
  return Math.floor(score / perRank);
}

/**
 * Returns a function that scores an item for a query: 0 if a word is neither in it nor in its container `within`. Every
 * search of the window uses it, so that the same query finds the same item first everywhere.
 */
export function createScorer(words: readonly string[]): (texts: SearchTexts, within?: SearchTexts) => number {
  const wanted = words.map(foldText).map((word) => ({ word, parts: word.split('_').filter(Boolean), around: 0 }));
  const whole = wanted.map(({ word }) => word).join('_');
  let container: SearchTexts | undefined;
  return (texts, within = nothing) => {
    if (texts.fullName === whole) return matchRank.fullName * perRank;
    // The items of a container follow one another: it is scored once, not for each of them.
    if (container !== within) for (const each of wanted) each.around = inNames(within, each.word, 1);
    container = within;
    let rank: number = isName(texts, whole) || isName(within, whole) ? matchRank.name : matchRank.names;
    let score = 0;
    for (const { word, parts, around } of wanted) {
      const best = Math.max(inNames(texts, word, 2), around);
      // `get_052` is in `get_refund_052` by its parts, but `get_05` not in `get_refund_105`.
      if (best === 0 && !(parts.length > 1 && parts.every((part) => beginsWord(part, texts, within)))) {
        if (!texts.about.includes(word) && !within.about.includes(word)) return 0;
        rank = matchRank.about;
      }
      score += best;
    }
    const shortness = 1 / (1 + (texts.names[0]?.length ?? 0));
    return rank * perRank + Math.min(score, perRank - 2) + shortness;
  };
}

const beginsWord = (part: string, ...all: readonly SearchTexts[]): boolean =>
  all.some(({ names }) => names.some((name) => name.startsWith(part) || name.includes(`_${part}`)));

const isName = ({ names, fullName }: SearchTexts, whole: string): boolean =>
  names.includes(whole) || fullName === whole;

/**
 * How well a folded text answers a folded word: 0 if the word is not in it, 1 in the middle of a word, 2 at the start of a word, 3 as
 * a whole word, 4 at the start of the text, 5 as its first word.
 */
function wordScore(folded: string, word: string): number {
  const at = folded.indexOf(word);
  if (at === -1) return 0;
  if (at === 0) return `${folded}_`.startsWith(`${word}_`) ? 5 : 4;
  if (`${folded}_`.includes(`_${word}_`)) return 3;
  return folded.includes(`_${word}`) ? 2 : 1;
}

/** The best score of a word in the names, least in `fullName`. The score in the first name is multiplied by `weight`. */
function inNames({ names, fullName }: SearchTexts, word: string, weight: number): number {
  let best = fullName?.includes(word) === true ? 0.5 : 0;
  names.forEach((name, at) => (best = Math.max(best, wordScore(name, word) * (at === 0 ? weight : 1))));
  return best;
}

/** The best items of a list, best first; equal ones by key or in their order. Without words: all, up to the limit. */
export function bestMatches<T>(
  items: readonly T[],
  options: { words: readonly string[]; limit: number; score: (item: T) => number; key?: (item: T) => string },
): { item: T; score: number }[] {
  const { words, limit, score, key } = options;
  if (words.length === 0) return items.slice(0, limit).map((item) => ({ item, score: matchRank.about }));
  let best: { item: T; score: number }[] = [];
  let least = 0;
  const cut = (): void => {
    best = best.sort((a, b) => b.score - a.score).slice(0, limit);
    least = best[limit - 1]?.score ?? 0;
  };
  for (const item of items) {
    const value = score(item);
    // Of equal ones the first stay. To sort all 32,000 methods would take longer than the search.
    if (value > least && best.push({ item, score: value }) >= 2 * limit) cut();
  }
  cut();
  if (key === undefined) return best;
  return best.sort((a, b) => b.score - a.score || (key(a.item) < key(b.item) ? -1 : 1));
}

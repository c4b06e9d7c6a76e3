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
  const folded = words.map(foldText);
  const wanted = folded.map((word) => ({ word, parts: word.split('_').filter(Boolean), around: 0, isAbout: false }));
  const whole = folded.join('_');
  let container: SearchTexts | undefined;
  let isContainer = false;
  return (texts, within = nothing) => {
    if (texts.fullName === whole) return matchRank.fullName * perRank;
    // The items of a container follow one another: it is searched once, not for each of them.
    if (container !== within) {
      container = within;
      isContainer = isName(within, whole);
      for (const each of wanted) {
        each.around = inNames(within, each.word, 1);
        each.isAbout = within.about.includes(each.word);
      }
    }
    let rank: number = isContainer || isName(texts, whole) ? matchRank.name : matchRank.names;
    let score = 0;
    for (const { word, parts, around, isAbout } of wanted) {
      const best = Math.max(inNames(texts, word, 2), around);
      // `get_052` is in `get_refund_052` by its parts, but `get_05` not in `get_refund_105`.
      if (best === 0 && !(parts.length > 1 && parts.every((part) => beginsWord(part, texts, within)))) {
        const isOwn = texts.about.includes(word);
        if (!isAbout && !isOwn) return 0;
        rank = matchRank.about;
        // Its own description says more of it than that of its tool.
        if (isOwn) score += 1;
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
  let best = 0;
  for (let at = folded.indexOf(word); at !== -1; at = folded.indexOf(word, at + 1)) {
    const end = at + word.length;
    const isWhole = end === folded.length || folded[end] === '_';
    if (at === 0) return isWhole ? 5 : 4;
    if (folded[at - 1] === '_') best = Math.max(best, isWhole ? 3 : 2);
    else best ||= 1;
  }
  return best;
}

/** The best score of a word in the names, least in `fullName`. The score in the first name is multiplied by `weight`. */
function inNames({ names, fullName }: SearchTexts, word: string, weight: number): number {
  let best = fullName?.includes(word) === true ? 0.5 : 0;
  for (let at = 0; at < names.length; at++)
    best = Math.max(best, wordScore(names[at] ?? '', word) * (at === 0 ? weight : 1));
  return best;
}

/** Keeps the best items, up to the limit. To sort all 32,000 methods would take longer than the search. */
export function createRanking<T>(limit: number): {
  /** Keeps the item if it is among the best so far. Of equal ones the first stay. */
  add(item: T, score: number): void;
  /** The best items, best first; equal ones in their order. */
  best(): { item: T; score: number }[];
} {
  let best: { item: T; score: number }[] = [];
  let least = 0;
  const cut = (): typeof best => {
    best = best.sort((a, b) => b.score - a.score).slice(0, limit);
    least = best[limit - 1]?.score ?? 0;
    return best;
  };
  return {
    add(item, score) {
      if (score > least && best.push({ item, score }) >= 2 * limit) cut();
    },
    best: cut,
  };
}

/** The best items of a list, best first; equal ones in their order. Without words: all, up to the limit. */
export function bestMatches<T>(
  items: readonly T[],
  { words, limit, score }: { words: readonly string[]; limit: number; score: (item: T) => number },
): { item: T; score: number }[] {
  if (words.length === 0) return items.slice(0, limit).map((item) => ({ item, score: matchRank.about }));
  const ranking = createRanking<T>(limit);
  for (const item of items) ranking.add(item, score(item));
  return ranking.best();
}

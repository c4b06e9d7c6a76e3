import { nearestNames } from '../../../src-core/base/nearestNames.ts';
import { foldText } from './matchWords.ts';
import type { SearchTexts } from './rankMatches.ts';

/** The most words that a mistyped word is compared with. */
const maximumCompared = 5_000;
/** Shorter words are like too many others. */
const minimumLength = 3;
/** How alike a word and its correction are: `token` does not become `broken`. */
const least = 0.7;

/** What a query found, and with which words. */
export interface Search<T> {
  found: T[];
  words: readonly string[];
  /** The words are not those of the query. */
  corrected: boolean;
}

/** Finds with the words of a query or, if that finds nothing, with its mistyped words corrected. */
export function findCorrecting<T>(
  words: readonly string[],
  { find, texts }: { find: (words: readonly string[]) => T[]; texts: () => readonly SearchTexts[] },
): Search<T> {
  const found = find(words);
  const corrected = (found.length === 0 && correctWords(words, texts())) || words;
  const again = corrected === words ? [] : find(corrected);
  return again.length > 0 ? { found: again, words: corrected, corrected: true } : { found, words, corrected: false };
}

/**
 * Corrects the words of a query that finds nothing: a part of a word that is in none of the texts becomes the most similar
 * word of their names, or two adjacent ones (`setvolume`: `set_volume`). Returns undefined if a part has no similar word, or if
 * nothing is mistyped and only no text has all words.
 */
function correctWords(words: readonly string[], texts: readonly SearchTexts[]): string[] | undefined {
  const isKnown = (part: string): boolean =>
    texts.some(({ names, about }) => about.includes(part) || names.some((name) => name.includes(part)));
  let vocabulary: Map<string, string> | undefined;
  let isCorrected = false;
  const corrected = words.map((word) =>
    foldText(word)
      .split('_')
      .map((part) => {
        if (isKnown(part)) return part;
        if (part.length < minimumLength) return undefined;
        vocabulary ??= wordsOf(texts);
        // `forget` is no slip of `for`.
        const items = [...vocabulary.keys()].filter((each) => part.length - each.length < 2 || !part.includes(each));
        const [nearest] = nearestNames({ query: part, items, keysOf: (each) => [each], least });
        isCorrected = true;
        return nearest === undefined ? undefined : vocabulary.get(nearest);
      }),
  );
  if (!isCorrected || corrected.some((parts) => parts.includes(undefined))) return undefined;
  return corrected.map((parts) => parts.join('_'));
}

/** The words of the names, and each two adjacent ones as one word, with what a search finds them by. */
function wordsOf(texts: readonly SearchTexts[]): Map<string, string> {
  const found = new Map<string, string>();
  const seen = new Set<string>();
  for (const { names } of texts) {
    for (const name of names) {
      if (seen.has(name)) continue;
      seen.add(name);
      let before = '';
      for (const part of name.split('_')) {
        if (part !== '') found.set(part, part);
        if (before !== '' && part !== '') found.set(before + part, `${before}_${part}`);
        if (found.size >= maximumCompared) return found;
        before = part;
      }
    }
  }
  return found;
}

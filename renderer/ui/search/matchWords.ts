/** The words of a query, in lower case. */
export function queryWords(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** In lower case, with `_` for every separator: `self_reboot` finds `self.reboot`, which models write so. */
export function foldText(text: string): string {
  return text.toLowerCase().replace(/[\s._/:-]/g, '_');
}

/**
 * How well a folded text answers a folded word: 0 if the word is not in it, 1 in the middle of a word, 2 at the start of a word, 4 at
 * the start of the text.
 */
export function wordScore(folded: string, word: string): number {
  const at = folded.indexOf(word);
  if (at <= 0) return at === 0 ? 4 : 0;
  return folded[at - 1] === '_' || folded.includes(`_${word}`) ? 2 : 1;
}

/** How well a text answers the words: 0 if one is missing, higher if they begin the text or a part of it. */
export function matchScore(text: string, words: readonly string[]): number {
  const folded = foldText(text);
  let score = 1;
  for (const word of words) {
    const found = wordScore(folded, foldText(word));
    if (found === 0) return 0;
    score += found;
  }
  return score + 1 / (1 + folded.length);
}

/** A text in pieces, those that answer the words marked. */
export function markMatches(text: string, words: readonly string[]): { text: string; hit: boolean }[] {
  const folded = foldText(text);
  // Lower case of a few letters is longer than they are; then nothing is marked rather than the wrong place.
  if (folded.length !== text.length) return [{ text, hit: false }];
  const hits = new Uint8Array(text.length);
  for (const word of words.map(foldText)) {
    for (let at = folded.indexOf(word); at !== -1; at = folded.indexOf(word, at + word.length)) {
      hits.fill(1, at, at + word.length);
    }
  }
  const pieces: { text: string; hit: boolean }[] = [];
  for (let start = 0; start < text.length;) {
    let end = start + 1;
    while (end < text.length && hits[end] === hits[start]) end += 1;
    pieces.push({ text: text.slice(start, end), hit: hits[start] === 1 });
    start = end;
  }
  return pieces;
}

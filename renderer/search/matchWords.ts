/** The words of a query, in lower case. */
export function queryWords(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** How well a text answers the words: 0 where one is missing, higher where they begin the text or a part of it. */
export function matchScore(text: string, words: readonly string[]): number {
  const lower = text.toLowerCase();
  let score = 1;
  for (const word of words) {
    const at = lower.indexOf(word);
    if (at === -1) return 0;
    const before = at === 0 ? '' : (lower[at - 1] ?? '');
    score += at === 0 ? 4 : /[\s._/:-]/.test(before) ? 2 : 0;
  }
  return score + 1 / (1 + lower.length);
}

/** A text in pieces, those that answer the words marked. */
export function markMatches(text: string, words: readonly string[]): { text: string; hit: boolean }[] {
  const lower = text.toLowerCase();
  // Lower case of a few letters is longer than they are; then nothing is marked rather than the wrong place.
  if (lower.length !== text.length) return [{ text, hit: false }];
  const hits = new Uint8Array(text.length);
  for (const word of words) {
    for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + word.length)) {
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

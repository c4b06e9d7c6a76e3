/** The words of a query, in lower case. */
export function queryWords(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** In lower case, with `_` for every separator: `self_reboot` finds `self.reboot`, which models write so. */
export function foldText(text: string): string {
  return text.toLowerCase().replace(/[\s._/:-]/g, '_');
}

/** Whether each word is in the text. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const folded = foldText(text);
  return words.every((word) => folded.includes(foldText(word)));
}

/** A text in pieces, those that answer the words marked. */
export function markMatches(text: string, words: readonly string[]): { text: string; hit: boolean }[] {
  const folded = foldText(text);
  // Lower case of a few letters is longer than they are; then nothing is marked rather than the wrong place.
  if (folded.length !== text.length) return [{ text, hit: false }];
  const hits = new Uint8Array(text.length);
  for (const word of words.map(foldText)) {
    for (let at = folded.indexOf(word); at !== -1; at = folded.indexOf(word, at + word.length))
      hits.fill(1, at, at + word.length);
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

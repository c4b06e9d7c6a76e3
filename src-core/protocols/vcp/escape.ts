/**
 * The escape of values (docs/protocols/vcp.md#grammar): inside 「始ESCAPE」…「末ESCAPE」 a marker word with `_ESCAPE` and the fences
 * 「始ESCAPE」 「末ESCAPE」 stand for the plain ones. Each level has one `_ESCAPE` more than what it stands for, so that a
 * value which itself holds escaped text survives any number of levels.
 */

// Both alternatives begin with fixed characters and end at the first that does not fit: no backtracking worth a word.
const marker = /<<<\[((?:END_)?TOOL_(?:REQUEST|RESULT|DEFINITION))((?:_ESCAPE)*)\]>>>/g;
const fence = /「([始末])([Ee][Ss][Cc][Aa][Pp][Ee])((?:_ESCAPE)*)」/g;
const escapeFence = /「[始末][Ee]/;

/** Makes a value fit to stand inside 「始ESCAPE」…「末ESCAPE」. Undone by `unescapeValue`. */
export function escapeValue(value: string): string {
  return value.replace(marker, '<<<[$1_ESCAPE$2]>>>').replace(fence, '「$1$2_ESCAPE$3」');
}

/** Turns the text between the escape fences back into the value. */
export function unescapeValue(text: string): string {
  const markers = text.includes('_ESCAPE]>>>')
    ? text.replace(marker, (whole, word: string, levels: string) =>
        levels === '' ? whole : `<<<[${word}${levels.slice(7)}]>>>`,
      )
    : text;
  if (!escapeFence.test(markers)) return markers;
  return markers.replace(fence, (_, sign: string, word: string, levels: string) =>
    levels === '' ? `「${sign}」` : `「${sign}${word}${levels.slice(7)}」`,
  );
}

/** Whether a value must be escaped to be read back as it is: it holds, or might seem to hold, a marker or a fence. */
export function needsEscape(value: string): boolean {
  return value.includes('「始') || value.includes('「末') || value.includes('<<<[');
}

/** A search that SQLite's LIKE can do, and what is left to look at in the texts that it finds. */
export interface LikeSearch {
  /** For `text LIKE ? ESCAPE '\'`, one or the other. */
  patterns: [string, string];
  /** Set where the patterns find more than is meant. */
  confirm: ((text: string) => boolean) | undefined;
}

/**
 * A search for a text, whatever its case. LIKE knows the case of ASCII letters alone: another letter that has a case
 * stands for any character in the pattern, and the found text is looked at again. Characters beyond ASCII are looked for
 * as JSON escapes too, since py-xiaozhi writes them so (spec/xiaozhi.md §1.4).
 */
export function likeSearch(text: string): LikeSearch {
  const plain = [...text].map((character) => (isCased(character) ? '_' : literal(character)));
  const escaped = [...text].map((character) => {
    if (isAscii(character)) return literal(character);
    return isCased(character) ? '\\\\u____'.repeat(character.length) : literal(jsonEscape(character));
  });
  const wanted = text.toLowerCase();
  return {
    patterns: [`%${plain.join('')}%`, `%${escaped.join('')}%`],
    confirm: [...text].some(isCased)
      ? (found) => found.toLowerCase().includes(wanted) || unescape(found).toLowerCase().includes(wanted)
      : undefined,
  };
}

function isAscii(character: string): boolean {
  return character <= '\u007f';
}

function isCased(character: string): boolean {
  return !isAscii(character) && character.toLowerCase() !== character.toUpperCase();
}

function literal(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

function jsonEscape(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }).join('');
}

function unescape(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

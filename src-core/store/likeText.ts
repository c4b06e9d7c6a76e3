/** A search that SQLite's LIKE can do, and what is left to look at in the texts that it finds. */
export interface LikeSearch {
  /** For `text LIKE ? ESCAPE '\'`, any of them: one to three. */
  patterns: string[];
  /** Set if the patterns match more than is meant. */
  confirm: ((text: string) => boolean) | undefined;
}

/**
 * A search for a text, whatever its case, in texts that may be JSON. LIKE knows the case of ASCII letters alone:
 * another letter with a case becomes a wildcard in the pattern, and the found text is checked again. What JSON escapes
 * with a backslash (a quote, a line break) is also searched in that form, and characters beyond ASCII as escapes, since
 * py-xiaozhi writes them so (docs/protocols/device-mcp.md).
 */
export function likeSearch(text: string): LikeSearch {
  const characters = [...text];
  const plain = characters.map((character) => (isCased(character) ? '_' : literal(character)));
  const json = characters.map((character) => (isCased(character) ? '_' : literal(jsonOf(character))));
  const ascii = characters.map((character) => {
    if (isAscii(character)) return literal(jsonOf(character));
    return isCased(character) ? '\\\\u____'.repeat(character.length) : literal(jsonEscape(character));
  });
  return {
    patterns: [...new Set([plain, json, ascii].map((parts) => `%${parts.join('')}%`))],
    confirm: characters.some(isCased) ? (found) => holdsText(found, text) : undefined,
  };
}

/** Whether `likeSearch` for `text` finds this one. */
export function holdsText(found: string, text: string): boolean {
  const wanted = text.toLowerCase();
  return found.toLowerCase().includes(wanted) || unescape(found).toLowerCase().includes(wanted);
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

/** As JSON has it between quotes. */
function jsonOf(character: string): string {
  return JSON.stringify(character).slice(1, -1);
}

function jsonEscape(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }).join('');
}

const shortEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Resolves JSON's backslash escapes anywhere in a text. */
function unescape(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|(.))/gi, (_, hex: string | undefined, short = '') =>
    hex === undefined ? (shortEscapes[String(short)] ?? String(short)) : String.fromCharCode(parseInt(hex, 16)),
  );
}

/** Backslashes that stand for one, where a text is JSON in JSON in JSON: eight. */
const mostBackslashes = 8;

/** What every writer of JSON leaves as it is. Of all else some write an escape: Python for ü, PHP for a slash, .NET for a plus. */
const plain = /[A-Za-z0-9 _.:;,=!#$%()*?@[\]^{|}~-]/;

/** Characters with an escape of their own. */
const letters = new Map([
  ['\b', 'b'],
  ['\t', 't'],
  ['\n', 'n'],
  ['\f', 'f'],
  ['\r', 'r'],
]);

/** What an escape begins with: fewer than stand for a backslash. */
const begin = `\\\\{1,${mostBackslashes - 1}}`;

/**
 * The source of a pattern that finds a text as it is and however JSON spells it: `\u00fc` for ü, `\/` for a slash, also in
 * JSON that is itself a text in JSON.
 */
export function anySpelling(text: string): string {
  // By UTF-16 units, as JSON escapes them. Backslashes in a row are one piece: no two pieces then vie for the same ones.
  return text.replace(/\\+|[\s\S]/g, (piece) => {
    if (plain.test(piece)) return literally(piece);
    if (piece.startsWith('\\')) {
      const count = piece.length;
      return `(?:\\\\{${count},${count * mostBackslashes}}|(?:${begin}u005[cC]){${count}})`;
    }
    return `(?:${literally(piece)}|${begin}(?:${unicode(piece)}|${letters.get(piece) ?? literally(piece)}))`;
  });
}

function unicode(unit: string): string {
  const hex = unit.charCodeAt(0).toString(16).padStart(4, '0');
  return `u${hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`;
}

/** The source of a pattern that finds a text as it is. */
export function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

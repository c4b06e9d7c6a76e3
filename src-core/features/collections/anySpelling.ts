/** The most backslashes that represent one, if a text is JSON in JSON in JSON: eight. */
const mostBackslashes = 8;

/**
 * Characters that every writer of JSON leaves unescaped. Some writers escape others: Python ü, PHP a slash, .NET a
 * plus.
 */
const plain = /[A-Za-z0-9 _.:;,=!#$%()*?@[\]^{|}~-]/;

/** Characters with a short escape. */
const letters = new Map([
  ['\b', 'b'],
  ['\t', 't'],
  ['\n', 'n'],
  ['\f', 'f'],
  ['\r', 'r'],
]);

/** The start of an escape: fewer backslashes than represent a literal one. */
const begin = `\\\\{1,${mostBackslashes - 1}}`;

/**
 * The source of a pattern that finds a text as it is and in any JSON spelling: `\u00fc` for ü, `\/` for a slash, also
 * in JSON that is itself a text in JSON.
 */
export function anySpelling(text: string): string {
  // By UTF-16 units, as JSON escapes them. Consecutive backslashes are one piece, so that no two pieces compete for
  // them.
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

import type { JsonValue } from '../../base/json.ts';
import { mapTexts } from '../../base/mapTexts.ts';

/** The most backslashes that represent one, if a text is JSON in JSON in JSON: eight. */
const mostBackslashes = 8;

/** Characters that every writer of JSON leaves unescaped. Some writers escape others: Python ü, PHP a slash, .NET a plus. */
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

/** Shorter ones occur in many texts by chance: they are hidden only if they are the whole text. */
const minPartLength = 4;

/**
 * A JSON value in which every secret is replaced by its placeholder, `{{$secret:NAME}}`. `secrets` is by name. A value
 * in which they are hidden already is unchanged.
 */
export function hideSecrets<T>(value: T, secrets: Readonly<Record<string, string>>): T {
  const names = Object.entries(secrets).filter(([, secret]) => secret !== '');
  if (names.length === 0) return value;
  // The longest first: one may be a part of another.
  names.sort(([, a], [, b]) => b.length - a.length);
  const whole = new Map(names.map(([name, secret]) => [secret, markOf(name)]));
  // Placeholders come first: a secret may be a part of one.
  const found = names.map(([name]) => ({ source: literally(markOf(name)), mark: markOf(name) }));
  for (const [name, secret] of names)
    if (secret.length >= minPartLength) found.push({ source: anySpelling(secret), mark: markOf(name) });
  const anyPart = new RegExp(found.map(({ source }) => `(${source})`).join('|'), 'g');
  const inText = (text: string): string =>
    whole.get(text) ??
    text.replace(anyPart, (part, ...groups: unknown[]) => found[groups.findIndex(isText)]?.mark ?? part);
  return mapTexts(value as JsonValue, inText) as T;
}

function isText(group: unknown): boolean {
  return typeof group === 'string';
}

/** What a secret is written as, and shown as. */
export function markOf(name: string): string {
  return `{{$secret:${name}}}`;
}

/**
 * The source of a pattern that finds a text as it is and in any JSON spelling: `\u00fc` for ü, `\/` for a slash, also
 * in JSON that is itself a text in JSON.
 */
function anySpelling(text: string): string {
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
function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

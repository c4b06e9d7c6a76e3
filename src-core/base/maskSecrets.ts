import { parseExactly } from './exactNumber.ts';

const keys = '(?:token|secret|passw(?:or)?d|(?:api|access|private|secret)[-_]?key)';
/** Backslashes that are not the end of a JSON string's content: the text stays JSON. */
const backslashes = String.raw`\\+(?!["\\])`;
/** The end of a name whose value is a secret, and the quote that opens the value: `"access_token":"`, `apiKey: '`. */
const quotedSecret = new RegExp(String.raw`(?:${keys}|authorization)(?:\\*["'])?\s*[:=]\s*(\\*)(["'])`, 'gi');
const bareSecret = new RegExp(String.raw`(${keys}[ \t]*[:=][ \t]*)(?!\{?["'\\])(?:[^\s"&\\]|${backslashes})+`, 'gi');
const secretName = new RegExp(`(?:${keys}|authorization)$`, 'i');
const bareAuthorization = new RegExp(
  String.raw`(authorization[ \t]*[:=][ \t]*)(?!["'\\])(?:[^\s"&\\]|${backslashes})+(?: (?:[^\s"&,\\]|${backslashes})+)?`,
  'gi',
);
const keyInQuery = new RegExp(String.raw`([?&]key=)(?:[^&\s"\\]|${backslashes})*`, 'gi');
/** In JSON a line end before the secret is written as `\n`, whose letter is not part of the word. */
const wordStart = String.raw`(?:\b|(?<=\\[nrt]))`;
const bearerToken = new RegExp(String.raw`${wordStart}(Bearer )(?:[^\s",\\]|${backslashes})+`, 'gi');
const prefixes = 'sk[-_]|gsk_|xai-|hf_|AIza';
const prefixedKey = new RegExp(String.raw`${wordStart}(${prefixes})[\w-]{8,}`, 'g');
/** A part of whatever the others find: most texts have none. */
const anySecret = new RegExp(String.raw`${keys}|authorization|key=|bearer |${prefixes}|@`, 'i');

/**
 * Replaces secrets in text for a log with `***`: the values of JSON members, headers and query parameters with names such as
 * `access_token`, `apiKey` or `Authorization`, also in JSON inside a string; Bearer tokens; keys with a provider's prefix; user
 * and password of a URL. A secret may be cut off at the end of the text. The time is proportional to the length of the text, so
 * cut the text first.
 */
export function maskSecrets(text: string): string {
  if (!anySecret.test(text)) return text;
  return maskQuoted(text)
    .replace(bareAuthorization, '$1***')
    .replace(bareSecret, '$1***')
    .replace(keyInQuery, '$1***')
    .replace(bearerToken, '$1***')
    .replace(prefixedKey, '$1***')
    .replace(/(:(?:\\?\/){2})([^\s"]+)/g, (_url, slashes: string, rest: string) => slashes + maskUserInfo(rest));
}

/**
 * `maskSecrets` for the values of a JSON document, as the second argument of `JSON.stringify`: masks strings whose member has
 * the name of a secret, and secrets in other strings. The result is always JSON.
 */
export function maskMember(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return secretName.test(name) ? '***' : maskSecrets(value);
}

/**
 * `maskSecrets` for text that may be JSON: of JSON, only the values that hold a secret change, so that it stays JSON. Text
 * without a secret is returned as it is.
 */
export function maskSecretsInJson(text: string): string {
  const masked = maskSecrets(text);
  if (masked === text) return text;
  try {
    return JSON.stringify(parseExactly(text), maskMember);
  } catch {
    // It is not JSON, or is nested too deeply for a walk through it.
    return masked;
  }
}

function maskQuoted(text: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const match of text.matchAll(quotedSecret)) {
    // A name inside the value that was just masked.
    if (match.index < end) continue;
    const [opening, backslashes = '', quote = '"'] = match;
    const start = match.index + opening.length;
    parts.push(text.slice(end, start), '***', backslashes, quote);
    end = closingEnd(text, start, backslashes.length, quote);
  }
  parts.push(text.slice(end));
  return parts.join('');
}

/**
 * The index after the quote that closes a string, or the length of the text. In JSON inside strings, each level doubles the
 * backslashes: if n of them come before the closing quote, a backslash of the value is written as 2(n + 1).
 */
function closingEnd(text: string, start: number, backslashes: number, quote: string): number {
  let run = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === quote && run % (2 * (backslashes + 1)) === backslashes) return at + 1;
    run = character === '\\' ? run + 1 : 0;
  }
  return text.length;
}

/** Masks all before the last `@` of a URL, because a password can contain `/` and `@`, unless it can only be part of the path. */
function maskUserInfo(rest: string): string {
  const at = rest.lastIndexOf('@');
  if (at === -1) return rest;
  const authority = rest.slice(0, rest.search(/[/?#\\]|$/));
  const isHost = /^(?:[\w.-]*|\[[\da-f:.]*\])$/i.test(authority);
  const isHostAndPort = /^(?:[\w.-]+|\[[\da-f:.]*\]):\d*$/i.test(authority);
  // `http://host:80/@scope` has a path; `http://user:80/x@host` may have a password.
  if (isHost || (isHostAndPort && rest[at - 1] === '/')) return rest;
  return `***${rest.slice(at)}`;
}

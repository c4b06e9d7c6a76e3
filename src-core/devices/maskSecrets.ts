/** The end of a name whose value is a secret, and the quote that opens the value: `"access_token":"`, `apiKey: '`. */
const quotedSecret =
  /(?:token|secret|passw(?:or)?d|(?:api|access|private|secret)[-_]?key|authorization)(?:\\*["'])?\s*[:=]\s*(\\*)(["'])/gi;
const bareSecret =
  /((?:token|secret|passw(?:or)?d|(?:api|access|private|secret)[-_]?key)[ \t]*[:=][ \t]*)(?!["'\\])(?:[^\s"&\\]|\\(?!"))+/gi;

/**
 * Replaces secrets in text for a log with `***`: the values of JSON members, headers and query parameters with names such as
 * `access_token`, `apiKey` or `Authorization`, also in JSON inside a string; Bearer tokens; keys with a provider's prefix; user
 * and password of a URL. A secret may be cut off at the end of the text. The time is proportional to the length of the text, so
 * cut the text first.
 */
export function maskSecrets(text: string): string {
  return maskQuoted(text)
    .replace(/(authorization[ \t]*[:=][ \t]*)(?!["'\\])[^\s"&]+(?: [^\s"&,]+)?/gi, '$1***')
    .replace(bareSecret, '$1***')
    .replace(/([?&]key=)[^&\s"]*/gi, '$1***')
    .replace(/\b(Bearer )[^\s",]+/gi, '$1***')
    .replace(/\b(sk[-_]|gsk_|xai-|hf_|AIza)[\w-]{8,}/g, '$1***')
    .replace(/(:(?:\\?\/){2})([^\s"]+)/g, (_url, slashes: string, rest: string) => slashes + maskUserInfo(rest));
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

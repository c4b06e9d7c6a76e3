import { isTokenLike } from '../../base/looksSecret.ts';
import type { ServerEndpoint } from '../../mcp/types.ts';

/** Shorter values, such as `1` or `true`, would be masked in every frame. */
const shortestSecret = 6;
/** Shorter values of a query are versions and regions rather than tokens. */
const shortestQuerySecret = 16;

/** What is started, and what hides its secrets. */
export interface StartTarget {
  endpoint: ServerEndpoint;
  mask: SecretMask;
}

/** Replaces secrets with `***`: those of the server, and `others`. */
export type SecretMask = (text: string, others?: readonly string[]) => string;

/**
 * Returns a function that replaces the secrets of a server with `***`: the values of its variables and headers, the token of a
 * header such as `Authorization`, user and password of its URL, parts of the URL that look like keys, and `values`, which were put in the
 * place of variables.
 */
export function createSecretMask(endpoint: ServerEndpoint, values: readonly string[] = []): SecretMask {
  const own = endpoint.type === 'stdio' ? Object.values(endpoint.env) : secretsOfUrl(endpoint);
  const written = [...own, ...values, ...values.flatMap(urlForms)].flatMap(formsOf);
  let all = written.sort(longestFirst);
  let known: readonly string[] = [];
  return (text, others = []) => {
    if (others.length !== known.length || others.some((secret, at) => secret !== known[at])) {
      known = [...others];
      all = [...written, ...others.flatMap(formsOf)].sort(longestFirst);
    }
    return all.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
  };
}

/** The forms in which a text may have a secret; none if it is too short to be masked. */
function formsOf(secret: string): string[] {
  if (secret.length < shortestSecret) return [];
  return [...new Set([secret, escaped(secret), encodeURIComponent(secret.toWellFormed())])];
}

/** A secret may begin with another one. */
function longestFirst(a: string, b: string): number {
  return b.length - a.length;
}

function secretsOfUrl({ url, headers }: Extract<ServerEndpoint, { url: string }>): string[] {
  const values = Object.values(headers);
  // `Bearer abc` is also sent or quoted as `abc`.
  const tokens = values.flatMap((value) => value.split(' ').slice(1));
  const parsed = URL.parse(url);
  if (parsed === null) return [...values, ...tokens];
  const { username, password, searchParams, pathname } = parsed;
  const inQuery = [...searchParams.values()].filter((value) => value.length >= shortestQuerySecret);
  const inPath = pathname.split('/').filter(isTokenLike);
  return [...values, ...tokens, decoded(username), decoded(password), ...inQuery, ...inPath];
}

/** A URL may also be written in its normal form, or without its host. */
function urlForms(value: string): string[] {
  const url = URL.parse(value);
  return url === null ? [] : [url.href, `${url.pathname}${url.search}`];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A `%` that encodes nothing.
    return part;
  }
}

/** Returns a text as JSON writes it in a string. */
function escaped(secret: string): string {
  return JSON.stringify(secret).slice(1, -1);
}

import type { ServerEndpoint } from '../../mcp/types.ts';

/** Shorter values, such as `1` or `true`, would be masked in every frame. */
const shortestSecret = 6;
/** Shorter values of a query are versions and regions rather than tokens. */
const shortestQuerySecret = 16;

/**
 * Returns a function that replaces the secrets of a server with `***`: the values of its variables and headers, the token of a
 * header such as `Authorization`, user and password of its URL, and long values of the URL's query.
 */
export function createSecretMask(endpoint: ServerEndpoint): (text: string) => string {
  const found = endpoint.type === 'stdio' ? Object.values(endpoint.env) : secretsOfUrl(endpoint);
  const secrets = found.filter((secret) => secret.length >= shortestSecret);
  // A secret may begin with another one.
  const written = [
    ...new Set(secrets.flatMap((secret) => [secret, escaped(secret), encodeURIComponent(secret.toWellFormed())])),
  ];
  written.sort((a, b) => b.length - a.length);
  return (text) => written.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
}

function secretsOfUrl({ url, headers }: Extract<ServerEndpoint, { url: string }>): string[] {
  const values = Object.values(headers);
  // `Bearer abc` is also sent or quoted as `abc`.
  const tokens = values.flatMap((value) => value.split(' ').slice(1));
  const { username, password, searchParams } = new URL(url);
  const inQuery = [...searchParams.values()].filter((value) => value.length >= shortestQuerySecret);
  return [...values, ...tokens, decoded(username), decoded(password), ...inQuery];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A `%` that encodes nothing.
    return part;
  }
}

/** As JSON writes it in a string. */
function escaped(secret: string): string {
  return JSON.stringify(secret).slice(1, -1);
}

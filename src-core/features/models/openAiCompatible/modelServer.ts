import { RequestError } from '../../../base/requestError.ts';
import { trimEndOf } from '../../../base/trimEndOf.ts';

/** The address of a model server and how to send requests to it. */
export interface ModelServer {
  /** `https://api.example.com/v1`: the part before `/chat/completions`. */
  baseUrl: string;
  /** Sent as a bearer token; none is sent if absent. */
  apiKey?: string | undefined;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>> | undefined;
  fetch?: typeof globalThis.fetch | undefined;
}

/** A base URL in its parts. */
export interface BaseUrl {
  /** Without query and closing slash. */
  url: string;
  /** The query: some clouds have their API's version there. */
  query: Record<string, string>;
}

const secretName = /key|token|secret|sig|password|auth/i;

/**
 * Reads the address of a model server.
 * @throws {RequestError} On `baseUrl`, if it is not an http or https address, or has a key in it.
 */
export function readBaseUrl(text: string): BaseUrl {
  const url = URL.parse(text.trim());
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    const example = 'http://127.0.0.1:11434/v1';
    throw invalid(
      `"${text}" is not the address of a model server. Enter the full address, starting with http:// or https://: ${example}`,
    );
  }
  if (url.username !== '' || url.password !== '')
    throw invalid('The address contains a user name and a password. Remove them; the key has its own field.');
  const named = [...url.searchParams.keys()].find((name) => secretName.test(name));
  if (named !== undefined) throw invalid(`The address has "${named}" in it. Remove it; the key has its own field.`);
  // Users paste the whole endpoint as often as its base.
  const path = trimEndOf(url.pathname, '/').replace(/\/chat\/completions$/, '');
  return { url: `${url.origin}${path}`, query: Object.fromEntries(url.searchParams) };
}

/**
 * A key as a header can carry it.
 * @throws RequestError on `apiKey`; the message does not show it.
 */
export function readApiKey(text: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]{1,4096}$/.test(key)) return key;
  throw new RequestError(
    'A key is one line of at most 4,096 letters, digits and signs, without spaces. Paste it again.',
    { field: 'apiKey' },
  );
}

function invalid(message: string): RequestError {
  return new RequestError(message, { field: 'baseUrl' });
}

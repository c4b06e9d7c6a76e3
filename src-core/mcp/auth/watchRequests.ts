import { OAuthErrorCode, type FetchLike } from '@modelcontextprotocol/client';

import { localize } from '../../base/messages/localize.ts';
import { maskSecrets } from '../../base/maskSecrets.ts';
import { checkRequestUrl } from './checkUrls.ts';
import { SignInError, type SignInStep, type SignInStepKind } from './types.ts';

const maxRedirects = 5;
/** How long an answer may take, in ms, and how many bytes it may have. */
const timeoutMs = 30_000;
const maxBytes = 1024 * 1024;

/** `fetch` for the requests of a sign-in: each URL is checked, a redirect stays at its origin, and each answer is recorded. */
export function watchRequests(
  next: FetchLike,
  serverUrl: URL,
  signal: AbortSignal,
  onStep: (step: SignInStep) => void,
): FetchLike {
  return async (input, init = {}) => {
    const first = new URL(String(input));
    const { method = 'GET' } = init;
    const step = kindOf(first, init);
    const request = `${method} ${maskSecrets(first.origin + first.pathname)}`;
    try {
      const limited = { ...init, signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) };
      const response = await readBounded(await fetchChecked(next, first, limited, serverUrl), first.host);
      const { status } = response;
      const { facts, isNonce } = await readFacts(response);
      const isAbsent = method === 'GET' && status >= 400 && status < 500;
      const outcome = response.ok || isNonce ? 'passed' : isAbsent ? 'absent' : 'failed';
      onStep({ step: isNonce ? 'dpop-nonce' : step, outcome, request, status, facts });
      if (method === 'GET' && status >= 500)
        throw new SignInError(localize('signIn.http-status', { host: first.host, status }));
      return response;
    } catch (cause) {
      const error =
        cause instanceof SignInError
          ? cause
          : new SignInError(localize('signIn.unreachable', { host: first.host }), { cause });
      onStep({ step, outcome: 'failed', request, facts: [], failure: error.shown });
      throw error;
    }
  };
}

async function fetchChecked(next: FetchLike, first: URL, init: RequestInit, serverUrl: URL): Promise<Response> {
  let url = first;
  for (let redirects = 0; ; redirects += 1) {
    await checkRequestUrl(url, serverUrl);
    const response = await next(url, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    await response.body?.cancel();
    const target = new URL(location, url);
    const isRead = (init.method ?? 'GET') === 'GET';
    if (!isRead || target.origin !== url.origin || redirects >= maxRedirects)
      throw new SignInError(localize('signIn.redirected', { origin: target.origin }));
    url = target;
  }
}

/** The answer with its body read. */
async function readBounded(response: Response, issuer: string): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new SignInError(localize('signIn.bad-answer', { issuer }));
    chunks.push(chunk);
  }
  const { status, statusText, headers } = response;
  const body = [101, 204, 205, 304].includes(status) ? null : Buffer.concat(chunks);
  return new Response(body, { status, statusText, headers });
}

function kindOf({ pathname }: URL, { method, body }: RequestInit): SignInStepKind {
  if (pathname.includes('/.well-known/oauth-protected-resource')) return 'server-metadata';
  if (method !== 'POST') return 'issuer-metadata';
  if (!(body instanceof URLSearchParams)) return 'registration';
  return body.get('grant_type') === 'refresh_token' ? 'refresh' : 'token';
}

const shown = [
  'issuer',
  'authorization_servers',
  'scopes_supported',
  'client_id_metadata_document_supported',
  'scope',
  'token_type',
  'expires_in',
  'error',
  'error_description',
];

/** Fields of the answer that are not secret, and whether it asks for a nonce (RFC 9449 §8). */
async function readFacts(response: Response): Promise<{ facts: string[]; isNonce: boolean }> {
  try {
    const found = (await response.clone().json()) as Record<string, unknown>;
    const isNonce = response.status === 400 && found['error'] === OAuthErrorCode.UseDpopNonce;
    const facts = shown.flatMap((name) => {
      const value = found[name];
      const text = Array.isArray(value) ? value.slice(0, 20).join(', ') : value;
      const isShown = typeof text === 'string' || typeof text === 'number' || text === true;
      return isShown ? [`${name}: ${maskSecrets(String(text))}`] : [];
    });
    return { facts, isNonce };
  } catch {
    // The answer is not JSON: only the status is known.
    return { facts: [], isNonce: false };
  }
}

import type { FetchLike } from '@modelcontextprotocol/client';

import { maskSecrets } from '../../base/maskSecrets.ts';
import { checkRequestUrl } from './checkUrls.ts';
import { SignInError, type SignInStep, type SignInStepKind } from './types.ts';

const maxRedirects = 5;

/** `fetch` for the requests of a sign-in: each URL is checked, a redirect stays at its origin, and each answer is recorded. */
export function watchRequests(next: FetchLike, serverUrl: URL, onStep: (step: SignInStep) => void): FetchLike {
  return async (input, init = {}) => {
    const first = new URL(String(input));
    if (isMessage(first, serverUrl)) return next(input, init);
    const { method = 'GET' } = init;
    const step = kindOf(first, init);
    const request = `${method} ${maskSecrets(first.origin + first.pathname)}`;
    try {
      const response = await fetchChecked(next, first, init, serverUrl);
      const facts = response.ok ? await factsOf(response) : [];
      onStep({ step, outcome: response.ok ? 'passed' : 'failed', request, status: response.status, facts });
      return response;
    } catch (error) {
      const facts = [error instanceof SignInError ? error.message : 'The request failed.'];
      onStep({ step, outcome: 'failed', request, facts });
      throw error;
    }
  };
}

/** Messages, and the stream of a server, go to its own URL. */
function isMessage({ origin, pathname }: URL, serverUrl: URL): boolean {
  return origin === serverUrl.origin && pathname === serverUrl.pathname;
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
      throw new SignInError('redirected', `The request was redirected to ${target.origin}. It was not followed.`);
    url = target;
  }
}

function kindOf({ pathname }: URL, { method, body }: RequestInit): SignInStepKind {
  if (pathname.includes('/.well-known/oauth-protected-resource')) return 'server-metadata';
  if (pathname.includes('/.well-known/')) return 'issuer-metadata';
  if (method !== 'POST') return 'other';
  if (!(body instanceof URLSearchParams)) return 'registration';
  return body.get('grant_type') === 'refresh_token' ? 'refresh' : 'token';
}

const shown = ['issuer', 'authorization_servers', 'registration_endpoint', 'scope', 'token_type', 'scopes_supported'];

/** Fields of the answer that are not secret. */
async function factsOf(response: Response): Promise<string[]> {
  try {
    const found = (await response.clone().json()) as Record<string, unknown>;
    return shown.flatMap((name) => {
      const value = found[name];
      const text = Array.isArray(value) ? value.slice(0, 20).join(', ') : value;
      return typeof text === 'string' ? [`${name}: ${maskSecrets(text.slice(0, 300))}`] : [];
    });
  } catch {
    return [];
  }
}

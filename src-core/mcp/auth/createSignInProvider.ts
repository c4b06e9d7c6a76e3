import {
  extractWWWAuthenticateParams,
  isDpopNonceChallenge,
  validateClientMetadataUrl,
  withDpop,
  type FetchLike,
} from '@modelcontextprotocol/client';

import { localize } from '../../base/messages/localize.ts';
import { untilAborted } from '../../base/untilAborted.ts';
import { SignInAttempt, type Challenge, type SignInContext, type SignInOptions } from './signInAttempt.ts';
import { SignInError, type SignInProvider, type SignInStep, type SignInStore } from './types.ts';

/** Members of tokens and of registered clients. */
const secretMembers = ['access_token', 'refresh_token', 'id_token', 'client_secret'] as const;
/** Secrets of earlier tokens; the older ones are forgotten. */
const maxSecrets = 100;
/** Shorter ones would be masked in other words. */
const shortestSecret = 6;
/** Characters of a fact of a step: an authorization server may repeat a secret in it. */
const maxFact = 320;

/** Signs in at one MCP server. The client is, in this order: the configured one, the metadata URL, a registered one. */
export function createSignInProvider(options: SignInOptions): SignInProvider {
  validateClientMetadataUrl(options.clientMetadataUrl);
  return new SignIn(options);
}

class SignIn implements SignInProvider {
  readonly #options: SignInOptions;
  readonly #context: SignInContext;
  /** The last ones without a sign-in since. */
  readonly #challenges = new Map<Challenge['status'], Challenge>();
  /** The sign-in that gets a good token, for all requests. */
  #renewal: Promise<void> | undefined;
  /** The sign-in that gets more rights, for one request. */
  #stepUp: { end(): void; ended: Promise<void>; scopes: readonly string[] } | undefined;
  readonly #secrets = new Set<string>();

  constructor(options: SignInOptions) {
    this.#options = options;
    this.#remember({ client_secret: options.client?.clientSecret });
    this.#context = {
      options,
      tokens: () => this.#tokens(),
      refreshed: undefined,
      report: (step) => this.#report(step),
      addSecret: (secret) => void this.#secrets.add(secret),
      remember: (members) => this.#remember(members),
    };
  }

  get asksForMore(): boolean {
    return this.#challenges.has(403);
  }

  token(): Promise<string | undefined> {
    return Promise.resolve(this.#tokens()?.access_token);
  }

  secrets(): readonly string[] {
    const { store } = this.#options;
    const issuer = store.issuer();
    this.#remember({ ...(issuer !== undefined && store.client(issuer)), ...this.#tokens() });
    return [...this.#secrets];
  }

  wrapFetch(next: FetchLike): FetchLike {
    const { dpop } = this.#options;
    const watched: FetchLike = async (input, init) => {
      const response = await next(input, init);
      if (dpop && isDpopNonceChallenge(response)) {
        const { origin, pathname } = new URL(String(input));
        const request = `${init?.method ?? 'GET'} ${origin}${pathname}`;
        this.#report({ step: 'dpop-nonce', outcome: 'passed', request, status: response.status, facts: [] });
      }
      return response;
    };
    const isBound = (): boolean => this.#tokens()?.token_type.toLowerCase() === 'dpop';
    const proven = dpop
      ? withDpop(dpop, () => (isBound() ? this.#tokens()?.access_token : undefined))(watched)
      : watched;
    return async (input, init) => {
      const response = await proven(input, init);
      this.#notice(response, init);
      return response;
    };
  }

  signIn(signal: AbortSignal, status: Challenge['status'] = 401): Promise<void> {
    const run = (): Promise<void> =>
      status === 403
        ? this.#getMoreRights(signal)
        : (this.#renewal ??= this.#renew().finally(() => (this.#renewal = undefined)));
    return untilAborted(run, signal, () => new SignInError(localize('signIn.cancelled')));
  }

  async #renew(): Promise<void> {
    const challenge = this.#take(401);
    if (challenge !== undefined && this.#isOutdated(challenge)) return;
    const { signal } = this.#options;
    // One page is shown at a time. A new token is needed for the other one, too.
    const beforePage = async (): Promise<void> => {
      this.#stepUp?.end();
      await this.#stepUp?.ended;
    };
    await new SignInAttempt(this.#context, { challenge, signal, beforePage }).run();
  }

  /**
   * `signal` ends the page. If another sign-in runs that may suffice, it is waited for: the request is sent again then, and may ask again.
   */
  async #getMoreRights(signal: AbortSignal): Promise<void> {
    const challenge = this.#take(403);
    if (this.#renewal) return this.#renewal;
    const scopes = challenge?.scope?.split(' ') ?? [];
    const running = this.#stepUp;
    if (running) {
      if (scopes.every((each) => running.scopes.includes(each))) return running.ended;
      throw new SignInError(localize('signIn.other-scopes', { scope: scopes.join(' ') }));
    }
    if (challenge === undefined || this.#isOutdated(challenge)) return;
    const ending = new AbortController();
    const attempt = new SignInAttempt(this.#context, {
      challenge,
      signal: AbortSignal.any([signal, ending.signal]),
      beforePage: () => Promise.resolve(),
    }).run();
    const end = (): void => void (this.#stepUp = undefined);
    this.#stepUp = { end: () => ending.abort(), ended: attempt.then(end, end), scopes };
    await attempt.catch((error: unknown) => {
      if (!ending.signal.aborted) throw error;
      return this.#renewal;
    });
  }

  #take(status: Challenge['status']): Challenge | undefined {
    const challenge = this.#challenges.get(status);
    this.#challenges.delete(status);
    return challenge;
  }

  /** Whether another sign-in has brought a newer token since the request. */
  #isOutdated({ token }: Challenge): boolean {
    const tokens = this.#tokens();
    return tokens !== undefined && token !== tokens.access_token;
  }

  #report(step: SignInStep): void {
    const secrets = this.secrets().filter(({ length }) => length >= shortestSecret);
    const hide = (fact: string): string => secrets.reduce((text, secret) => text.replaceAll(secret, '***'), fact);
    this.#options.onStep?.({ ...step, facts: step.facts.map((fact) => hide(fact).slice(0, maxFact)) });
  }

  #tokens(): ReturnType<SignInStore['tokens']> {
    const issuer = this.#options.store.issuer();
    return issuer === undefined ? undefined : this.#options.store.tokens(issuer);
  }

  #remember(of: { readonly [member in (typeof secretMembers)[number]]?: unknown }): void {
    for (const member of secretMembers) {
      const secret = of[member];
      if (typeof secret !== 'string') continue;
      this.#secrets.delete(secret);
      this.#secrets.add(secret);
    }
    for (const secret of [...this.#secrets].slice(0, -maxSecrets)) this.#secrets.delete(secret);
  }

  #notice(response: Response, init: RequestInit = {}): void {
    const { status } = response;
    if (response.ok) this.#context.refreshed = undefined;
    if (status !== 401 && status !== 403) return;
    const { scope, resourceMetadataUrl, error } = extractWWWAuthenticateParams(response);
    if (status === 403 && error !== 'insufficient_scope') return;
    const token = /^Bearer (.+)$/i.exec(new Headers(init.headers).get('authorization') ?? '')?.[1];
    this.#challenges.set(status, { status, scope, resourceMetadataUrl, token });
    // A stream that the SDK opens again and again; nothing else waits for its answer.
    if (init.method === 'GET' && token !== undefined)
      void this.signIn(this.#options.signal, status).catch(() => undefined);
  }
}

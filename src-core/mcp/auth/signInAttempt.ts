import { randomBytes } from 'node:crypto';

import {
  auth,
  computeScopeUnion,
  discoverOAuthProtectedResourceMetadata,
  isStrictScopeSuperset,
  type DpopSession,
  type FetchLike,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthProtectedResourceMetadata,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';

import { localize } from '../../base/messages/localize.ts';
import { checkAuthorizationUrl } from './checkUrls.ts';
import { explainSignInError, isRefusalOfOAuth } from './explainSignInError.ts';
import { authenticationOf, boundClient, metadataOf, tokenRequestOf, type TokenOptions } from './oauthClient.ts';
import { isSame, readCallback } from './readCallback.ts';
import { SignInError, type SignInPage, type SignInStep, type SignInStore } from './types.ts';
import { watchRequests } from './watchRequests.ts';

export interface SignInOptions extends TokenOptions {
  serverUrl: string;
  /** The headers of the configuration. They are sent with the request for the metadata of the server, and to no other one. */
  headers?: Readonly<Record<string, string>>;
  store: SignInStore;
  /** Without it, `client` uses its own credentials. */
  page?: SignInPage;
  /** The authorization server to use, if the server names several. The first one by default. */
  issuer?: string;
  /** An https URL of the client's metadata, which issuers that support it take as the client's id. */
  clientMetadataUrl?: string;
  /** Binds the tokens to a key of this client. */
  dpop?: DpopSession;
  /** Ends a sign-in that runs. */
  signal: AbortSignal;
  onStep?(step: SignInStep): void;
  /**
   * The user is asked, with `steps-up` for more rights, or no longer. `refused`: there is no token that the server accepts, for the
   * reason of the error.
   */
  onState?(state: 'waits' | 'steps-up' | 'done' | 'refused', error?: SignInError): void;
}

/** What the server answered to a request without a sufficient token. */
export interface Challenge {
  status: 401 | 403;
  scope: string | undefined;
  resourceMetadataUrl: URL | undefined;
  /** The token of the request. */
  token: string | undefined;
}

/** What the sign-ins at one server share. */
export interface SignInContext {
  options: SignInOptions;
  tokens(): StoredOAuthTokens | undefined;
  /** The token of the last refresh, until the server accepts it. */
  refreshed: string | undefined;
  report(step: SignInStep): void;
  addSecret(secret: string): void;
  /** Adds the secrets of tokens or of a registered client. */
  remember(of: object): void;
}

/** One sign-in. */
export class SignInAttempt {
  readonly #context: SignInContext;
  readonly #options: SignInOptions;
  readonly #challenge: Challenge | undefined;
  readonly #signal: AbortSignal;
  readonly #beforePage: () => Promise<void>;
  readonly #serverUrl: URL;
  readonly #fetch: FetchLike;
  #discovery: OAuthDiscoveryState | undefined;
  /** The server has no metadata. It is not requested again in this sign-in. */
  #isBare = false;
  #redirectUrl: string | undefined;
  #state = '';
  #verifier = '';
  #page: URL | undefined;
  #isFinishing = false;
  #lastStep: SignInStep['step'] = 'challenge';

  /** `signal` ends the page of the user. `beforePage` is waited for before the page is shown. */
  constructor(
    context: SignInContext,
    of: { challenge: Challenge | undefined; signal: AbortSignal; beforePage: () => Promise<void> },
  ) {
    this.#context = context;
    this.#options = context.options;
    this.#challenge = of.challenge;
    this.#signal = of.signal;
    this.#beforePage = of.beforePage;
    this.#serverUrl = new URL(this.#options.serverUrl);
    const withHeaders: FetchLike = (url, init) =>
      fetch(url, this.#isMetadataOfServer(url) ? this.#withOwn(init) : init);
    const onStep = (step: SignInStep): void => this.#report(step);
    const watched = watchRequests(withHeaders, this.#serverUrl, this.#options.signal, onStep);
    this.#fetch = (url, init) =>
      this.#isBare && this.#isMetadataOfServer(url)
        ? Promise.resolve(new Response(null, { status: 404 }))
        : watched(url, init);
  }

  /** @throws {SignInError} */
  async run(): Promise<void> {
    const { page, onState } = this.#options;
    const challenge = this.#challenge;
    this.#report({
      step: challenge?.status === 403 ? 'step-up' : 'challenge',
      outcome: 'passed',
      status: challenge?.status ?? 401,
      facts: challenge?.scope === undefined ? [] : [`scope: ${challenge.scope}`],
    });
    try {
      await this.#authorize().catch(async (error: unknown) => {
        const isTaken = error instanceof SignInError && error.code === 'port-in-use';
        if (!isTaken || (await page?.changePort?.()) !== true) throw error;
        await this.#authorize();
      });
      onState?.('done');
    } catch (cause) {
      const error = this.#withoutOAuth(explainSignInError(cause, this.#issuer() ?? this.#serverUrl.host));
      this.#report({ step: error.step ?? this.#lastStep, outcome: 'failed', facts: [], failure: error.shown });
      // A token that is good for other requests is kept.
      if (challenge?.status === 403) onState?.('done');
      else onState?.('refused', error);
      throw error;
    }
  }

  #report(step: SignInStep): void {
    this.#lastStep = step.step;
    this.#context.report(step);
  }

  #isMetadataOfServer(url: string | URL): boolean {
    const { origin, pathname } = new URL(url);
    return origin === this.#serverUrl.origin && pathname.includes('/.well-known/oauth-protected-resource');
  }

  #withOwn(init: RequestInit = {}): RequestInit {
    const headers = new Headers(this.#options.headers);
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    return { ...init, headers };
  }

  /** A registration without metadata or settings that name an authorization server was only an attempt at the usual address. */
  #withoutOAuth(error: SignInError): SignInError {
    const { issuer, client } = this.#options;
    const isNamed = !this.#isBare || issuer !== undefined || client !== undefined;
    const isOAuth = this.#discovery?.authorizationServerMetadata || isRefusalOfOAuth(error.cause);
    if (isNamed || error.step !== 'registration' || isOAuth) return error;
    return new SignInError(localize('signIn.no-oauth'), { step: 'server-metadata', cause: error });
  }

  async #authorize(): Promise<void> {
    const challenge = this.#challenge;
    if (this.#signal.aborted) throw new SignInError(localize('signIn.cancelled'));
    const tokens = this.#context.tokens();
    await this.#discover(challenge?.resourceMetadataUrl);
    const scope = this.#scopeFor();
    const isStepUp = challenge?.status === 403;
    if (isStepUp && tokens?.scope !== undefined && !isStrictScopeSuperset(scope, tokens.scope))
      throw new SignInError(localize('signIn.scope-refused', { scope: challenge.scope ?? '' }), { step: 'step-up' });
    this.#redirectUrl = await this.#options.page?.redirectUrl();
    this.#page = undefined;
    const result = await auth(this.#provider(), {
      serverUrl: this.#serverUrl,
      fetchFn: this.#fetch,
      // A refresh cannot widen the rights, and a refreshed token that is refused will be refused again.
      forceReauthorization: isStepUp || (tokens !== undefined && tokens.access_token === this.#context.refreshed),
      ...(scope !== undefined && { scope }),
    });
    if (result === 'AUTHORIZED') this.#context.refreshed = this.#context.tokens()?.access_token;
    else await this.#askUser();
  }

  /** Finds the authorization server again at each sign-in: the server may have moved to another one. */
  async #discover(resourceMetadataUrl: URL | undefined): Promise<void> {
    const { issuer } = this.#options;
    this.#discovery = undefined;
    this.#isBare = false;
    const given = resourceMetadataUrl && { resourceMetadataUrl };
    const found = await discoverOAuthProtectedResourceMetadata(this.#serverUrl, given, this.#fetch).catch(noneIfAbsent);
    this.#isBare = found === undefined;
    const offered = found?.authorization_servers ?? [];
    const chosen = issuer === undefined ? offered[0] : offered.find((each) => isSameIssuer(each, issuer));
    if (issuer !== undefined && chosen === undefined && offered.length > 0)
      throw new SignInError(
        localize('signIn.issuer-not-offered', { issuer, offered: offered.slice(0, 10).join(', ') }),
        { step: 'server-metadata' },
      );
    this.#discovery = {
      authorizationServerUrl: chosen ?? issuer ?? new URL('/', this.#serverUrl).href,
      ...(found && { resourceMetadata: found }),
      ...(resourceMetadataUrl && { resourceMetadataUrl: resourceMetadataUrl.href }),
    };
  }

  /** Those that the server names, those of the configuration and, for more rights, those of the token. */
  #scopeFor(): string | undefined {
    const challenge = this.#challenge;
    const named = challenge?.scope ?? this.#discovery?.resourceMetadata?.scopes_supported?.join(' ');
    const before = challenge?.status === 403 ? this.#context.tokens()?.scope : undefined;
    return computeScopeUnion(before, named, this.#options.scope);
  }

  #issuer(): string | undefined {
    return this.#discovery?.authorizationServerMetadata?.issuer ?? this.#discovery?.authorizationServerUrl;
  }

  async #askUser(): Promise<void> {
    const challenge = this.#challenge;
    const { page, onState } = this.#options;
    if (this.#page === undefined || page === undefined)
      throw new SignInError(localize('signIn.bad-answer', { issuer: this.#issuer() ?? '' }));
    const had = this.#context.tokens()?.scope?.split(' ') ?? [];
    const needed = challenge?.scope?.split(' ').filter((scope) => !had.includes(scope)) ?? [];
    const isStepUp = challenge?.status === 403;
    onState?.(isStepUp ? 'steps-up' : 'waits');
    const isOurs = (given: URLSearchParams): boolean => this.#isOurs(given);
    const scope = isStepUp ? needed.join(' ') : undefined;
    const callback = await page.show(this.#page, isOurs, { scope, signal: this.#signal });
    // A state is good for one callback.
    this.#state = '';
    const code = readCallback(callback, this.#discovery);
    this.#context.addSecret(code);
    this.#report({ step: 'callback', outcome: 'passed', facts: [] });
    this.#isFinishing = true;
    try {
      await auth(this.#provider(), {
        serverUrl: this.#serverUrl,
        authorizationCode: code,
        fetchFn: this.#fetch,
        ...(callback.has('iss') && { iss: callback.get('iss') ?? '' }),
      });
    } finally {
      this.#isFinishing = false;
    }
  }

  #isOurs(callback: URLSearchParams): boolean {
    if (isSame(callback.get('state') ?? '', this.#state)) return true;
    const failure = localize('signIn.wrong-state');
    this.#report({ step: 'callback', outcome: 'failed', facts: [], failure });
    return false;
  }

  /** What the SDK asks for during one sign-in. */
  #provider(): OAuthClientProvider {
    const { store, client, dpop, clientMetadataUrl, page } = this.#options;
    const keyOf = (context?: { issuer: string }): string => context?.issuer ?? this.#issuer() ?? '';
    return {
      redirectUrl: this.#redirectUrl,
      clientMetadata: metadataOf(this.#options, this.#redirectUrl),
      ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
      ...(dpop && { dpop: () => dpop }),
      ...authenticationOf(client),
      ...(page === undefined && tokenRequestOf(this.#options, this.#fetch)),
      state: () => (this.#state = randomBytes(32).toString('base64url')),
      clientInformation: (context) =>
        client ? boundClient(client, store, keyOf(context)) : store.client(keyOf(context)),
      ...(client === undefined && {
        saveClientInformation: (information, context) => {
          this.#context.remember(information);
          return store.saveClient(keyOf(context), information);
        },
      }),
      tokens: (context) => store.tokens(keyOf(context)),
      saveTokens: (tokens, context) => {
        this.#context.remember(tokens);
        return store.saveTokens(keyOf(context), tokens);
      },
      redirectToAuthorization: async (url) => {
        checkAuthorizationUrl(url);
        await this.#beforePage();
        this.#page = url;
        const request = `GET ${url.origin}${url.pathname}`;
        const asked = ['client_id', 'scope', 'resource', 'redirect_uri'];
        const shown = [...url.searchParams].filter(([name]) => asked.includes(name));
        const facts = shown.map(([name, value]) => `${name}: ${value}`);
        this.#report({ step: 'browser', outcome: 'pending', request, facts });
      },
      saveCodeVerifier: (value) => this.#context.addSecret((this.#verifier = value)),
      codeVerifier: () => this.#verifier,
      saveDiscoveryState: (found) => void (this.#discovery = found),
      discoveryState: () => this.#discovery,
      invalidateCredentials: async (scope) => {
        const key = keyOf();
        if (scope === 'all' || scope === 'verifier') this.#verifier = '';
        if (scope === 'all' || scope === 'tokens') await store.saveTokens(key, undefined);
        if (scope === 'all' || scope === 'client') await store.saveClient(key, undefined);
        // A code is good for one request, which the SDK would repeat.
        if (this.#isFinishing && scope === 'client')
          throw new SignInError(localize('signIn.invalid-client', { issuer: key }));
        if (this.#isFinishing && scope === 'tokens')
          throw new SignInError(localize('signIn.token-refused', { issuer: key, error: 'invalid_grant' }));
      },
    };
  }
}

/** A server without metadata: its origin is the authorization server (2025-03-26). */
function noneIfAbsent(error: unknown): OAuthProtectedResourceMetadata | undefined {
  if (error instanceof SignInError) throw error;
  return undefined;
}

function isSameIssuer(a: string, b: string): boolean {
  const bare = (issuer: string): string => issuer.replace(/\/$/, '');
  return bare(a) === bare(b);
}

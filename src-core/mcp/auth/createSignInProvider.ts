import { randomBytes } from 'node:crypto';

import {
  auth,
  computeScopeUnion,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  isDpopNonceChallenge,
  isStrictScopeSuperset,
  validateClientMetadataUrl,
  withDpop,
  type DpopSession,
  type FetchLike,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client';

import { localize } from '../../base/messages/localize.ts';
import { untilAborted } from '../../base/untilAborted.ts';
import { checkAuthorizationUrl } from './checkUrls.ts';
import { explainSignInError, isRefusalOfOAuth } from './explainSignInError.ts';
import { authenticationOf, boundClient, metadataOf, tokenRequestOf, type TokenOptions } from './oauthClient.ts';
import { isSame, readCallback } from './readCallback.ts';
import { SignInError, type SignInPage, type SignInProvider, type SignInStep, type SignInStore } from './types.ts';
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

/** Members of tokens and of registered clients. */
const secretMembers = ['access_token', 'refresh_token', 'id_token', 'client_secret'] as const;
/** Secrets of earlier tokens; the older ones are forgotten. */
const maxSecrets = 100;
/** Shorter ones would be masked in other words. */
const shortestSecret = 6;
/** Characters of a fact of a step: an authorization server may repeat a secret in it. */
const maxFact = 320;

/** What the server answered to a request without a sufficient token. */
interface Challenge {
  status: 401 | 403;
  scope: string | undefined;
  resourceMetadataUrl: URL | undefined;
  /** The token of the request. */
  token: string | undefined;
}

/** Signs in at one MCP server. The client is, in this order: the configured one, the metadata URL, a registered one. */
export function createSignInProvider(options: SignInOptions): SignInProvider {
  validateClientMetadataUrl(options.clientMetadataUrl);
  return new SignIn(options);
}

class SignIn implements SignInProvider {
  readonly #options: SignInOptions;
  readonly #serverUrl: URL;
  readonly #fetch: FetchLike;
  #challenge: Challenge | undefined;
  #running: Promise<void> | undefined;
  #discovery: OAuthDiscoveryState | undefined;
  /** The server has no metadata. It is not requested again in this sign-in. */
  #isBare = false;
  #redirectUrl: string | undefined;
  #state = '';
  #verifier = '';
  #page: URL | undefined;
  /** The token of the last refresh, until the server accepts it. */
  #refreshed: string | undefined;
  #isFinishing = false;
  #lastStep: SignInStep['step'] = 'challenge';
  readonly #secrets = new Set<string>();

  constructor(options: SignInOptions) {
    this.#options = options;
    this.#remember({ client_secret: options.client?.clientSecret });
    this.#serverUrl = new URL(options.serverUrl);
    const withHeaders: FetchLike = (url, init) =>
      fetch(url, this.#isMetadataOfServer(url) ? this.#withOwn(init) : init);
    const watched = watchRequests(withHeaders, this.#serverUrl, options.signal, (step) => this.#report(step));
    this.#fetch = (url, init) =>
      this.#isBare && this.#isMetadataOfServer(url)
        ? Promise.resolve(new Response(null, { status: 404 }))
        : watched(url, init);
  }

  get asked(): SignInProvider['asked'] {
    return this.#challenge?.status;
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

  signIn(signal: AbortSignal): Promise<void> {
    const run = (): Promise<void> => (this.#running ??= this.#run().finally(() => (this.#running = undefined)));
    return untilAborted(run, signal, () => new SignInError(localize('signIn.cancelled')));
  }

  #report(step: SignInStep): void {
    this.#lastStep = step.step;
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

  #isMetadataOfServer(url: string | URL): boolean {
    const { origin, pathname } = new URL(url);
    return origin === this.#serverUrl.origin && pathname.includes('/.well-known/oauth-protected-resource');
  }

  #withOwn(init: RequestInit = {}): RequestInit {
    const headers = new Headers(this.#options.headers);
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    return { ...init, headers };
  }

  #notice(response: Response, init: RequestInit = {}): void {
    const { status } = response;
    if (response.ok) this.#refreshed = undefined;
    if (status !== 401 && status !== 403) return;
    const { scope, resourceMetadataUrl, error } = extractWWWAuthenticateParams(response);
    if (status === 403 && error !== 'insufficient_scope') return;
    const token = /^Bearer (.+)$/i.exec(new Headers(init.headers).get('authorization') ?? '')?.[1];
    this.#challenge = { status, scope, resourceMetadataUrl, token };
    // A stream that the SDK opens again and again; nothing else waits for its answer.
    if (init.method === 'GET' && token !== undefined) void this.signIn(this.#options.signal).catch(() => undefined);
  }

  /** One sign-in, unless another one has brought a newer token since the request. */
  async #run(): Promise<void> {
    const { page, onState } = this.#options;
    const challenge = this.#challenge;
    const tokens = this.#tokens();
    this.#challenge = undefined;
    if (challenge !== undefined && tokens !== undefined && challenge.token !== tokens.access_token) return;
    const asks: SignInStep = {
      step: challenge?.status === 403 ? 'step-up' : 'challenge',
      outcome: 'passed',
      status: challenge?.status ?? 401,
      facts: challenge?.scope === undefined ? [] : [`scope: ${challenge.scope}`],
    };
    this.#report(asks);
    try {
      await this.#authorize(challenge).catch(async (error: unknown) => {
        const isTaken = error instanceof SignInError && error.code === 'port-in-use';
        if (!isTaken || (await page?.changePort?.()) !== true) throw error;
        await this.#authorize(challenge);
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

  /** A registration without metadata or settings that name an authorization server was only an attempt at the usual address. */
  #withoutOAuth(error: SignInError): SignInError {
    const { issuer, client } = this.#options;
    const isNamed = !this.#isBare || issuer !== undefined || client !== undefined;
    const isOAuth = this.#discovery?.authorizationServerMetadata || isRefusalOfOAuth(error.cause);
    if (isNamed || error.step !== 'registration' || isOAuth) return error;
    return new SignInError(localize('signIn.no-oauth'), { step: 'server-metadata', cause: error });
  }

  async #authorize(challenge: Challenge | undefined): Promise<void> {
    const { page, signal } = this.#options;
    if (signal.aborted) throw new SignInError(localize('signIn.cancelled'));
    const tokens = this.#tokens();
    await this.#discover(challenge?.resourceMetadataUrl);
    const scope = this.#scopeFor(challenge);
    const isStepUp = challenge?.status === 403;
    if (isStepUp && tokens?.scope !== undefined && !isStrictScopeSuperset(scope, tokens.scope))
      throw new SignInError(localize('signIn.scope-refused', { scope: challenge.scope ?? '' }), { step: 'step-up' });
    this.#redirectUrl = await page?.redirectUrl();
    this.#page = undefined;
    const result = await auth(this.#provider(), {
      serverUrl: this.#serverUrl,
      fetchFn: this.#fetch,
      // A refresh cannot widen the rights, and a refreshed token that is refused will be refused again.
      forceReauthorization: isStepUp || (tokens !== undefined && tokens.access_token === this.#refreshed),
      ...(scope !== undefined && { scope }),
    });
    if (result === 'AUTHORIZED') this.#refreshed = this.#tokens()?.access_token;
    else await this.#askUser(challenge);
  }

  /** Finds the authorization server, at each sign-in anew: the server may have moved to another one. */
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
  #scopeFor(challenge: Challenge | undefined): string | undefined {
    const named = challenge?.scope ?? this.#discovery?.resourceMetadata?.scopes_supported?.join(' ');
    const before = challenge?.status === 403 ? this.#tokens()?.scope : undefined;
    return computeScopeUnion(before, named, this.#options.scope);
  }

  #issuer(): string | undefined {
    return this.#discovery?.authorizationServerMetadata?.issuer ?? this.#discovery?.authorizationServerUrl;
  }

  async #askUser(challenge: Challenge | undefined): Promise<void> {
    const { page, onState } = this.#options;
    if (this.#page === undefined || page === undefined)
      throw new SignInError(localize('signIn.bad-answer', { issuer: this.#issuer() ?? '' }));
    const had = this.#tokens()?.scope?.split(' ') ?? [];
    const needed = challenge?.scope?.split(' ').filter((scope) => !had.includes(scope)) ?? [];
    const isStepUp = challenge?.status === 403;
    onState?.(isStepUp ? 'steps-up' : 'waits');
    const isOurs = (given: URLSearchParams): boolean => this.#isOurs(given);
    const callback = await page.show(this.#page, isOurs, isStepUp ? needed.join(' ') : undefined);
    // A state is good for one callback.
    this.#state = '';
    const code = readCallback(callback, this.#discovery);
    this.#secrets.add(code);
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
          this.#remember(information);
          return store.saveClient(keyOf(context), information);
        },
      }),
      tokens: (context) => store.tokens(keyOf(context)),
      saveTokens: (tokens, context) => {
        this.#remember(tokens);
        return store.saveTokens(keyOf(context), tokens);
      },
      redirectToAuthorization: (url) => {
        checkAuthorizationUrl(url);
        this.#page = url;
        const request = `GET ${url.origin}${url.pathname}`;
        const asked = ['client_id', 'scope', 'resource', 'redirect_uri'];
        const shown = [...url.searchParams].filter(([name]) => asked.includes(name));
        const facts = shown.map(([name, value]) => `${name}: ${value}`);
        this.#report({ step: 'browser', outcome: 'pending', request, facts });
      },
      saveCodeVerifier: (value) => void this.#secrets.add((this.#verifier = value)),
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

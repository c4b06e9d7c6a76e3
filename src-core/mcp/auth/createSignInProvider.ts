import { randomBytes, timingSafeEqual } from 'node:crypto';

import {
  auth,
  createPrivateKeyJwtAuth,
  validateAuthorizationResponseIssuer,
  validateClientMetadataUrl,
  type DpopSession,
  type FetchLike,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/client';

import { checkAuthorizationUrl } from './checkUrls.ts';
import { SignInError, type SignInClient, type SignInProvider, type SignInStep, type SignInStore } from './types.ts';
import { watchRequests } from './watchRequests.ts';

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** What an assertion is for. `audience` is the authorization server, `resource` the MCP server. */
export interface AssertionTarget {
  audience: string;
  resource: string;
  scope?: string;
  fetchFn: FetchLike;
}

export interface SignInOptions {
  serverUrl: string;
  store: SignInStore;
  /** The URL to which the browser returns. Without it, no page is opened, and `client` uses its own credentials. */
  redirectUrl?: string;
  /** Opens the sign-in page. Without it, the page is only checked. */
  open?(url: URL): void | Promise<void>;
  client?: SignInClient;
  /** Returns a JWT of an identity provider, which is exchanged for a token in place of a page (RFC 7523). Needs `client`. */
  assertion?(target: AssertionTarget): string | Promise<string>;
  /** Space-separated. Without it, the scopes that the server names are asked for. */
  scope?: string;
  /** An https URL of the client's metadata, which issuers that support it take as the client's id. */
  clientMetadataUrl?: string;
  /** Binds the tokens to a key of this client. */
  dpop?: DpopSession;
  onStep?(step: SignInStep): void;
}

/**
 * Signs in at one MCP server. `open` receives the page, and `finish` the parameters with which the browser returns. The client is, in this
 * order: the configured one, the metadata URL, a registered one.
 */
export function createSignInProvider(options: SignInOptions): SignInProvider {
  const { store, redirectUrl, client, dpop, clientMetadataUrl } = options;
  validateClientMetadataUrl(clientMetadataUrl);
  const serverUrl = new URL(options.serverUrl);
  const onStep = (step: SignInStep): void => options.onStep?.(step);
  let state = '';
  let verifier = '';
  let discovery: OAuthDiscoveryState | undefined;
  let isFinishing = false;
  const issuer = (): string | undefined => discovery?.authorizationServerMetadata?.issuer ?? store.issuer();
  const fetchAuth = watchRequests(fetch, serverUrl, onStep);

  return {
    redirectUrl,
    clientMetadata: metadataOf(options),
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    ...(dpop && { dpop: () => dpop }),
    ...clientAuthentication(client),
    ...(redirectUrl === undefined && tokenRequestOf(options, fetchAuth)),
    state: () => (state = randomBytes(32).toString('base64url')),
    clientInformation: (context) => {
      if (client === undefined) return context && store.client(context.issuer);
      return {
        client_id: client.clientId,
        ...(client.clientSecret !== undefined && { client_secret: client.clientSecret }),
        ...(client.issuer !== undefined && { issuer: client.issuer }),
      };
    },
    ...(client === undefined && {
      saveClientInformation: (information, context) => store.saveClient(keyOf(context, issuer()), information),
    }),
    tokens: (context) => {
      const key = context?.issuer ?? store.issuer();
      return key === undefined ? undefined : store.tokens(key);
    },
    saveTokens: (tokens, context) => store.saveTokens(keyOf(context, issuer()), tokens),
    async redirectToAuthorization(url) {
      try {
        checkAuthorizationUrl(url);
      } catch (error) {
        onStep({ step: 'browser', outcome: 'failed', facts: [url.protocol] });
        throw error;
      }
      const scope = url.searchParams.get('scope');
      const request = `GET ${url.origin}${url.pathname}`;
      onStep({ step: 'browser', outcome: 'passed', request, facts: scope === null ? [] : [`scope: ${scope}`] });
      await options.open?.(url);
    },
    saveCodeVerifier: (value) => void (verifier = value),
    codeVerifier: () => verifier,
    saveDiscoveryState: (found) => void (discovery = found),
    // Only for the exchange: the server may have moved to another authorization server before a new sign-in.
    discoveryState: () => (isFinishing ? discovery : undefined),
    async invalidateCredentials(scope) {
      const key = issuer();
      if (scope === 'all' || scope === 'discovery') discovery = undefined;
      if (scope === 'all' || scope === 'verifier') verifier = '';
      if (key === undefined) return;
      if (scope === 'all' || scope === 'tokens') await store.saveTokens(key, undefined);
      if (scope === 'all' || scope === 'client') await store.saveClient(key, undefined);
    },
    wrapFetch: (next: FetchLike) => watchRequests(next, serverUrl, onStep),
    async finish(callback) {
      try {
        const code = readCallback(callback, state, discovery);
        // A state is good for one callback.
        state = '';
        onStep({ step: 'callback', outcome: 'passed', facts: [] });
        isFinishing = true;
        const { resourceMetadataUrl } = discovery ?? {};
        const done = await auth(this, {
          serverUrl,
          authorizationCode: code,
          ...(callback.has('iss') && { iss: callback.get('iss') ?? '' }),
          ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl: new URL(resourceMetadataUrl) }),
          fetchFn: fetchAuth,
        });
        if (done !== 'AUTHORIZED') throw new SignInError('no-tokens', 'The sign-in gave no token.');
      } catch (error) {
        if (error instanceof SignInError) {
          onStep({ step: 'callback', outcome: 'failed', facts: [error.message] });
          throw error;
        }
        throw new SignInError('no-tokens', 'The authorization server gave no token.', error);
      } finally {
        isFinishing = false;
      }
    },
  };
}

/** The code of a callback. Its other texts are not repeated, since any program can send them. */
function readCallback(callback: URLSearchParams, state: string, discovery: OAuthDiscoveryState | undefined): string {
  if (!isSame(callback.get('state') ?? '', state))
    throw new SignInError('wrong-state', 'The answer does not belong to this sign-in: its state is another.');
  const metadata = discovery?.authorizationServerMetadata;
  try {
    validateAuthorizationResponseIssuer({
      iss: callback.get('iss') ?? undefined,
      expectedIssuer: metadata?.issuer,
      issParameterSupported: metadata?.['authorization_response_iss_parameter_supported'] === true,
    });
  } catch (error) {
    throw new SignInError('wrong-issuer', 'The answer comes from another authorization server.', error);
  }
  if (callback.has('error')) throw new SignInError('refused', 'The sign-in was refused.');
  const code = callback.get('code');
  if (code === null) throw new SignInError('no-code', 'The answer of the sign-in has no code.');
  return code;
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return expected !== '' && a.length === b.length && timingSafeEqual(a, b);
}

function keyOf(context: { issuer: string } | undefined, fallback: string | undefined): string {
  return context?.issuer ?? fallback ?? '';
}

function metadataOf({ redirectUrl, client, assertion, scope }: SignInOptions): OAuthClientMetadata {
  const scoped = scope === undefined ? {} : { scope };
  if (redirectUrl === undefined)
    return {
      client_name: 'Toolwire',
      redirect_uris: [],
      grant_types: [assertion ? jwtBearer : 'client_credentials'],
      token_endpoint_auth_method: client?.privateKey ? 'private_key_jwt' : 'client_secret_basic',
      ...scoped,
    };
  return {
    client_name: 'Toolwire',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: 'native',
    ...scoped,
  };
}

function clientAuthentication(client: SignInClient | undefined) {
  if (client?.privateKey === undefined) return {};
  const { clientId, privateKey } = client;
  const addClientAuthentication = createPrivateKeyJwtAuth({
    issuer: clientId,
    subject: clientId,
    privateKey: privateKey.pem,
    alg: privateKey.algorithm,
  });
  return { addClientAuthentication };
}

/** How a token is asked for without a page: with an assertion, or with the client's own credentials. */
function tokenRequestOf(options: SignInOptions, fetchFn: FetchLike): Partial<OAuthClientProvider> {
  let audience = '';
  let resource = '';
  return {
    saveAuthorizationServerUrl: (url) => void (audience = url),
    saveResourceUrl: (url) => void (resource = url),
    async prepareTokenRequest(scope = options.scope) {
      const scoped = { ...(scope !== undefined && { scope }) };
      if (!options.assertion) return new URLSearchParams({ grant_type: 'client_credentials', ...scoped });
      const assertion = await options.assertion({ audience, resource, fetchFn, ...scoped });
      return new URLSearchParams({ grant_type: jwtBearer, assertion, ...scoped });
    },
  };
}

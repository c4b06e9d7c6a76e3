import {
  createPrivateKeyJwtAuth,
  type FetchLike,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
} from '@modelcontextprotocol/client';

import { localize } from '../../base/messages/localize.ts';
import { SignInError, type SignInClient, type SignInStore } from './types.ts';

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** What an assertion is for. `audience` is the authorization server, `resource` the MCP server. */
export interface AssertionTarget {
  audience: string;
  resource: string;
  scope?: string;
  fetchFn: FetchLike;
}

/** Who asks for a token, and for which rights. */
export interface TokenOptions {
  client?: SignInClient;
  /** Returns a JWT of an identity provider, which is exchanged for a token in place of a page (RFC 7523). Needs `client`. */
  assertion?(target: AssertionTarget): string | Promise<string>;
  /** Space-separated scopes to request in addition to those that the server names. */
  scope?: string;
}

/** The metadata that a client registers. */
export function metadataOf(
  { client, assertion, scope }: TokenOptions,
  redirectUrl: string | undefined,
): OAuthClientMetadata {
  const scoped = scope === undefined ? {} : { scope };
  if (redirectUrl === undefined)
    return {
      client_name: 'Toolwire',
      redirect_uris: [],
      grant_types: [assertion ? jwtBearer : 'client_credentials'],
      token_endpoint_auth_method: client?.privateKey
        ? 'private_key_jwt'
        : (client?.authMethod ?? 'client_secret_basic'),
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

/** The configured client. From its first use on, its credentials belong to one issuer. */
export async function boundClient(
  { clientId, clientSecret, authMethod, issuer }: SignInClient,
  store: Pick<SignInStore, 'boundIssuer' | 'bindIssuer'>,
  presentIssuer: string,
): Promise<StoredOAuthClientInformation> {
  const bound = issuer ?? store.boundIssuer();
  if (bound === undefined) await store.bindIssuer(presentIssuer);
  return {
    client_id: clientId,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
    ...(authMethod !== undefined && { token_endpoint_auth_method: authMethod }),
    issuer: bound ?? presentIssuer,
  };
}

/** How a client with a key proves who it is. */
export function authenticationOf(
  client: SignInClient | undefined,
): Pick<OAuthClientProvider, 'addClientAuthentication'> {
  if (client?.privateKey === undefined) return {};
  const { clientId, privateKey } = client;
  const sign = createPrivateKeyJwtAuth({
    issuer: clientId,
    subject: clientId,
    privateKey: privateKey.pem,
    alg: privateKey.algorithm,
  });
  return {
    async addClientAuthentication(...request) {
      try {
        await sign(...request);
      } catch (cause) {
        throw new SignInError(localize('signIn.bad-key'), { step: 'token', cause });
      }
    },
  };
}

/** How a token is requested without a page: with an assertion, or with the client's credentials. */
export function tokenRequestOf(options: TokenOptions, fetchFn: FetchLike): Partial<OAuthClientProvider> {
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

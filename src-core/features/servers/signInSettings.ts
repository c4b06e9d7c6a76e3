import { createPrivateKey } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';

import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import type { ServerConfig } from '../../contract/servers.ts';
import type { keptSignInConfig, SignInConfig } from '../../contract/serverSignIn.ts';
import type { SignInClient } from '../../mcp/auth/types.ts';
import type { SecretStore } from '../../store/secretStore.ts';

/** How to sign in, without the secrets. */
export type KeptSignInConfig = z.infer<typeof keptSignInConfig>;

type SecretField = 'clientSecret' | 'privateKey';

/** The secret that the client needs. */
function secretOf({ clientId, authMethod }: KeptSignInConfig): SecretField | undefined {
  if (clientId === undefined || authMethod === 'none') return undefined;
  return authMethod === 'private_key_jwt' ? 'privateKey' : 'clientSecret';
}

const nameOf = (id: string, field: SecretField): string => `mcp:${id}:sign-in:${field}`;

/** The name of the client's secret in the secret store. */
export function signInSecretNames(id: string, signIn: KeptSignInConfig | undefined): string[] {
  const field = signIn && secretOf(signIn);
  return field === undefined ? [] : [nameOf(id, field)];
}

/** Stores the secret. Returns the rest. */
export async function keepSignIn(id: string, signIn: SignInConfig, secrets: SecretStore): Promise<KeptSignInConfig> {
  const { clientSecret, privateKey, ...kept } = signIn;
  const field = secretOf(kept);
  const value = field === 'privateKey' ? privateKey : clientSecret;
  if (field !== undefined && value !== undefined) await secrets.set(nameOf(id, field), value);
  return kept;
}

/** The registered client, with its secret. */
export async function readSignInClient(
  id: string,
  signIn: KeptSignInConfig,
  secrets: SecretStore,
): Promise<SignInClient | undefined> {
  const { clientId, authMethod, algorithm, issuer } = signIn;
  if (clientId === undefined) return undefined;
  const field = secretOf(signIn);
  const secret = field && (await secrets.get(nameOf(id, field)));
  return {
    clientId,
    ...(issuer !== undefined && { issuer }),
    ...(authMethod === 'private_key_jwt' && { privateKey: { pem: secret ?? '', algorithm } }),
    ...(field === 'clientSecret' && secret !== undefined && { clientSecret: secret }),
    ...((authMethod === 'client_secret_basic' || authMethod === 'client_secret_post') && { authMethod }),
  };
}

/** @throws {RequestError} If it cannot be used; the field is named. */
export function checkSignIn(signIn: SignInConfig | undefined): void {
  if (signIn === undefined) return;
  const { method, clientId, authMethod, privateKey, algorithm, clientMetadataUrl, issuer } = signIn;
  if (method === 'client' && clientId === undefined)
    throw new RequestError(localize('servers.signInNeedsClient'), { field: 'signIn.clientId' });
  if (method === 'client' && authMethod === 'none')
    throw new RequestError(localize('servers.signInNeedsSecret'), { field: 'signIn.authMethod' });
  if (clientMetadataUrl !== undefined && !isDocumentUrl(clientMetadataUrl))
    throw new RequestError(localize('servers.badMetadataUrl', { url: clientMetadataUrl }), {
      field: 'signIn.clientMetadataUrl',
    });
  if (issuer !== undefined && !(URL.canParse(issuer) && /^https?:$/.test(new URL(issuer).protocol)))
    throw new RequestError(localize('servers.badIssuer', { issuer }), { field: 'signIn.issuer' });
  if (authMethod === 'private_key_jwt' && privateKey !== undefined && !fits(privateKey, algorithm))
    throw new RequestError(localize('signIn.bad-key'), { field: 'signIn.privateKey' });
}

function isDocumentUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' && url.pathname !== '/';
}

/** Whether a key is one of the algorithm's. */
function fits(pem: string, algorithm: SignInConfig['algorithm']): boolean {
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = createPrivateKey(pem);
    if (!pem.includes('-----BEGIN PRIVATE KEY-----')) return false;
    if (algorithm === 'EdDSA') return type === 'ed25519';
    if (algorithm === 'ES256') return details?.namedCurve === 'prime256v1';
    if (algorithm === 'ES384') return details?.namedCurve === 'secp384r1';
    return type === 'rsa';
  } catch {
    // The text is no key at all.
    return false;
  }
}

/** Whether tokens and registrations of the configuration before are of no use with this one. A secret that is given counts as another one. */
export function isOtherSignIn(before: { signIn?: KeptSignInConfig | undefined }, after: ServerConfig): boolean {
  const { clientSecret, privateKey, ...now } = (after.type === 'stdio' ? undefined : after.signIn) ?? {};
  return clientSecret !== undefined || privateKey !== undefined || !isDeepStrictEqual({ ...before.signIn }, now);
}

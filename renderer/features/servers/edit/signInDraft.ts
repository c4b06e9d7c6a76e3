import { t } from '../../../i18n/index.ts';
import type { SignInConfig } from '../../../../src-core/contract/types.ts';

/** `default`: Toolwire registers itself, and asks for what the server names. */
export const signInMethods = ['default', 'user', 'client'] as const;
export const authMethods = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;
export const algorithms = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA'] as const satisfies SignInConfig['algorithm'][];

/** The fields of the form. */
export interface SignInDraft {
  method: (typeof signInMethods)[number];
  clientId: string;
  authMethod: SignInConfig['authMethod'];
  clientSecret: string;
  privateKey: string;
  algorithm: SignInConfig['algorithm'];
  clientMetadataUrl: string;
  scope: string;
  issuer: string;
  callbackPort: string;
  dpop: boolean;
  /** A secret of the client is stored. */
  isSecretKept: boolean;
}

export type SignInProblems = Partial<Record<keyof SignInDraft, string>>;

/** The draft of a configuration; secrets are empty texts. */
export function signInDraftOf(config?: SignInConfig): SignInDraft {
  const { method = 'default', authMethod = 'none', algorithm = 'ES256', dpop = false } = config ?? {};
  return {
    method,
    authMethod,
    algorithm,
    dpop,
    clientId: config?.clientId ?? '',
    clientSecret: '',
    privateKey: '',
    clientMetadataUrl: config?.clientMetadataUrl ?? '',
    scope: config?.scope ?? '',
    issuer: config?.issuer ?? '',
    callbackPort: config?.callbackPort === undefined ? '' : String(config.callbackPort),
    isSecretKept: config?.clientId !== undefined && authMethod !== 'none',
  };
}

/** What is wrong with the draft, by field. */
export function signInProblemsOf(draft: SignInDraft): SignInProblems {
  if (draft.method === 'default') return {};
  const { method, authMethod, isSecretKept } = draft;
  const [id, document, issuer, port] = [draft.clientId, draft.clientMetadataUrl, draft.issuer, draft.callbackPort].map(
    (text) => text.trim(),
  ) as [string, string, string, string];
  const hasClient = id !== '';
  const needs = (value: string, kind: boolean): boolean => hasClient && kind && !isSecretKept && value.trim() === '';
  const isShared = authMethod === 'client_secret_basic' || authMethod === 'client_secret_post';
  const isDocument =
    URL.canParse(document) && new URL(document).protocol === 'https:' && new URL(document).pathname !== '/';
  const isIssuer = URL.canParse(issuer) && /^https?:$/.test(new URL(issuer).protocol);
  const isPort = /^\d{4,5}$/.test(port) && Number(port) >= 1024 && Number(port) <= 65_535;
  return {
    ...(method === 'client' && !hasClient && { clientId: t('servers.signIn.problem.clientId') }),
    ...(method === 'client' &&
      hasClient &&
      authMethod === 'none' && { authMethod: t('servers.signIn.problem.authMethod') }),
    ...(needs(draft.clientSecret, isShared) && { clientSecret: t('servers.signIn.problem.clientSecret') }),
    ...(needs(draft.privateKey, authMethod === 'private_key_jwt') && {
      privateKey: t('servers.signIn.problem.privateKey'),
    }),
    ...(method === 'user' &&
      !hasClient &&
      document !== '' &&
      !isDocument && { clientMetadataUrl: t('servers.signIn.problem.clientMetadataUrl') }),
    ...(issuer !== '' && !isIssuer && { issuer: t('servers.signIn.problem.issuer') }),
    ...(method === 'user' && port !== '' && !isPort && { callbackPort: t('servers.signIn.problem.callbackPort') }),
  };
}

/** The configuration that the draft describes. An empty secret keeps the stored one. */
export function signInConfigOf(draft: SignInDraft): SignInConfig | undefined {
  const { method, algorithm, dpop } = draft;
  if (method === 'default') return undefined;
  const text = <K extends keyof SignInConfig & keyof SignInDraft>(field: K): Partial<Record<K, string>> => {
    const value = String(draft[field]).trim();
    return (value === '' ? {} : { [field]: value }) as Partial<Record<K, string>>;
  };
  const hasClient = draft.clientId.trim() !== '';
  const authMethod = hasClient ? draft.authMethod : 'none';
  const port = draft.callbackPort.trim();
  return {
    method,
    authMethod,
    algorithm,
    dpop,
    ...text('clientId'),
    ...(authMethod.startsWith('client_secret') && text('clientSecret')),
    ...(authMethod === 'private_key_jwt' && text('privateKey')),
    ...(method === 'user' && !hasClient && text('clientMetadataUrl')),
    ...text('scope'),
    ...text('issuer'),
    ...(method === 'user' && port !== '' && { callbackPort: Number(port) }),
  };
}

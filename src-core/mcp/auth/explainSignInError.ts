import {
  AuthorizationServerMismatchError,
  InsecureTokenEndpointError,
  IssuerMismatchError,
  OAuthError,
  RegistrationRejectedError,
} from '@modelcontextprotocol/client';

import { localize } from '../../base/messages/localize.ts';
import { SignInError } from './types.ts';

/** Explains an error of the SDK's sign-in. `issuer` is the authorization server, if it is known. */
export function explainSignInError(error: unknown, issuer: string): SignInError {
  if (error instanceof SignInError) return error;
  const cause = error;
  if (AuthorizationServerMismatchError.isInstance(error)) {
    const { recordedIssuer: bound = '', currentIssuer } = error;
    return new SignInError(localize('signIn.issuer-changed', { issuer: currentIssuer, bound }), {
      step: 'registration',
      cause,
    });
  }
  if (IssuerMismatchError.isInstance(error))
    return error.kind === 'metadata'
      ? new SignInError(localize('signIn.issuer-mismatch'), { step: 'issuer-metadata', cause })
      : new SignInError(localize('signIn.wrong-issuer'), { step: 'callback', cause });
  if (RegistrationRejectedError.isInstance(error)) {
    const reason = codeIn(error.body) ?? String(error.status);
    return new SignInError(localize('signIn.registration-refused', { issuer, reason }), {
      step: 'registration',
      cause,
    });
  }
  if (InsecureTokenEndpointError.isInstance(error))
    return new SignInError(localize('signIn.insecure-url', { origin: originOf(error.tokenEndpoint) }), {
      step: 'issuer-metadata',
      cause,
    });
  if (OAuthError.isInstance(error)) return explainCode(plainCode(error.code) ?? 'server_error', issuer, cause);
  return explainText(error, issuer);
}

function explainCode(code: string, issuer: string, cause: unknown): SignInError {
  if (code === 'invalid_client' || code === 'unauthorized_client')
    return new SignInError(localize('signIn.invalid-client', { issuer }), { cause });
  if (code === 'invalid_scope') return new SignInError(localize('signIn.invalid-scope', { issuer }), { cause });
  return new SignInError(localize('signIn.token-refused', { issuer, error: code }), { cause });
}

/** The SDK throws plain errors for these. */
function explainText(cause: unknown, issuer: string): SignInError {
  const text = cause instanceof Error ? cause.message : '';
  if (text.includes('does not support dynamic client registration'))
    return new SignInError(localize('signIn.no-registration', { issuer }), { step: 'registration', cause });
  if (text.includes('does not match expected'))
    return new SignInError(localize('signIn.resource-mismatch'), { step: 'server-metadata', cause });
  if (text.includes('code challenge method'))
    return new SignInError(localize('signIn.no-pkce'), { step: 'issuer-metadata', cause });
  return new SignInError(localize('signIn.bad-answer', { issuer }), { cause });
}

/** Whether an authorization server has refused a registration in OAuth's words, or failed at it: another server has no such answer. */
export function isRefusalOfOAuth(error: unknown): boolean {
  // With 401, the server may refuse every path alike.
  if (!RegistrationRejectedError.isInstance(error) || error.status === 401) return false;
  return error.status >= 500 || codeIn(error.body) !== undefined;
}

/** The `error` of an answer. */
function codeIn(body: string): string | undefined {
  try {
    return plainCode((JSON.parse(body) as { error?: unknown } | null)?.error);
  } catch {
    // The answer is not JSON: the status is named instead.
    return undefined;
  }
}

/** An error code as RFC 6749 writes them; another text is not repeated. */
function plainCode(code: unknown): string | undefined {
  return typeof code === 'string' && /^[a-z0-9_]{1,60}$/.test(code) ? code : undefined;
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}

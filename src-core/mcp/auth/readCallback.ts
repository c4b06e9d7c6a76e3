import { timingSafeEqual } from 'node:crypto';

import { validateAuthorizationResponseIssuer, type OAuthDiscoveryState } from '@modelcontextprotocol/client';

import { localize } from '../../base/messages/localize.ts';
import { SignInError } from './types.ts';

/** Error codes of RFC 6749 and OpenID Connect. Other texts of a callback are not repeated, since any program can send them. */
const callbackErrors = new Set([
  'access_denied',
  'invalid_request',
  'unauthorized_client',
  'unsupported_response_type',
  'invalid_scope',
  'invalid_target',
  'server_error',
  'temporarily_unavailable',
  'interaction_required',
  'login_required',
  'consent_required',
  'account_selection_required',
]);

/** The code of a callback. @throws {SignInError} If it has none, or comes from another authorization server. */
export function readCallback(callback: URLSearchParams, discovery: OAuthDiscoveryState | undefined): string {
  const metadata = discovery?.authorizationServerMetadata;
  try {
    validateAuthorizationResponseIssuer({
      iss: callback.get('iss') ?? undefined,
      expectedIssuer: metadata?.issuer,
      issParameterSupported: metadata?.['authorization_response_iss_parameter_supported'] === true,
    });
  } catch (cause) {
    throw new SignInError(localize('signIn.wrong-issuer'), { step: 'callback', cause });
  }
  const error = callback.get('error');
  if (error !== null)
    throw new SignInError(localize('signIn.refused', { error: callbackErrors.has(error) ? error : '' }), {
      step: 'callback',
    });
  const code = callback.get('code');
  if (code === null) throw new SignInError(localize('signIn.no-code'), { step: 'callback' });
  return code;
}

/** Compares secrets. Nothing is the same as an empty one. */
export function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return expected !== '' && a.length === b.length && timingSafeEqual(a, b);
}

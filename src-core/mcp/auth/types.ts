import type {
  AuthProvider,
  FetchLike,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

import type { Localized } from '../../base/messages/localize.ts';
import type { Message } from '../../base/messages/message.ts';

/** What is kept of a sign-in. The store belongs to one server URL; the rest of the key is the issuer. */
export interface SignInStore {
  tokens(issuer: string): StoredOAuthTokens | undefined;
  saveTokens(issuer: string, tokens: StoredOAuthTokens | undefined): void | Promise<void>;
  client(issuer: string): StoredOAuthClientInformation | undefined;
  saveClient(issuer: string, client: StoredOAuthClientInformation | undefined): void | Promise<void>;
  /** The issuer that saved tokens last: requests to the server use its tokens. */
  issuer(): string | undefined;
  /** The issuer that the configured client was used with first. Its credentials are sent to no other one. */
  boundIssuer(): string | undefined;
  bindIssuer(issuer: string): void | Promise<void>;
}

/**
 * `challenge` and `step-up` are what the server answered (401, and 403 with the scopes that it needs). `registration` is also the choice
 * of a client that is registered already.
 */
export const signInSteps = [
  'challenge',
  'step-up',
  'server-metadata',
  'issuer-metadata',
  'registration',
  'browser',
  'callback',
  'token',
  'refresh',
  'dpop-nonce',
] as const;
export type SignInStepKind = (typeof signInSteps)[number];

/** One step of a sign-in. It has no secrets: only the method, the URL without its query, and what was found. */
export interface SignInStep {
  step: SignInStepKind;
  /** `absent`: metadata that is not at this address; the next one is tried. */
  outcome: 'passed' | 'failed' | 'absent' | 'pending';
  /** Method and URL. */
  request?: string;
  status?: number;
  /** For example `issuer: https://…`. */
  facts: string[];
  /** Why it failed, and what to do about it. */
  failure?: Message;
}

/** How the client proves who it is. Without it, the client registers itself. */
export interface SignInClient {
  clientId: string;
  clientSecret?: string;
  /** How the secret is sent; what the authorization server prefers by default. */
  authMethod?: 'client_secret_basic' | 'client_secret_post';
  /** Private key in PEM (PKCS #8) and its algorithm, for `private_key_jwt`. */
  privateKey?: { pem: string; algorithm: string };
  /** The issuer that the credentials were registered with. They are sent to no other one. */
  issuer?: string;
}

/** How the user signs in. */
export interface SignInPage {
  /** The URL to which the browser returns. */
  redirectUrl(): Promise<string>;
  /**
   * Asks the user to open the page. Resolves to the parameters with which the browser returns; an answer that `isOurs` does not accept is
   * ignored. `scope`: what a call needs that the present token does not have; undefined if all requests wait. `signal` ends the wait.
   * @throws {SignInError}
   */
  show(
    page: URL,
    isOurs: (callback: URLSearchParams) => boolean,
    of: { scope: string | undefined; signal: AbortSignal },
  ): Promise<URLSearchParams>;
  /** Chooses another port if another program uses the present one. Returns whether it may. */
  changePort?(): Promise<boolean>;
}

/** Signs in at one server, each time that it asks for it. */
export interface SignInProvider extends AuthProvider {
  /** `fetch` for messages: proves the possession of a bound token, and notices what the server asks for. */
  wrapFetch(next: FetchLike): FetchLike;
  /** Whether the server has answered 403 with the scopes that it needs, and no sign-in has begun since. */
  readonly asksForMore: boolean;
  /** The tokens and secrets of clients that were used, the last ones at the end, to be masked in whatever the server sends. */
  secrets(): readonly string[];
  /**
   * Gets a token that the server accepts: by a refresh, with the client's own credentials, or from the user. It runs once for all that
   * wait; `signal` ends only this wait. With the status 403, it gets more rights for one request, and `signal` ends the page, too.
   * @throws {SignInError}
   */
  signIn(signal: AbortSignal, status?: 401 | 403): Promise<void>;
}

/** Why a sign-in failed. `message` is English and has no text of a callback. */
export class SignInError extends Error {
  /** The message with its code, for other languages. */
  readonly shown: Localized;
  /** The step that failed, unless the failed request identifies it. */
  readonly step: SignInStepKind | undefined;

  constructor(shown: Localized, options: { step?: SignInStepKind; cause?: unknown } = {}) {
    super(shown.text, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'SignInError';
    this.shown = shown;
    this.step = options.step;
  }

  get code(): string {
    return this.shown.code.replace(/^signIn\./, '');
  }
}

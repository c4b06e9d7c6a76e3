import type {
  FetchLike,
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

/** What is kept of a sign-in. The store belongs to one server URL; the rest of the key is the issuer. */
export interface SignInStore {
  tokens(issuer: string): StoredOAuthTokens | undefined;
  saveTokens(issuer: string, tokens: StoredOAuthTokens | undefined): void | Promise<void>;
  client(issuer: string): StoredOAuthClientInformation | undefined;
  saveClient(issuer: string, client: StoredOAuthClientInformation | undefined): void | Promise<void>;
  /** The issuer that saved tokens last: requests to the server use its tokens. */
  issuer(): string | undefined;
}

export type SignInStepKind =
  'server-metadata' | 'issuer-metadata' | 'registration' | 'browser' | 'callback' | 'token' | 'refresh' | 'other';

/** One step of a sign-in. It has no secrets: only the method, the URL without its query, and the names of what was found. */
export interface SignInStep {
  step: SignInStepKind;
  outcome: 'passed' | 'failed';
  /** Method and URL. */
  request?: string;
  status?: number;
  /** For example the issuer or the scopes. */
  facts: string[];
}

/** How the client proves who it is. Without it, the client registers itself. */
export interface SignInClient {
  clientId: string;
  clientSecret?: string;
  /** Private key in PEM (PKCS #8) and its algorithm, for `private_key_jwt`. */
  privateKey?: { pem: string; algorithm: string };
  /** The issuer that the credentials were registered with. They are sent to no other one. */
  issuer?: string;
}

/** A provider that sees the requests of its sign-in. */
export interface SignInProvider extends OAuthClientProvider {
  /** Checks and records each request that is not a message of MCP. */
  wrapFetch(next: FetchLike): FetchLike;
  /** Checks what the browser came back with, and exchanges the code. @throws {SignInError} */
  finish(callback: URLSearchParams): Promise<void>;
}

export type SignInErrorCode =
  | 'bad-authorization-url'
  | 'insecure-url'
  | 'private-address'
  | 'redirected'
  | 'wrong-state'
  | 'wrong-issuer'
  | 'refused'
  | 'no-code'
  | 'no-tokens'
  | 'timeout'
  | 'cancelled';

/** Why a sign-in failed. `message` is English and has no text of the other side. */
export class SignInError extends Error {
  readonly code: SignInErrorCode;

  constructor(code: SignInErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SignInError';
    this.code = code;
  }
}

import * as z from 'zod';

import type { Message } from '../base/messages/message.ts';

const line = z.string().max(20_000);

/** Algorithms of a client's key, for `private_key_jwt`. */
export const signInAlgorithms = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA'] as const;

/** How Toolwire signs in at a server over HTTP, if it asks for it. A secret that is undefined keeps the stored one. */
export const signInConfig = z.strictObject({
  /** `user`: on a page in the browser. `client`: with the client's own credentials. */
  method: z.enum(['user', 'client']),
  /** A client that is registered already. Without it, Toolwire uses `clientMetadataUrl`, or registers itself. */
  clientId: line.optional(),
  /** How the client proves who it is at the token endpoint. */
  authMethod: z.enum(['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt']),
  clientSecret: line.optional(),
  /** PEM (PKCS #8). */
  privateKey: line.optional(),
  algorithm: z.enum(signInAlgorithms),
  /** An https URL of a client ID metadata document. */
  clientMetadataUrl: line.optional(),
  /** Space-separated; requested in addition to the scopes that the server names. */
  scope: line.optional(),
  /** The authorization server, if the server names several. The credentials of the client are sent to no other one. */
  issuer: line.optional(),
  /** The port of this computer to which the browser returns; otherwise Toolwire chooses one. */
  callbackPort: z.int().min(1024).max(65_535).optional(),
  /** Binds the tokens to a key (RFC 9449). */
  dpop: z.boolean(),
});
export type SignInConfig = z.infer<typeof signInConfig>;
/** Without its secrets. */
export const keptSignInConfig = signInConfig.omit({ clientSecret: true, privateKey: true });

/** One step of signing in, without secrets. Texts are those of the server and of its authorization server. */
export interface SignInRow {
  /** Epoch ms. */
  at: number;
  /** `challenge` (401) and `step-up` (403) are answers of the server; each begins a sign-in. */
  step:
    | 'challenge'
    | 'step-up'
    | 'server-metadata'
    | 'issuer-metadata'
    | 'registration'
    | 'browser'
    | 'callback'
    | 'token'
    | 'refresh'
    | 'dpop-nonce';
  /** `absent`: metadata that is not at this address; the next one is tried. */
  outcome: 'passed' | 'failed' | 'absent' | 'pending';
  /** Method and URL, without its query. */
  request?: string;
  status?: number;
  /** For example `scope: files:read`. */
  facts: string[];
  /** Why it failed, and what to do about it. */
  failure?: Message;
  /** How often it happened in a row, if more than once. */
  count?: number;
}

/** The sign-in at a server. */
export interface SignInView {
  /** Of the present token. */
  signedIn?: {
    issuer: string;
    clientId?: string;
    scope?: string;
    /** Epoch ms. */
    expiresAt?: number;
    /** It can be renewed without the user. */
    refreshes: boolean;
    /** It is bound to a key (DPoP). */
    bound: boolean;
  };
  /** The URL to which the browser returns, if it is known yet. */
  redirectUrl?: string;
  /** The oldest first; at most 100. */
  rows: SignInRow[];
}

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { bearerOf, isSecret, secretDigest } from '../server/bearer.ts';

/** Links that were made and not yet opened; the oldest goes when there are more. */
const maxOpenLinks = 16;
/** Browsers that hold a cookie; the oldest is signed out when there are more. */
const maxSessions = 64;

/** The secrets that let browsers and programs in; kept in memory, so that all are void once the workbench has ended. */
export interface BrowserAccess {
  /**
   * A secret for one use, for a link that opens the window. `onSpent` is called once it no longer opens anything: it was
   * redeemed, or newer links displaced it.
   */
  createLinkToken(onSpent?: () => void): string;
  /** Trades a link's token for a `Set-Cookie` value; `undefined` if it is unknown or was used. */
  redeem(token: string): string | undefined;
  /** Lets a browser in: a `Set-Cookie` value. */
  createSession(): string;
  /** Every cookie and link becomes void. */
  clear(): void;
  /** The request carries our cookie, or the bearer token of a program on this machine. */
  isAllowed(request: IncomingMessage): boolean;
  /** The request carries the bearer token. */
  isProgram(request: IncomingMessage): boolean;
  /** For programs of the same user: stands in a file only that user can read. */
  readonly bearerToken: string;
}

/**
 * Who may use the browser mode. A browser gets in by a link that works once and leaves an HttpOnly, SameSite=Strict
 * cookie; a program by a bearer token. Secrets are kept as digests and compared in constant time.
 */
export function createBrowserAccess(options: { port: number }): BrowserAccess {
  // Cookies know no port: two workbenches on one machine must not share a name.
  const cookieName = `toolwire_${options.port}`;
  const bearerToken = newSecret();
  const links: { digest: Buffer; onSpent: (() => void) | undefined }[] = [];
  const sessions: Buffer[] = [];

  const isProgram = (request: IncomingMessage): boolean => {
    const given = bearerOf(request);
    return given !== undefined && isSecret(given, bearerToken);
  };

  function createSession(): string {
    const session = newSecret();
    sessions.push(secretDigest(session));
    if (sessions.length > maxSessions) sessions.shift();
    return `${cookieName}=${session}; Path=/; HttpOnly; SameSite=Strict`;
  }

  return {
    bearerToken,
    isProgram,
    createLinkToken(onSpent) {
      const token = newSecret();
      links.push({ digest: secretDigest(token), onSpent });
      if (links.length > maxOpenLinks) links.shift()?.onSpent?.();
      return token;
    },
    redeem(token) {
      const digests = links.map((link) => link.digest);
      const index = find(digests, token);
      if (index < 0) return undefined;
      const [link] = links.splice(index, 1);
      link?.onSpent?.();
      return createSession();
    },
    createSession,
    clear() {
      for (const { onSpent } of links.splice(0)) onSpent?.();
      sessions.length = 0;
    },
    isAllowed(request) {
      return isProgram(request) || cookies(request, cookieName).some((value) => find(sessions, value) >= 0);
    },
  };
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function find(digests: Buffer[], secret: string): number {
  const wanted = secretDigest(secret);
  return digests.findIndex((known) => timingSafeEqual(known, wanted));
}

function cookies(request: IncomingMessage, name: string): string[] {
  return (request.headers.cookie ?? '').split(';').flatMap((pair) => {
    const [key, value] = pair.trim().split('=', 2);
    return key === name && value !== undefined ? [value] : [];
  });
}

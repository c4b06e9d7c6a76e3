import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The token of `Authorization: Bearer …`. */
export function bearerOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const [scheme, token] = (headers.authorization ?? '').split(' ', 2);
  return scheme?.toLowerCase() === 'bearer' ? token : undefined;
}

/** Compares in constant time. */
export function isSecret(given: string, secret: string): boolean {
  return timingSafeEqual(secretDigest(given), secretDigest(secret));
}

/** As a secret is kept. */
export function secretDigest(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

import { createHmac, createPublicKey, randomBytes, verify } from 'node:crypto';
import { rmSync } from 'node:fs';
import * as z from 'zod';

import type { Clock } from '../base/clock.ts';
import { readTextFile } from '../base/readTextFile.ts';
import { replaceFile } from '../base/replaceFile.ts';

/** ms that a window may return by its key. */
const keepMs = 72 * 3_600_000;
/** Keys at once; the oldest goes if there are more. */
const most = 64;
/** ms between a proof and the window's answer to it. */
const answerMs = 10_000;
/** Bytes of the file; a key has some 400. */
const maxFileBytes = 64 * 1024;

const base64url = z.string().regex(/^[\w-]{16,128}$/);
const keySchema = z.object({ id: base64url, publicKey: z.string().max(512), secret: base64url, expiresAt: z.number() });
type WindowKey = z.infer<typeof keySchema>;

/** What `POST /window-key` takes: the window's public key, P-256, as SPKI in base64, and the token that it got with its link. */
export const newKeySchema = z.strictObject({ publicKey: z.base64().max(512), token: base64url });
/** What `POST /window-proof` takes. */
export const challengeSchema = z.strictObject({ id: base64url, nonce: base64url });

/**
 * Windows that may return after a restart of the workbench without a new link (SECURITY.md). The window's private key never
 * leaves its memory. The file has its public key, and the secret by which a workbench proves to the window that it is the one
 * that let it in.
 */
export interface WindowKeys {
  /** Remembers a window that is let in now. Undefined if its key is not one of P-256. */
  add(publicKey: string): { id: string; secret: string } | undefined;
  /** Proves to a window that this is its workbench, on this port. Undefined if the key is unknown or too old. */
  prove(challenge: z.infer<typeof challengeSchema>): { boot: string; proof: string } | undefined;
  /** Whether the window with this key signed the last proof. A proof is good for one attempt. The key is then stored again. */
  redeem(id: string, signature: string): boolean;
  /** Forgets all keys. */
  clear(): void;
}

/** Reads the keys from a file, which is replaced with mode 0600 at each change. Without a path they are kept in memory. */
export function createWindowKeys(options: {
  path?: string | undefined;
  port: number;
  clock: Clock;
  onError: (error: unknown) => void;
}): WindowKeys {
  const { path, port, clock, onError } = options;
  // Of this process alone: what a window signs for it is good for no other one.
  const boot = randomBytes(32).toString('base64url');
  const pending = new Map<string, { nonce: string; until: number }>();
  let keys = path === undefined ? [] : readKeys(path);

  function save(next: WindowKey[]): void {
    keys = next;
    if (path === undefined) return;
    try {
      if (keys.length === 0) rmSync(path, { force: true });
      else replaceFile(path, JSON.stringify(keys));
    } catch (error) {
      onError(error);
    }
  }

  function find(id: string): WindowKey | undefined {
    return keys.find((key) => key.id === id && key.expiresAt > clock.wall());
  }

  const text = (who: 'server' | 'window', nonce: string): string => `toolwire ${who}\n${port}\n${nonce}\n${boot}`;

  return {
    add(publicKey) {
      if (!isP256(publicKey)) return undefined;
      const id = randomBytes(16).toString('base64url');
      const secret = randomBytes(32).toString('base64url');
      const now = clock.wall();
      save(
        [...keys.filter((key) => key.expiresAt > now), { id, publicKey, secret, expiresAt: now + keepMs }].slice(-most),
      );
      return { id, secret };
    },
    prove({ id, nonce }) {
      const key = find(id);
      if (key === undefined) return undefined;
      pending.set(id, { nonce, until: clock.now() + answerMs });
      const proof = createHmac('sha256', Buffer.from(key.secret, 'base64url'))
        .update(text('server', nonce))
        .digest('base64url');
      return { boot, proof };
    },
    redeem(id, signature) {
      const [key, asked] = [find(id), pending.get(id)];
      pending.delete(id);
      if (key === undefined || asked === undefined || asked.until < clock.now()) return false;
      const signed = Buffer.from(text('window', asked.nonce));
      const isSigned = verify('sha256', signed, keyObject(key.publicKey), Buffer.from(signature, 'base64url'));
      if (isSigned) save([...keys.filter((each) => each !== key), { ...key, expiresAt: clock.wall() + keepMs }]);
      return isSigned;
    },
    clear() {
      pending.clear();
      save([]);
    },
  };
}

/** WebCrypto's signatures are the two numbers side by side. */
function keyObject(publicKey: string) {
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  return { key, dsaEncoding: 'ieee-p1363' as const };
}

function isP256(publicKey: string): boolean {
  try {
    const { key } = keyObject(publicKey);
    return key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false; // It is not a key.
  }
}

function readKeys(path: string): WindowKey[] {
  try {
    return z
      .array(keySchema)
      .max(most)
      .parse(JSON.parse(readTextFile(path, maxFileBytes)))
      .filter(({ publicKey }) => isP256(publicKey));
  } catch {
    return []; // There is none, or it is incomplete or another version's: each window needs a new link.
  }
}

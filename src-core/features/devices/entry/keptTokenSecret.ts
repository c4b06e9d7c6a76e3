import { randomBytes } from 'node:crypto';

import { unlessStorageFails } from '../../../store/storageError.ts';
import type { SettingsStore } from '../../../store/types.ts';

const key = 'devices.tokenSecret';
const secretBytes = 32;

/** The secret that devices' tokens are made of, drawn once and kept: the token that a board has stored stays good. */
export function keptTokenSecret(store: SettingsStore): Uint8Array {
  const stored = store.get(key);
  const secret = Buffer.from(typeof stored === 'string' ? stored : '', 'base64url');
  if (secret.length === secretBytes) return secret;
  const drawn = randomBytes(secretBytes);
  // If it cannot be kept, boards fetch new tokens after the next start.
  unlessStorageFails(() => store.set(key, drawn.toString('base64url')));
  return drawn;
}

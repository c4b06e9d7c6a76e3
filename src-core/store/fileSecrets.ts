import { openSecretFile } from './secretFile.ts';
import type { SecretStore } from './secretStore.ts';

/**
 * Secrets in a separate file, unencrypted: for use without safe storage of the system (the terminal, a browser's
 * window). Its mode keeps out other users, not other programs of the same user; `storage()` says so.
 */
export function createFileSecrets(path: string): SecretStore {
  const file = openSecretFile(path);
  return {
    storage: async () => 'file',
    get: async (name) => file.read(name),
    has: async (name) => file.has(name),
    set: async (name, value) => file.write(name, value),
    delete: async (name) => file.write(name, undefined),
  };
}

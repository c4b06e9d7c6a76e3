import { openSecretFile } from './secretFile.ts';
import type { SecretStore } from './secretStore.ts';

/**
 * Secrets in a file of their own, as they are: for where the system has no safe storage (the terminal, a browser's
 * window). Its mode keeps other users away, not other programs of the same user, and `storage()` says so.
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

import { openSecretFile } from '../src-core/store/secretFile.ts';
import type { SecretStore } from '../src-core/store/secretStore.ts';
import type { SafeStoragePart } from './electronParts.ts';

export interface SafeStorageSecretsOptions {
  safeStorage: SafeStoragePart;
  platform: NodeJS.Platform;
  /** Holds the encrypted secrets, in Base64. */
  path: string;
  /** Where secrets are while the system has no safe storage, and where a terminal may have put them. */
  file: SecretStore;
}

/**
 * Secrets encrypted by the system: Keychain, DPAPI, libsecret or KWallet. Where there is none of these they go to the
 * plain file, and `storage()` says which it is. Used after the app is ready: Electron knows nothing before.
 */
export function createSafeStorageSecrets(options: SafeStorageSecretsOptions): SecretStore {
  const { safeStorage, platform, file } = options;
  const encrypted = openSecretFile(options.path);
  const isAvailable = (): Promise<boolean> => safeStorage.isAsyncEncryptionAvailable();

  async function set(name: string, value: string): Promise<void> {
    if (!(await isAvailable())) {
      encrypted.write(name, undefined);
      return file.set(name, value);
    }
    const bytes = await safeStorage.encryptStringAsync(value);
    encrypted.write(name, bytes.toString('base64'));
    await file.delete(name);
  }

  return {
    async storage() {
      if (!(await isAvailable())) return 'file';
      return platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text' ? 'weak' : 'system';
    },
    async get(name) {
      const text = encrypted.read(name);
      if (text === undefined) return file.get(name);
      const { result, shouldReEncrypt } = await decrypt(safeStorage, text);
      if (shouldReEncrypt) await set(name, result);
      return result;
    },
    has: async (name) => encrypted.has(name) || (await file.has(name)),
    set,
    async delete(name) {
      encrypted.write(name, undefined);
      await file.delete(name);
    },
  };
}

async function decrypt(
  safeStorage: SafeStoragePart,
  text: string,
): Promise<{ result: string; shouldReEncrypt: boolean }> {
  try {
    return await safeStorage.decryptStringAsync(Buffer.from(text, 'base64'));
  } catch (cause) {
    throw new Error('The system’s safe storage does not give the key out. Unlock it, or set the key again.', { cause });
  }
}

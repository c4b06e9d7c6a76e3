import { openSecretFile } from '../src-core/store/secretFile.ts';
import type { SecretStore } from '../src-core/store/secretStore.ts';
import type { SafeStoragePart } from './electronParts.ts';

export interface SafeStorageSecretsOptions {
  safeStorage: SafeStoragePart;
  platform: NodeJS.Platform;
  /** Holds the encrypted secrets, in Base64. */
  path: string;
  /** Holds secrets while the system has no safe storage, and those that were set from a terminal. */
  file: SecretStore;
  /** Called if a secret was read but could not be encrypted again. */
  onError(error: unknown): void;
}

/**
 * Secrets encrypted by the system: Keychain, DPAPI, libsecret or KWallet. Without one of these they are written to the
 * plain file, and `storage()` reports which is used. Call its methods only after the app is ready.
 */
export function createSafeStorageSecrets(options: SafeStorageSecretsOptions): SecretStore {
  const { safeStorage, platform, file, onError } = options;
  const encrypted = openSecretFile(options.path);
  const isAvailable = (): Promise<boolean> => safeStorage.isAsyncEncryptionAvailable();
  let fixedPassword: boolean | undefined;

  async function encrypt(name: string, value: string): Promise<void> {
    const bytes = await safeStorage.encryptStringAsync(value);
    encrypted.write(name, bytes.toString('base64'));
  }

  /** Chromium's choice of key does not change while the app runs, so one probe is enough. */
  async function isWeak(): Promise<boolean> {
    if (platform !== 'linux') return false;
    try {
      return (fixedPassword ??= hasFixedPassword(await safeStorage.encryptStringAsync('probe')));
    } catch {
      // Chromium's built-in password never fails: this is a keyring, and it is locked.
      return false;
    }
  }

  return {
    async storage() {
      if (!(await isAvailable())) return 'file';
      return (await isWeak()) ? 'weak' : 'system';
    },
    async get(name) {
      const text = encrypted.read(name);
      if (text === undefined) return file.get(name);
      const { result, shouldReEncrypt } = await decrypt(safeStorage, text);
      // The old ciphertext stays readable, so the next read tries again.
      if (shouldReEncrypt) await encrypt(name, result).catch(onError);
      return result;
    },
    has: async (name) => encrypted.has(name) || (await file.has(name)),
    async set(name, value) {
      if (await isAvailable()) {
        await encrypt(name, value);
        await file.delete(name);
      } else {
        await file.set(name, value);
        encrypted.write(name, undefined);
      }
    },
    async delete(name) {
      encrypted.write(name, undefined);
      await file.delete(name);
    },
  };
}

/**
 * On Linux Chromium marks what it encrypted with its built-in password `v10`, and what it encrypted with a key of the
 * keyring `v11` or `v12`. `getSelectedStorageBackend()` only reflects the name of the desktop environment.
 */
function hasFixedPassword(ciphertext: Buffer): boolean {
  return ciphertext.subarray(0, 3).toString('latin1') === 'v10';
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

import type { SecretStorage } from '../contract/types.ts';

/** Keys and passwords by name, apart from everything that is shown, logged or exported. */
export interface SecretStore {
  storage: () => Promise<SecretStorage>;
  /** Undefined if there is none of that name. Rejects if it exists and cannot be read. */
  get: (name: string) => Promise<string | undefined>;
  /** Without reading it: the system may ask the user before it returns a secret. */
  has: (name: string) => Promise<boolean>;
  set: (name: string, value: string) => Promise<void>;
  /** Nothing happens if there is none of that name. */
  delete: (name: string) => Promise<void>;
}

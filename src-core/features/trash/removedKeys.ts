import type { SecretStore } from '../../store/secretStore.ts';
import { RequestError } from '../../base/requestError.ts';
import type { RemovedBin } from './removedBin.ts';

/** Keys that were removed: they stay where secrets are kept, under another name, and never come out. */
export interface RemovedKeys {
  /** Does nothing if there is no secret of that name. `label` is whose key it is. */
  remove(secretName: string, label: string): Promise<void>;
}

const asideName = (id: string): string => `removed:${id}`;

/** Keeps them with the bin. `onChange` is called with the secret's name when one is back. */
export function createRemovedKeys(options: {
  bin: Pick<RemovedBin, 'handle' | 'put' | 'takeOut'>;
  secrets: SecretStore;
  onChange: (secretName: string) => void;
}): RemovedKeys {
  const { bin, secrets, onChange } = options;
  bin.handle('key', {
    async restore({ id, of }) {
      if (await secrets.has(of)) throw new RequestError('There is another key by now. Remove that one first.');
      const value = await secrets.get(asideName(id));
      if (value === undefined) throw new RequestError('The key is no longer stored. Enter it again.');
      await secrets.set(of, value);
      await secrets.delete(asideName(id));
      onChange(of);
    },
    discard: ({ id }) => secrets.delete(asideName(id)),
  });
  return {
    async remove(secretName, label) {
      const value = await secrets.get(secretName);
      if (value === undefined) return;
      const id = bin.put({ kind: 'key', name: label, of: secretName });
      try {
        await secrets.set(asideName(id), value);
        await secrets.delete(secretName);
      } catch (error) {
        bin.takeOut(id);
        throw error;
      }
    },
  };
}

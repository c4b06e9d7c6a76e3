import type { SecretStore } from '../../store/secretStore.ts';
import { RequestError } from '../../base/requestError.ts';
import type { RemovedBin } from '../trash/removedBin.ts';

/** What is kept of models of one kind. */
interface KeptModels {
  isKept: (id: string) => boolean;
  putBack: (profile: unknown) => void;
  isDefaultOpen: () => boolean;
  setDefault: (id: string) => void;
}

/** Restores and discards removed models of a kind. `checkRoom` throws if there are too many already. */
export function handleRemovedModels(options: {
  kind: 'model' | 'realtimeModel';
  bin: Pick<RemovedBin, 'handle'>;
  kept: KeptModels;
  secrets: Pick<SecretStore, 'delete'>;
  secretName: (id: string) => string;
  checkRoom: () => void;
  onChange: () => void;
}): void {
  const { kind, bin, kept, secrets, secretName, checkRoom, onChange } = options;
  bin.handle(kind, {
    restore({ of, text = '' }) {
      const { profile, wasDefault } = JSON.parse(text) as { profile: unknown; wasDefault: boolean };
      if (kept.isKept(of)) throw new RequestError('Its script was changed meanwhile. Reset that one first.');
      checkRoom();
      kept.putBack(profile);
      if (wasDefault && kept.isDefaultOpen()) kept.setDefault(of);
      onChange();
    },
    // Its key is still stored among the secrets, under its id.
    discard: ({ of }) => (kept.isKept(of) ? undefined : secrets.delete(secretName(of))),
  });
}

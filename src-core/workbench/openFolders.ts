import { watchFolder } from '../collections/watchFolder.ts';
import type { KeyValueStore } from '../store/types.ts';

/** Where the lists are kept: the folders that are open, and those of them that are trusted. */
const key = 'collections.folders';
const trustedKey = 'collections.trusted';

/** Folders that are open at once. */
export const maxOpenFolders = 50;

/** The folders of collections that a person opened, kept over restarts and watched for changes. */
export interface OpenFolders {
  list(): string[];
  has(folder: string): boolean;
  add(folder: string): void;
  /** Its trust goes with it. */
  remove(folder: string): Promise<void>;
  isTrusted(folder: string): boolean;
  trust(folder: string, trusted: boolean): void;
  /** Watches those that are not watched yet; the first window that lists them asks for it. */
  watch(): Promise<void>;
  close(): Promise<void>;
}

/** Reads the list from the store; a list that somebody else damaged is empty, and `onError` hears of it. */
export function createOpenFolders(options: {
  store: KeyValueStore;
  onChange: () => void;
  onError: (error: unknown) => void;
}): OpenFolders {
  const { store, onChange, onError } = options;
  const folders = new Set(stored(store, key, onError));
  const trusted = new Set(stored(store, trustedKey, onError));
  const watching = new Map<string, Promise<() => Promise<void>>>();
  let closed = false;

  function keep(): void {
    store.set(key, [...folders]);
    store.set(trustedKey, [...trusted]);
    onChange();
  }

  async function unwatch(folder: string): Promise<void> {
    const stop = watching.get(folder);
    watching.delete(folder);
    await (
      await stop
    )?.();
  }

  return {
    list: () => [...folders],
    has: (folder) => folders.has(folder),
    add(folder) {
      folders.add(folder);
      keep();
    },
    async remove(folder) {
      if (!folders.delete(folder)) return;
      trusted.delete(folder);
      keep();
      await unwatch(folder);
    },
    isTrusted: (folder) => trusted.has(folder),
    trust(folder, isTrusted) {
      if (isTrusted) trusted.add(folder);
      else trusted.delete(folder);
      keep();
    },
    async watch() {
      if (closed) return;
      for (const folder of folders) {
        if (!watching.has(folder)) watching.set(folder, watchFolder(folder, { onChange, onError }));
      }
      await Promise.all(watching.values());
    },
    async close() {
      closed = true;
      await Promise.all([...watching.keys()].map(unwatch));
    },
  };
}

function stored(store: KeyValueStore, name: string, onError: (error: unknown) => void): string[] {
  try {
    const list = store.get(name) ?? [];
    return Array.isArray(list) ? list.filter((each) => typeof each === 'string').slice(0, maxOpenFolders) : [];
  } catch (cause) {
    onError(new Error('The stored list of collections is not valid; it is empty now', { cause }));
    return [];
  }
}

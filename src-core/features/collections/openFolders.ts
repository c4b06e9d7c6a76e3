import { watch } from 'chokidar';
import { relative, sep } from 'node:path';

import type { KeyValueStore } from '../../store/types.ts';

/** Where the lists are kept: the folders that are open, and those of them that are trusted. */
const key = 'collections.folders';
const trustedKey = 'collections.trusted';

/** Folders that are open at once. */
export const maxOpenFolders = 50;

/** The folders of collections that the user opened, kept over restarts and watched for changes. */
export interface OpenFolders {
  list(): string[];
  has(folder: string): boolean;
  add(folder: string): void;
  /** Its trust goes with it. */
  remove(folder: string): Promise<void>;
  isTrusted(folder: string): boolean;
  trust(folder: string, trusted: boolean): void;
  /** Watches those that are not watched yet, and no others; the first window that lists them asks for it. */
  watch(): Promise<void>;
  close(): Promise<void>;
}

/** Keeps the lists in the store's settings; a list that is damaged there is empty. */
export function createOpenFolders(options: {
  store: KeyValueStore;
  onChange: () => void;
  onError: (error: unknown) => void;
}): OpenFolders {
  const { store, onChange, onError } = options;
  const watching = new Map<string, Promise<() => Promise<void>>>();
  let closed = false;

  function read(name: string): Set<string> {
    const list = store.get(name);
    return new Set(Array.isArray(list) ? list.filter((each) => typeof each === 'string').slice(0, maxOpenFolders) : []);
  }

  function change(edit: (folders: Set<string>, trusted: Set<string>) => void): void {
    store.atomically(() => {
      const [folders, trusted] = [read(key), read(trustedKey)];
      edit(folders, trusted);
      store.set(key, [...folders]);
      store.set(trustedKey, [...trusted]);
    });
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
    list: () => [...read(key)],
    has: (folder) => read(key).has(folder),
    add: (folder) => change((folders) => folders.add(folder)),
    async remove(folder) {
      change((folders, trusted) => {
        folders.delete(folder);
        trusted.delete(folder);
      });
      await unwatch(folder);
    },
    isTrusted: (folder) => read(trustedKey).has(folder),
    trust(folder, isTrusted) {
      change((_folders, trusted) => {
        if (isTrusted) trusted.add(folder);
        else trusted.delete(folder);
      });
    },
    async watch() {
      if (closed) return;
      const folders = read(key);
      for (const folder of folders)
        if (!watching.has(folder)) watching.set(folder, watchFolder(folder, { onChange, onError }));
      await Promise.all([...watching.keys()].filter((folder) => !folders.has(folder)).map(unwatch));
      await Promise.all(watching.values());
    },
    async close() {
      closed = true;
      await Promise.all([...watching.keys()].map(unwatch));
    },
  };
}

/** Tells of every change of a collection's files, by any program. Resolves once it watches; the result ends it. */
async function watchFolder(
  path: string,
  { onChange, onError }: { onChange: () => void; onError: (error: unknown) => void },
): Promise<() => Promise<void>> {
  const watcher = watch(path, {
    followSymlinks: false,
    ignoreInitial: true,
    depth: 1,
    ignored: (each) => {
      const [first = '', ...rest] = relative(path, each).split(sep);
      // Only what a collection is made of: a folder may stand in a repository that has much more.
      return first.startsWith('.') || (rest.length > 0 && first !== 'environments') || first === 'node_modules';
    },
  });
  watcher.on('all', (_event, file) => {
    if (file.endsWith('.json')) onChange();
  });
  watcher.on('error', onError);
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
  return () => watcher.close();
}

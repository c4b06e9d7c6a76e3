import { settingsSchema, type Settings, type settings } from '../../contract/settings.ts';
import { defaultSettings } from '../../contract/defaultSettings.ts';
import type { Service } from '../../contract/implementation.ts';
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

import { unlessStorageFails } from '../../store/storageError.ts';
import type { KeyValueStore } from '../../store/types.ts';
import type { JsonValue } from '../../base/json.ts';
import { RequestError } from '../../base/requestError.ts';
import { readSettingsFile, writeSettingsFile } from './settingsFile.ts';

/** Where settings are kept: a key and a JSON value each. */
export interface SettingsStore {
  get(key: string): JsonValue | undefined;
  /** @throws StorageError if the disk refuses; the old value stays. */
  set(key: string, value: JsonValue): void;
}

/** Small facts the window remembers; past this many the oldest go. */
const maxUiKeys = 500;

/**
 * The settings, kept in the store under a key each. A stored value that no longer fits its schema (an older version,
 * an edited file) falls back to its default and is reported to `onError`.
 */
export function createSettingsService(options: {
  store: KeyValueStore;
  onChange: (next: Settings, previous: Settings) => Promise<void>;
  onError: (error: unknown) => void;
}) {
  const { store } = options;
  const current: Settings = { ...defaultSettings, ...stored() };

  function stored(): Partial<Settings> {
    const found: Record<string, unknown> = {};
    for (const [key, schema] of Object.entries(settingsSchema.shape)) {
      try {
        const value = store.get(key);
        if (value !== undefined) found[key] = schema.parse(value);
      } catch (cause) {
        options.onError(new Error(`The stored setting "${key}" is not valid and its default is used`, { cause }));
      }
    }
    return found;
  }

  return {
    get: () => structuredClone(current),
    /**
     * Resolves with all settings once the change is in effect.
     * @throws {RequestError} If `directoryRoot` is not a folder. Nothing has changed then.
     * @throws {StorageError} If the disk refuses. Nothing has changed then.
     * Also rejects with the error of `onChange`, which runs after the write: the new values then stay stored.
     */
    async set(change) {
      const next = { ...change };
      const previous = structuredClone(current);
      if (next.directoryRoot) next.directoryRoot = folder(next.directoryRoot);
      if (next.ui) next.ui = Object.fromEntries(Object.entries({ ...current.ui, ...next.ui }).slice(-maxUiKeys));
      const { ui, ...rest } = next;
      const changed = Object.entries(rest).filter(([, value]) => value !== undefined);
      if (changed.length > 0) {
        store.atomically(() => {
          for (const [key, value] of changed) store.set(key, value as JsonValue);
        });
      }
      // What a window remembers of its views is not worth an error.
      if (ui !== undefined) unlessStorageFails(() => store.set('ui', ui));
      Object.assign(current, structuredClone(Object.fromEntries(changed)), ui && { ui: structuredClone(ui) });
      await options.onChange(structuredClone(current), previous);
      return structuredClone(current);
    },
    export: () => writeSettingsFile(current),
    readExport: ({ text }) => ({ change: readSettingsFile(text, current) }),
  } satisfies Service<typeof settings>;
}

/** The folder the user typed, `~` spelled out. */
function folder(typed: string): string {
  const field = 'directoryRoot';
  const path = typed === '~' || typed.startsWith('~/') ? join(homedir(), typed.slice(1)) : typed;
  if (!isAbsolute(path))
    throw new RequestError(`"${typed}" is not an absolute path. Write it from the root, or from ~.`, { field });
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new RequestError(`"${typed}" is not a folder on this machine. Choose one that exists.`, { field });
  }
  return path;
}

import { settingsSchema, type Settings, type settings } from '../../contract/settings.ts';
import { defaultSettings } from '../../contract/defaultSettings.ts';
import type { Implementation } from '../../contract/implementation.ts';
import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

import { absolutePath } from '../../base/absolutePath.ts';
import { roundExact } from '../../base/exactNumber.ts';
import { unlessStorageFails } from '../../store/storageError.ts';
import type { JsonValue } from '../../base/json.ts';
import { RequestError } from '../../base/requestError.ts';
import type { FeatureContext } from '../context.ts';
import { readSettingsFile, writeSettingsFile } from './settingsFile.ts';

/** Small facts the window remembers; past this many the oldest go. */
const maxUiKeys = 500;

/**
 * The settings, kept in the store under a key each. A stored value that no longer fits its schema (an older version,
 * an edited file) falls back to its default and is reported to `onError`.
 */
export function openSettings({ store: { settings: store }, events, onError }: Omit<FeatureContext, 'settings'>) {
  /** Replaced by each change, and never changed itself. */
  let current: Settings = { ...defaultSettings, ...stored() };

  function stored(): Partial<Settings> {
    const found: Record<string, unknown> = {};
    for (const [key, schema] of Object.entries(settingsSchema.shape)) {
      try {
        const value = store.get(key);
        if (value !== undefined) found[key] = schema.parse(value);
      } catch (cause) {
        onError(new Error(`The stored setting "${key}" is not valid and its default is used`, { cause }));
      }
    }
    return found;
  }

  const service = {
    get: () => current,
    /**
     * Resolves with all settings once the change is in effect.
     * @throws {RequestError} If `directoryRoot` is not a folder, or a file of `cluster` has a relative path. Nothing has changed then.
     * @throws {StorageError} If the disk refuses. Nothing has changed then.
     * Also rejects with what rejects in the work of `settingsChanged`: the new values then stay stored.
     */
    async set(change) {
      // A remembered schema may have an exact number, which cannot be cloned.
      const next = structuredClone({ ...change, ...(change.ui && { ui: roundExact(change.ui) }) });
      const previous = current;
      if (next.directoryRoot) next.directoryRoot = folder(next.directoryRoot);
      if (next.cluster) next.cluster = withPaths(next.cluster);
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
      current = { ...current, ...Object.fromEntries(changed), ...(ui && { ui }) };
      const work: Promise<unknown>[] = [];
      events.emit('settingsChanged', {
        next: current,
        isOf: (...keys) => keys.some((key) => !isDeepStrictEqual(current[key], previous[key])),
        waitUntil: (each) => void work.push(each),
      });
      events.emit('changed', 'settings');
      await Promise.all(work);
      return current;
    },
    export: () => writeSettingsFile(current),
    readExport: ({ text }) => ({ change: readSettingsFile(text, current) }),
  } satisfies Implementation<typeof settings>;
  return { service };
}

/** Returns the settings with absolute paths of the files. */
function withPaths(cluster: Settings['cluster']): Settings['cluster'] {
  const fields = ['nkeyFile', 'caFile', 'tokenFile'] as const;
  const given = fields.filter((field) => (cluster[field] ?? '') !== '');
  return {
    ...cluster,
    ...Object.fromEntries(given.map((field) => [field, absolutePath(cluster[field] ?? '', field)])),
  };
}

/** The folder the user typed, `~` spelled out. */
function folder(typed: string): string {
  const field = 'directoryRoot';
  const path = absolutePath(typed, field);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new RequestError(`"${typed}" is not a folder on this machine. Choose an existing one.`, { field });
  return path;
}

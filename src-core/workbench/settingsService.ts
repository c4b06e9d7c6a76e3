import { settingsSchema } from '../api/contract.ts';
import type { Settings } from '../api/types.ts';
import { defaultToolCallConfig } from '../tools/calls.ts';
import type { JsonValue } from '../tools/json.ts';

/** Where settings are kept: a key and a JSON value each. */
export interface SettingsStore {
  get(key: string): JsonValue | undefined;
  set(key: string, value: JsonValue): void;
}

export interface SettingsService {
  get(): Settings;
  /** Only the named fields change; `ui` is merged by key. Returns what holds now. */
  set(change: { [K in keyof Settings]?: Settings[K] | undefined }): Settings;
}

const defaults: Settings = {
  theme: 'system',
  locale: 'system',
  dialect: 'standard',
  directoryRoot: '',
  openToNetwork: false,
  toolCallConfig: { ...defaultToolCallConfig, toolToggles: {} },
  ui: {},
};

/** Small facts the window remembers; past this many the oldest go. */
const maxUiKeys = 500;

/**
 * The settings, kept in the store under a key each. A stored value that no longer fits its schema (an older version,
 * an edited file) falls back to its default and `onError` hears which.
 */
export function createSettingsService(options: {
  store: SettingsStore;
  onChange: () => void;
  onError: (error: unknown) => void;
}): SettingsService {
  const { store } = options;
  const current: Settings = { ...defaults, ...stored() };

  function stored(): Partial<Settings> {
    const found: Record<string, unknown> = {};
    for (const [key, schema] of Object.entries(settingsSchema.shape)) {
      const value = store.get(key);
      if (value === undefined) continue;
      const parsed = schema.safeParse(value);
      if (parsed.success) found[key] = parsed.data;
      else options.onError(new Error(`The stored setting "${key}" is not valid and its default is used`));
    }
    return found;
  }

  return {
    get: () => structuredClone(current),
    set(change) {
      const next = { ...change };
      if (next.ui) next.ui = Object.fromEntries(Object.entries({ ...current.ui, ...next.ui }).slice(-maxUiKeys));
      for (const [key, value] of Object.entries(next)) {
        if (value === undefined) continue;
        store.set(key, value as JsonValue);
        Object.assign(current, { [key]: structuredClone(value) });
      }
      options.onChange();
      return structuredClone(current);
    },
  };
}

import * as z from 'zod';

import { describeJsonFault } from '../../base/describeJsonFault.ts';
import { describeThrown } from '../../base/describeThrown.ts';
import type { JsonValue } from '../../base/json.ts';
import { RequestError } from '../../base/requestError.ts';
import type { ScriptCheck } from '../../contract/types.ts';
import type { SecretStore } from '../../store/secretStore.ts';
import type { SettingsStore } from '../../store/types.ts';
import type { RemovedBin } from '../trash/removedBin.ts';
import type { RemovedKeys } from '../trash/removedKeys.ts';
import type { ScriptIssue } from '../../contract/modelInfo.ts';
import { readApiKey } from './openAiCompatible/modelServer.ts';

/** What a registry of models needs of the workbench. */
export interface ModelRegistryDeps {
  store: SettingsStore;
  secrets: SecretStore;
  bin: Pick<RemovedBin, 'handle' | 'put'>;
  keys: RemovedKeys;
  onChange: () => void;
  onError: (error: unknown) => void;
}

/** A kind of model that the user sets up: how its profiles are stored, checked and named in messages. */
export interface ModelKind<Profile, Extra extends object> {
  /** The settings key of the row, and the property of the row that holds the profiles. */
  row: 'models' | 'realtime';
  list: 'models' | 'profiles';
  /** Further properties of the row. */
  extra: { schema: z.ZodType<Extra>; initial: Extra };
  removedKind: 'model' | 'realtimeModel';
  secretPrefix: 'model' | 'realtime';
  /** The scripted profile that always exists. It is stored only once the user changes its script. */
  scripted: Profile;
  isScripted: (profile: Profile) => boolean;
  /** Converts a profile to its stored form, and back. @throws {Error} If the stored form is not valid. */
  toStored: (profile: Profile) => object;
  read: (stored: unknown) => Profile;
  /** The server that a profile's key belongs to; undefined if it has none. */
  serverOf: (profile: Profile) => string | undefined;
  messages: { noun: string; missing: string; full: string; otherKind: string; moved: string };
}

/**
 * The models of one kind in one data directory: profiles, keys, the default one, removal and restoration. Invalid
 * requests throw or reject with a `RequestError`; a key is sent only to its own server.
 */
export interface ModelRegistry<Profile, Extra extends object> {
  /** The scripted one first, the others in the order of creation. */
  all(): Profile[];
  find(id: string): Profile | undefined;
  /** The default one if `id` is absent. */
  get(id?: string): Profile;
  /** The chosen one, else the scripted one. */
  defaultId(): string;
  setDefault(id: string): void;
  /** Makes a model the default one, if no default was chosen or the chosen one was removed. */
  setFirstDefault(id: string): void;
  info(profile: Profile): Promise<Profile & { hasKey: boolean; isDefault: boolean }>;
  /** Adds a profile, within the limit. */
  add(profile: Profile): void;
  /** Adds or replaces a profile. Drops its key if its server changes. */
  save(profile: Profile, isNew: boolean): Promise<void>;
  /** Moves a profile to the trash; the scripted one is reset to its first script. Returns what it was. */
  remove(id: string): Profile;
  /** Stores a key; null moves the stored one to the trash. */
  setKey(id: string, key: string | null): Promise<void>;
  /** The key for the server that the profile names, which the user may have changed meanwhile. */
  keyOf(profile: Profile): Promise<string | undefined>;
  extra(): Extra;
  setExtra(extra: Extra): void;
}

/** The id of the scripted profile that always exists. */
export const scriptedModelId = 'scripted';
/** Profiles of one kind, the scripted one included. */
export const maxModels = 100;

/**
 * Creates the registry of a kind, and handles its removed models in the trash. Stored profiles that are no longer valid
 * (an older version, an edited file) are left out one by one, and reported to `onError`.
 */
export function createModelRegistry<Profile extends { id: string; label: string }, Extra extends object>(
  kind: ModelKind<Profile, Extra>,
  deps: ModelRegistryDeps,
): ModelRegistry<Profile, Extra> {
  const { secrets, bin, keys, onChange } = deps;
  const { messages } = kind;
  const stored = new StoredProfiles(kind, deps);
  const secretName = (id: string): string => secretNameOf(kind, id);
  const hasMoved = (one: Profile, other: Profile): boolean => kind.serverOf(one) !== kind.serverOf(other);
  handleRemoved(kind, deps, stored);

  return {
    all: () => stored.all(),
    find: (id) => stored.find(id),
    get: (id) => stored.get(id),
    defaultId: () => stored.defaultId,
    setDefault(id) {
      stored.change({ defaultId: stored.get(id).id });
      onChange();
    },
    setFirstDefault(id) {
      if (!stored.isDefaultOpen || stored.find(id) === undefined) return;
      stored.change({ defaultId: id });
      onChange();
    },
    async info(profile) {
      const hasKey = await keyProblemsReported(() => secrets.has(secretName(profile.id)));
      return { ...profile, hasKey, isDefault: stored.defaultId === profile.id };
    },
    add: (profile) => stored.add(profile),
    async save(profile, isNew) {
      if (isNew) stored.add(profile);
      else {
        const previous = stored.get(profile.id);
        if (kind.isScripted(previous) !== kind.isScripted(profile))
          throw new RequestError(messages.otherKind, { field: 'kind' });
        if (hasMoved(previous, profile)) await keyProblemsReported(() => secrets.delete(secretName(profile.id)));
        stored.put(profile);
      }
      onChange();
    },
    remove(id) {
      const profile = stored.get(id);
      // A scripted model that was never changed has nothing to restore.
      if (stored.has(id)) {
        const text = JSON.stringify({ profile: kind.toStored(profile), wasDefault: stored.defaultId === id });
        bin.put({ kind: kind.removedKind, name: profile.label, of: id, text });
      }
      stored.delete(id);
      onChange();
      return profile;
    },
    async setKey(id, key) {
      const profile = stored.get(id);
      if (kind.isScripted(profile)) throw new RequestError('The scripted model needs no key.', { field: 'id' });
      await keyProblemsReported(async () =>
        key === null ? keys.remove(secretName(id), profile.label) : secrets.set(secretName(id), readApiKey(key)),
      );
      onChange();
    },
    async keyOf(profile) {
      const key = await keyProblemsReported(() => secrets.get(secretName(profile.id)));
      // Checked after the key was read: a new key is set only after the address has changed.
      const now = stored.find(profile.id);
      if (key !== undefined && now !== undefined && hasMoved(profile, now)) throw new RequestError(messages.moved);
      return key;
    },
    extra: () => stored.extra,
    setExtra(extra) {
      stored.change({ extra });
      onChange();
    },
  };
}

/** Restores removed models from the trash, and discards them. */
function handleRemoved<Profile extends { id: string; label: string }, Extra extends object>(
  kind: ModelKind<Profile, Extra>,
  { secrets, bin, onChange }: ModelRegistryDeps,
  stored: StoredProfiles<Profile, Extra>,
): void {
  bin.handle(kind.removedKind, {
    restore({ of, text = '' }) {
      const { profile, wasDefault } = JSON.parse(text) as { profile: unknown; wasDefault: boolean };
      if (stored.has(of)) throw new RequestError('Its script was changed meanwhile. Reset that one first.');
      stored.add(kind.read(profile));
      if (wasDefault && stored.isDefaultOpen) stored.change({ defaultId: of });
      onChange();
    },
    // Its key is still stored among the secrets, under its id.
    discard: ({ of }) => (stored.has(of) ? undefined : secrets.delete(secretNameOf(kind, of))),
  });
}

function secretNameOf({ secretPrefix }: { secretPrefix: string }, id: string): string {
  return `${secretPrefix}:${id}`;
}

/** The text of a script in an editor, checked. */
export function checkScriptText(text: string, check: (script: JsonValue) => ScriptIssue[]): ScriptCheck {
  try {
    return { issues: check(JSON.parse(text) as JsonValue) };
  } catch (error) {
    return { issues: [{ path: '', message: `This is not valid JSON: ${describeJsonFault(text, error)}.` }] };
  }
}

/** The row of a kind in the settings store. */
interface Row<Profile, Extra> {
  profiles: Map<string, Profile>;
  /** The chosen default model; it may have been removed. */
  defaultId: string | undefined;
  extra: Extra;
}

/** The profiles of a kind, in memory and in the settings store. */
class StoredProfiles<Profile extends { id: string }, Extra extends object> {
  readonly #kind: ModelKind<Profile, Extra>;
  readonly #store: SettingsStore;
  #row: Row<Profile, Extra>;

  constructor(kind: ModelKind<Profile, Extra>, { store, onError }: Pick<ModelRegistryDeps, 'store' | 'onError'>) {
    this.#kind = kind;
    this.#store = store;
    this.#row = loadRow(kind, store, onError);
  }

  get extra(): Extra {
    return this.#row.extra;
  }

  get isDefaultOpen(): boolean {
    const { defaultId } = this.#row;
    return defaultId === undefined || this.find(defaultId) === undefined;
  }

  get defaultId(): string {
    const { scripted } = this.#kind;
    return this.isDefaultOpen ? scripted.id : (this.#row.defaultId ?? scripted.id);
  }

  all(): Profile[] {
    const { scripted } = this.#kind;
    const others = [...this.#row.profiles.values()].filter(({ id }) => id !== scripted.id);
    return [this.#row.profiles.get(scripted.id) ?? scripted, ...others];
  }

  find(id: string): Profile | undefined {
    const { scripted } = this.#kind;
    return this.#row.profiles.get(id) ?? (id === scripted.id ? scripted : undefined);
  }

  /** The default one if `id` is absent. */
  get(id: string = this.defaultId): Profile {
    const found = this.find(id);
    if (found === undefined) throw new RequestError(this.#kind.messages.missing, { field: 'id' });
    return found;
  }

  /** Whether it is stored; the scripted one may not be. */
  has(id: string): boolean {
    return this.#row.profiles.has(id);
  }

  /** Stores a new profile, within the limit. */
  add(profile: Profile): void {
    if (this.all().length >= maxModels) throw new RequestError(this.#kind.messages.full);
    this.put(profile);
  }

  put(profile: Profile): void {
    this.change({ profiles: new Map(this.#row.profiles).set(profile.id, profile) });
  }

  delete(id: string): void {
    const profiles = new Map([...this.#row.profiles].filter(([other]) => other !== id));
    this.change({ profiles, defaultId: this.#row.defaultId === id ? undefined : this.#row.defaultId });
  }

  /** Stores a changed row. If it cannot be stored, the change is not made. */
  change(next: Partial<Row<Profile, Extra>>): void {
    const { list, row, toStored } = this.#kind;
    const changed = { ...this.#row, ...next };
    const { profiles, defaultId, extra } = changed;
    const value = { [list]: [...profiles.values()].map(toStored), ...extra, defaultId };
    this.#store.set(row, JSON.parse(JSON.stringify(value)) as JsonValue);
    this.#row = changed;
  }
}

function loadRow<Profile extends { id: string }, Extra extends object>(
  { row, list, extra, read, messages }: ModelKind<Profile, Extra>,
  store: SettingsStore,
  onError: (error: unknown) => void,
): Row<Profile, Extra> {
  const profiles = new Map<string, Profile>();
  const empty = { profiles, defaultId: undefined, extra: extra.initial };
  const value = store.get(row);
  if (value === undefined) return empty;
  try {
    const { defaultId } = z.object({ defaultId: z.string().optional() }).parse(value);
    const { [list]: stored = [] } = z.object({ [list]: z.array(z.unknown()) }).parse(value);
    const loaded = { profiles, defaultId, extra: extra.schema.parse(value) };
    for (const [index, one] of stored.entries()) {
      try {
        const profile = read(one);
        profiles.set(profile.id, profile);
      } catch (cause) {
        onError(new Error(`The stored ${messages.noun} ${index} is not valid and is left out`, { cause }));
      }
    }
    return loaded;
  } catch (cause) {
    onError(new Error(`The stored ${messages.noun}s are not valid; only the scripted one is there`, { cause }));
    return empty;
  }
}

/** Reports an error of the key store to the user who asked: it names its file and a remedy. */
async function keyProblemsReported<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    throw new RequestError(describeThrown(cause), { field: 'key', cause });
  }
}

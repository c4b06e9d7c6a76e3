import * as z from 'zod';

import { scriptedModelSchema, serverModelSchema } from '../../contract/models.ts';
import { defaultScript } from './defaultScript.ts';
import type { ModelProfile } from './modelProfile.ts';
import { readModelScript } from './readModelScript.ts';
import type { JsonValue } from '../../base/json.ts';
import type { SettingsStore } from '../settings/service.ts';

const key = 'models';
/** The model that always exists. */
export const scriptedModelId = 'scripted';

const stored = z.object({ models: z.array(z.unknown()), defaultId: z.string().optional() });
const storedId = { id: z.string().min(1).max(64) };
const profile = z.discriminatedUnion('kind', [
  serverModelSchema.extend(storedId),
  scriptedModelSchema.extend(storedId),
]);

/** The models of one data directory. */
export interface KeptModels {
  /** The scripted one first, the others in the order they were made. */
  all: () => ModelProfile[];
  get: (id: string) => ModelProfile | undefined;
  put: (profile: ModelProfile) => void;
  /** Whether it is stored. The scripted one always exists, but is stored only once its script is changed. */
  isKept: (id: string) => boolean;
  /** Restores a profile from its JSON. @throws {ZodError} If it is not a profile. */
  putBack: (profile: unknown) => void;
  /** Deletes a model. The scripted model is reset to its first script. */
  delete: (id: string) => void;
  /** The one that was chosen, else the scripted one. */
  defaultId: () => string;
  /** Whether no default was chosen, or the chosen one was removed. */
  isDefaultOpen: () => boolean;
  setDefault: (id: string) => void;
}

/**
 * Models, kept in the store under their own key. Stored models that are no longer valid (an older version, an edited
 * file) are left out one by one, and `onError` is called for each.
 */
export function createKeptModels(store: SettingsStore, onError: (error: unknown) => void): KeptModels {
  let kept = new Map<string, ModelProfile>();
  let chosen: string | undefined;

  function load(): void {
    const { models, defaultId } = stored.parse(store.get(key) ?? { models: [] });
    chosen = defaultId;
    for (const [index, value] of models.entries()) {
      try {
        const one = readProfile(value);
        kept.set(one.id, one);
      } catch (cause) {
        onError(new Error(`The stored model ${index} is not valid and is left out`, { cause }));
      }
    }
  }
  try {
    load();
  } catch (cause) {
    onError(new Error('The stored models are not valid; only the scripted one is there', { cause }));
  }

  function save(): void {
    const value = { models: [...kept.values()], ...(chosen !== undefined && { defaultId: chosen }) };
    store.set(key, JSON.parse(JSON.stringify(value)) as JsonValue);
  }

  /** Makes a change and stores it. If it cannot be stored, it is not made. */
  function change(make: () => void): void {
    const before = { kept: new Map(kept), chosen };
    make();
    try {
      save();
    } catch (error) {
      ({ kept, chosen } = before);
      throw error;
    }
  }

  const get = (id: string): ModelProfile | undefined =>
    kept.get(id) ?? (id === scriptedModelId ? scripted() : undefined);
  const isDefaultOpen = (): boolean => chosen === undefined || get(chosen) === undefined;
  return {
    all: () => [get(scriptedModelId) ?? scripted(), ...[...kept.values()].filter(({ id }) => id !== scriptedModelId)],
    get,
    put: (one) => change(() => kept.set(one.id, one)),
    isKept: (id) => kept.has(id),
    putBack(value) {
      const one = readProfile(value);
      change(() => kept.set(one.id, one));
    },
    delete: (id) =>
      change(() => {
        kept.delete(id);
        if (chosen === id) chosen = undefined;
      }),
    defaultId: () => (isDefaultOpen() ? scriptedModelId : (chosen ?? scriptedModelId)),
    isDefaultOpen,
    setDefault: (id) => change(() => (chosen = id)),
  };
}

function scripted(): ModelProfile {
  return { id: scriptedModelId, kind: 'scripted', label: 'Scripted model', script: defaultScript };
}

function readProfile(value: unknown): ModelProfile {
  const one = profile.parse(value);
  return one.kind === 'scripted' ? { ...one, script: readModelScript(one.script) } : one;
}

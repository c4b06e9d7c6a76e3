import * as z from 'zod';

import { scriptedProfileSchema, serverProfileSchema } from '../../contract/realtime.ts';
import type { RealtimeForDevices } from '../../contract/types/realtime.ts';
import type { RealtimeProfile } from '../../realtime/realtimeProfile.ts';
import { readRealtimeScript } from '../../realtime/scripted/readRealtimeScript.ts';
import type { JsonValue } from '../../base/json.ts';
import type { SettingsStore } from '../settings/service.ts';
import { readDifferences } from './readDifferences.ts';

const key = 'realtime';
/** The profile that always exists. */
const scriptedProfileId = 'scripted';

const profileId = z.string().min(1).max(64);
const stored = z.object({
  profiles: z.array(z.unknown()),
  defaultId: profileId.optional(),
  forDevices: z.object({
    all: profileId.nullable(),
    devices: z.record(z.string(), profileId.nullable()),
  }),
});
const profile = z.discriminatedUnion('kind', [
  serverProfileSchema.extend({ id: profileId }),
  // The stored form has a model in addition to the fields of a change.
  scriptedProfileSchema.extend({ id: profileId, model: z.string() }),
]);

/** The maximum number of devices with an individual choice; the oldest choice is dropped. */
const maxDevices = 1_000;

/** The realtime models of one data directory. */
export interface KeptProfiles {
  /** The scripted one first, the others in the order of creation. */
  all: () => RealtimeProfile[];
  get: (id: string) => RealtimeProfile | undefined;
  put: (profile: RealtimeProfile) => void;
  /** Whether it is stored: the scripted one always exists, but is stored only once its script is changed. */
  isKept: (id: string) => boolean;
  /** Converts a profile to its stored form, and back. @throws {ZodError} If it is invalid. */
  toStored: (profile: RealtimeProfile) => object;
  putBack: (stored: unknown) => void;
  /** No default was chosen, or the chosen one was removed. */
  isDefaultOpen: () => boolean;
  /** Deleting the scripted one resets its script. */
  delete: (id: string) => void;
  /** The chosen one, else the scripted one. */
  defaultId: () => string;
  setDefault: (id: string) => void;
  /** Choices of removed profiles are omitted. */
  forDevices: () => RealtimeForDevices;
  setForDevices: (next: RealtimeForDevices) => void;
}

/**
 * Profiles, kept in the store under a separate key. Stored profiles that are no longer valid (an older version, an
 * edited file) are skipped individually and reported to `onError`.
 */
export function createKeptProfiles(store: SettingsStore, onError: (error: unknown) => void): KeptProfiles {
  let kept = new Map<string, RealtimeProfile>();
  let chosen: string | undefined;
  let forDevices: RealtimeForDevices = { all: null, devices: {} };

  function load(): void {
    const found = store.get(key);
    if (found === undefined) return;
    const read = stored.parse(found);
    ({ defaultId: chosen, forDevices } = read);
    for (const [index, value] of read.profiles.entries()) {
      try {
        const one = readProfile(value);
        kept.set(one.id, one);
      } catch (cause) {
        onError(new Error(`The stored realtime model ${index} is not valid and is left out`, { cause }));
      }
    }
  }
  try {
    load();
  } catch (cause) {
    onError(new Error('The stored realtime models are not valid; only the scripted one is there', { cause }));
  }

  const toStored = (one: RealtimeProfile): object => ({ kind: isScripted(one) ? 'scripted' : 'server', ...one });
  function save(): void {
    const profiles = [...kept.values()].map(toStored);
    const value = { profiles, forDevices, ...(chosen !== undefined && { defaultId: chosen }) };
    store.set(key, JSON.parse(JSON.stringify(value)) as JsonValue);
  }

  /** Makes a change and stores it. If it cannot be stored, it is not made. */
  function change(make: () => void): void {
    const before = { kept: new Map(kept), chosen, forDevices };
    make();
    try {
      save();
    } catch (error) {
      ({ kept, chosen, forDevices } = before);
      throw error;
    }
  }

  const get = (id: string): RealtimeProfile | undefined =>
    kept.get(id) ?? (id === scriptedProfileId ? firstProfile : undefined);
  const isDefaultOpen = (): boolean => chosen === undefined || get(chosen) === undefined;
  const known = (id: string | null): string | null => (id !== null && get(id) === undefined ? null : id);
  return {
    all: () => [
      get(scriptedProfileId) ?? firstProfile,
      ...[...kept.values()].filter(({ id }) => id !== scriptedProfileId),
    ],
    get,
    put: (one) => change(() => kept.set(one.id, one)),
    isKept: (id) => kept.has(id),
    toStored,
    isDefaultOpen,
    putBack(value) {
      const one = readProfile(value);
      change(() => kept.set(one.id, one));
    },
    delete: (id) =>
      change(() => {
        kept.delete(id);
        if (chosen === id) chosen = undefined;
      }),
    defaultId: () => (isDefaultOpen() ? scriptedProfileId : (chosen ?? scriptedProfileId)),
    setDefault: (id) => change(() => (chosen = id)),
    forDevices: () => ({
      all: known(forDevices.all),
      devices: Object.fromEntries(Object.entries(forDevices.devices).map(([id, one]) => [id, known(one)])),
    }),
    setForDevices: ({ all, devices }) =>
      change(() => {
        forDevices = { all, devices: Object.fromEntries(Object.entries(devices).slice(-maxDevices)) };
      }),
  };
}

/** A profile whose server runs in the workbench. */
export function isScripted({ url }: RealtimeProfile): boolean {
  return url === undefined;
}

/** The model name in the URL of a scripted server. */
export const scriptedModelName = 'scripted';

const firstProfile: RealtimeProfile = Object.freeze({
  id: scriptedProfileId,
  label: 'Scripted realtime model',
  dialect: 'openai',
  model: scriptedModelName,
});

function readProfile(value: unknown): RealtimeProfile {
  const read = profile.parse(value);
  const { id, label, dialect, voice, session } = read;
  const common = { id, label, dialect, voice, session };
  if (read.kind === 'server') {
    const differences = readDifferences(read.differences);
    return { ...common, url: read.url, model: read.model, ...(differences && { differences }) };
  }
  return { ...common, model: scriptedModelName, script: readRealtimeScript(read.script) };
}

import { randomUUID } from 'node:crypto';
import type * as z from 'zod';

import type { profileChangeSchema } from '../../contract/realtime.ts';
import type { ConnectionTest, RealtimeProfileInfo, RealtimeProfileList, ScriptCheck } from '../../contract/types.ts';
import { readApiKey } from '../models/openAiCompatible/modelServer.ts';
import type { BaseRealtimeProvider } from '../../realtime/baseRealtimeProvider.ts';
import { createRealtimeProvider } from '../../realtime/createRealtimeProvider.ts';
import type { RealtimeProfile } from '../../realtime/realtimeProfile.ts';
import { checkRealtimeScript, readRealtimeScript } from '../../realtime/scripted/readRealtimeScript.ts';
import type { SecretStore } from '../../store/secretStore.ts';
import type { Clock } from '../../base/clock.ts';
import { describeJsonFault } from '../../base/describeJsonFault.ts';
import { describeThrown } from '../../base/describeThrown.ts';
import type { JsonValue } from '../../base/json.ts';
import { RequestError } from '../../base/requestError.ts';
import { handleRemovedModels } from '../models/handleRemovedModels.ts';
import type { RemovedBin } from '../trash/removedBin.ts';
import type { RemovedKeys } from '../trash/removedKeys.ts';
import type { SettingsStore } from '../settings/service.ts';
import { createKeptProfiles, isScripted, scriptedModelName } from './keptProfiles.ts';
import { realtimePresets } from './realtimePresets.ts';
import { readDifferences } from './readDifferences.ts';
import { createScriptedServers } from './scriptedServers.ts';
import { testProfile } from './testProfile.ts';

/** A profile as it is saved; a new one if `id` is absent. */
export type RealtimeProfileChange = z.infer<typeof profileChangeSchema>;

/**
 * Realtime models by id. Invalid requests throw or reject with a `RequestError`; a key is sent only to its own server.
 */
export interface RealtimeProfiles {
  list(): Promise<RealtimeProfileList>;
  save(change: RealtimeProfileChange): Promise<RealtimeProfileInfo>;
  remove(id: string): Promise<void>;
  setDefault(id: string): void;
  setKey(input: { id: string; key: string | null }): Promise<void>;
  setForDevices(input: { deviceId?: string | undefined; profileId?: string | null | undefined }): void;
  test(id: string, signal?: AbortSignal): Promise<ConnectionTest>;
  checkScript(text: string): ScriptCheck;
  /** The default one if `id` is absent. */
  get(id?: string): RealtimeProfile;
  /** Id of the profile that answers a device that begins to listen; undefined if none does. */
  forDevice(deviceId: string): string | undefined;
  /** A provider of the profile, not connected yet. */
  providerOf(profile: RealtimeProfile): Promise<BaseRealtimeProvider>;
  close(): Promise<void>;
}

/** The dependencies of the profiles of a workbench. */
export interface RealtimeProfilesOptions {
  store: SettingsStore;
  secrets: SecretStore;
  bin: Pick<RemovedBin, 'handle' | 'put'>;
  keys: RemovedKeys;
  clock: Clock;
  /** The pace of scripted voices in ms a piece; real time by default. */
  paceMs?: number | undefined;
  onChange: () => void;
  onError: (error: unknown) => void;
}

const maxProfiles = 100;

/** Creates the profiles of a workbench. `close` ends the scripted servers. */
export function createRealtimeProfiles(options: RealtimeProfilesOptions): RealtimeProfiles {
  const { secrets, bin, keys, clock, onChange } = options;
  const kept = createKeptProfiles(options.store, options.onError);
  const servers = createScriptedServers({ clock, paceMs: options.paceMs });
  const secretName = (id: string): string => `realtime:${id}`;

  handleRemovedModels({ kind: 'realtimeModel', bin, kept, secrets, secretName, checkRoom, onChange });

  function checkRoom(): void {
    if (kept.all().length < maxProfiles) return;
    throw new RequestError(`There are ${maxProfiles} realtime models already. Remove one first.`);
  }

  function get(id: string = kept.defaultId()): RealtimeProfile {
    const found = kept.get(id);
    if (found !== undefined) return found;
    throw new RequestError('This realtime model is not there any more. Choose another one.', { field: 'id' });
  }

  /** Errors of the key store name its file and a remedy: they are shown to the user who asked. */
  async function keyProblemsReported<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (cause) {
      throw new RequestError(describeThrown(cause), { field: 'key', cause });
    }
  }

  async function infoOf(profile: RealtimeProfile): Promise<RealtimeProfileInfo> {
    const hasKey = await keyProblemsReported(() => secrets.has(secretName(profile.id)));
    return { ...profile, hasKey, isDefault: kept.defaultId() === profile.id };
  }

  async function providerOf(profile: RealtimeProfile): Promise<BaseRealtimeProvider> {
    if (isScripted(profile)) return createRealtimeProvider(profile, { ...(await servers.addressOf(profile)), clock });
    const key = await keyProblemsReported(() => secrets.get(secretName(profile.id)));
    // Checked after the key was read: a new key is set only after the address has changed.
    const now = kept.get(profile.id);
    if (key !== undefined && now !== undefined && hasMoved(profile, now))
      throw new RequestError('This realtime model was moved to another server meanwhile. Ask again.');
    return createRealtimeProvider(profile, { key, clock });
  }

  return {
    get,
    providerOf,
    forDevice(deviceId) {
      const { all, devices } = kept.forDevices();
      const own = Object.hasOwn(devices, deviceId) ? devices[deviceId] : undefined;
      return (own === undefined ? all : own) ?? undefined;
    },
    async list() {
      const profiles = await Promise.all(kept.all().map(infoOf));
      const presets = realtimePresets.map((preset) => ({ ...preset }));
      return { profiles, presets, keyStorage: await secrets.storage(), forDevices: kept.forDevices() };
    },
    async save(change) {
      const profile = readChange(change);
      const previous = kept.get(profile.id);
      if (change.id !== undefined) {
        if (isScripted(get(change.id)) !== isScripted(profile))
          throw new RequestError('A realtime model cannot change its kind. Add a new one.', { field: 'kind' });
      } else checkRoom();
      // A key is for one server: it must not be sent to another one after a change of address.
      if (previous !== undefined && hasMoved(previous, profile))
        await keyProblemsReported(() => secrets.delete(secretName(profile.id)));
      kept.put(profile);
      await servers.drop(profile.id);
      onChange();
      return infoOf(profile);
    },
    async remove(id) {
      const profile = get(id);
      if (kept.isKept(id)) {
        const text = JSON.stringify({ profile: kept.toStored(profile), wasDefault: kept.defaultId() === id });
        bin.put({ kind: 'realtimeModel', name: profile.label, of: id, text });
      }
      kept.delete(id);
      await servers.drop(id);
      onChange();
    },
    setDefault(id) {
      get(id);
      kept.setDefault(id);
      onChange();
    },
    async setKey({ id, key }) {
      const profile = get(id);
      if (isScripted(profile)) throw new RequestError('The scripted model needs no key.', { field: 'id' });
      if (key === null) await keyProblemsReported(() => keys.remove(secretName(id), profile.label));
      else {
        const read = readKey(key);
        await keyProblemsReported(() => secrets.set(secretName(id), read));
      }
      onChange();
    },
    setForDevices({ deviceId, profileId }) {
      if (typeof profileId === 'string' && kept.get(profileId) === undefined)
        throw new RequestError('There is no realtime model of this id.', { field: 'profileId' });
      const { all, devices } = kept.forDevices();
      if (deviceId === undefined) kept.setForDevices({ all: profileId ?? null, devices });
      else {
        const others = Object.entries(devices).filter(([id]) => id !== deviceId);
        const own: typeof others = profileId === undefined ? [] : [[deviceId, profileId]];
        kept.setForDevices({ all, devices: Object.fromEntries([...others, ...own]) });
      }
      onChange();
    },
    test: (id, signal) => testProfile({ connect: async () => providerOf(get(id)), signal }),
    checkScript(text) {
      try {
        return { issues: checkRealtimeScript(JSON.parse(text) as JsonValue) };
      } catch (error) {
        return { issues: [{ path: '', message: `This is not valid JSON: ${describeJsonFault(text, error)}.` }] };
      }
    },
    close: () => servers.close(),
  };
}

function readChange(change: RealtimeProfileChange): RealtimeProfile {
  const { id = randomUUID(), label, dialect, voice, session } = change;
  const common = { id, label, dialect, voice, session };
  if (change.kind === 'scripted')
    return { ...common, model: scriptedModelName, script: readRealtimeScript(change.script) };
  const differences = readDifferences(change.differences);
  const profile = { ...common, url: change.url, model: change.model, ...(differences && { differences }) };
  // An invalid profile is reported now.
  createRealtimeProvider(profile);
  return profile;
}

function readKey(text: string): string {
  try {
    return readApiKey(text);
  } catch (cause) {
    throw new RequestError(describeThrown(cause), { field: 'key', cause });
  }
}

function hasMoved(previous: RealtimeProfile, next: RealtimeProfile): boolean {
  return originOf(previous) !== originOf(next);
}

function originOf({ url }: RealtimeProfile): string | undefined {
  return url === undefined ? undefined : new URL(url).host;
}

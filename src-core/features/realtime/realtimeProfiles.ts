import { randomUUID, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { scriptedProfileSchema, serverProfileSchema, type profileChangeSchema } from '../../contract/realtime.ts';
import type { ConnectionTest, RealtimeProfileInfo, RealtimeProfileList, ScriptCheck } from '../../contract/types.ts';
import type { RealtimeForDevices, RealtimePreset } from '../../contract/types/realtime.ts';
import { checkScriptText, createModelRegistry, maxModels, scriptedModelId } from '../models/modelRegistry.ts';
import type { ModelKind, ModelRegistryDeps } from '../models/modelRegistry.ts';
import type { BaseRealtimeProvider } from '../../realtime/baseRealtimeProvider.ts';
import { createRealtimeProvider } from '../../realtime/createRealtimeProvider.ts';
import type { RealtimeProfile } from '../../base/realtimeTypes.ts';
import { checkRealtimeScript, readRealtimeScript } from '../../realtime/scripted/readRealtimeScript.ts';
import type { Clock } from '../../base/clock.ts';
import { RequestError } from '../../base/requestError.ts';
import { readDifferences } from './readDifferences.ts';
import type { ScriptedRealtimeServer } from '../../realtime/scripted/startScriptedRealtimeServer.ts';
import { startScriptedRealtimeServer } from '../../realtime/scripted/startScriptedRealtimeServer.ts';
import { testProfile } from './testProfile.ts';

/** A profile as it is saved; a new one if `id` is absent. */
export type RealtimeProfileChange = z.infer<typeof profileChangeSchema>;

/** Realtime models by id. Invalid requests throw or reject with a `RequestError`; a key is sent only to its own server. */
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
export interface RealtimeProfilesOptions extends ModelRegistryDeps {
  clock: Clock;
  /** The pace of scripted voices in ms a piece; real time by default. */
  paceMs?: number | undefined;
}

/** The maximum number of devices with an individual choice; the oldest choice is dropped. */
const maxDevices = 1_000;
/** The model name in the URL of a scripted server. */
const scriptedModelName = 'scripted';

const profileId = z.string().min(1).max(64);
const storedProfile = z.discriminatedUnion('kind', [
  serverProfileSchema.extend({ id: profileId }),
  // The stored form has a model in addition to the fields of a change.
  scriptedProfileSchema.extend({ id: profileId, model: z.string() }),
]);
const choicesForDevices = z.object({
  forDevices: z.object({ all: profileId.nullable(), devices: z.record(z.string(), profileId.nullable()) }),
});

const realtimeModels: ModelKind<RealtimeProfile, { forDevices: RealtimeForDevices }> = {
  row: 'realtime',
  list: 'profiles',
  extra: { schema: choicesForDevices, initial: { forDevices: { all: null, devices: {} } } },
  removedKind: 'realtimeModel',
  secretPrefix: 'realtime',
  scripted: { id: scriptedModelId, label: 'Scripted realtime model', dialect: 'openai', model: scriptedModelName },
  isScripted,
  toStored: (profile) => ({ kind: isScripted(profile) ? 'scripted' : 'server', ...profile }),
  read: (stored) => readProfile(storedProfile.parse(stored)),
  serverOf: ({ url }) => (url === undefined ? undefined : new URL(url).host),
  messages: {
    noun: 'realtime model',
    missing: 'This realtime model no longer exists. Choose another one.',
    full: `There are ${maxModels} realtime models already. Remove one first.`,
    otherKind: 'A realtime model cannot change its kind. Add a new one.',
    moved: 'This realtime model was moved to another server meanwhile. Ask again.',
  },
};

/** Creates the profiles of a workbench. `close` ends the scripted servers. */
export function createRealtimeProfiles({ clock, paceMs, ...deps }: RealtimeProfilesOptions): RealtimeProfiles {
  const registry = createModelRegistry(realtimeModels, deps);
  const servers = createScriptedServers({ clock, paceMs });

  async function providerOf(profile: RealtimeProfile): Promise<BaseRealtimeProvider> {
    if (isScripted(profile)) return createRealtimeProvider(profile, { ...(await servers.addressOf(profile)), clock });
    return createRealtimeProvider(profile, { key: await registry.keyOf(profile), clock });
  }

  /** The choices for devices; that of a removed profile is null. */
  function forDevices(): RealtimeForDevices {
    const { all, devices } = registry.extra().forDevices;
    const known = (id: string | null) => (id !== null && registry.find(id) === undefined ? null : id);
    return {
      all: known(all),
      devices: Object.fromEntries(Object.entries(devices).map(([id, one]) => [id, known(one)])),
    };
  }

  return {
    get: (id) => registry.get(id),
    providerOf,
    forDevice(deviceId) {
      const { all, devices } = forDevices();
      const own = Object.hasOwn(devices, deviceId) ? devices[deviceId] : undefined;
      return (own === undefined ? all : own) ?? undefined;
    },
    async list() {
      const profiles = await Promise.all(registry.all().map((profile) => registry.info(profile)));
      const presets = realtimePresets.map((preset) => ({ ...preset }));
      return { profiles, presets, keyStorage: await deps.secrets.storage(), forDevices: forDevices() };
    },
    async save(change) {
      const profile = readChange(change);
      await registry.save(profile, change.id === undefined);
      await servers.drop(profile.id);
      return registry.info(profile);
    },
    async remove(id) {
      registry.remove(id);
      await servers.drop(id);
    },
    setDefault: (id) => registry.setDefault(id),
    setKey: ({ id, key }) => registry.setKey(id, key),
    setForDevices({ deviceId, profileId: chosen }) {
      if (typeof chosen === 'string' && registry.find(chosen) === undefined)
        throw new RequestError('There is no realtime model of this id.', { field: 'profileId' });
      const { all, devices } = forDevices();
      if (deviceId === undefined) return registry.setExtra({ forDevices: { all: chosen ?? null, devices } });
      const others = Object.entries(devices).filter(([id]) => id !== deviceId);
      const own: typeof others = chosen === undefined ? [] : [[deviceId, chosen]];
      const newest = [...others, ...own].slice(-maxDevices);
      registry.setExtra({ forDevices: { all, devices: Object.fromEntries(newest) } });
    },
    test: (id, signal) => testProfile({ connect: async () => providerOf(registry.get(id)), signal }),
    checkScript: (text) => checkScriptText(text, checkRealtimeScript),
    close: () => servers.close(),
  };
}

/** Whether a profile's server runs in the workbench. */
function isScripted({ url }: RealtimeProfile): boolean {
  return url === undefined;
}

function readChange(change: RealtimeProfileChange): RealtimeProfile {
  const profile = readProfile({ ...change, id: change.id ?? randomUUID() });
  // An invalid profile is reported now.
  if (!isScripted(profile)) createRealtimeProvider(profile);
  return profile;
}

function readProfile(read: RealtimeProfileChange & { id: string }): RealtimeProfile {
  const { id, label, dialect, voice, session } = read;
  const common = { id, label, dialect, voice, session };
  if (read.kind === 'scripted') return { ...common, model: scriptedModelName, script: readRealtimeScript(read.script) };
  const differences = readDifferences(read.differences);
  return { ...common, url: read.url, model: read.model, ...(differences && { differences }) };
}

/** The address of a scripted profile's server, and the key that it requires. */
interface ScriptedAddress {
  url: string;
  key: string;
}

/** The servers of scripted profiles: each starts when it is first asked for, on a free port of this machine. */
interface ScriptedServers {
  /** Rejects once they are closed. */
  addressOf(profile: RealtimeProfile): Promise<ScriptedAddress>;
  /** The profile was changed or removed: its server ends, and the conversations with it. */
  drop(profileId: string): Promise<void>;
  close(): Promise<void>;
}

/** `paceMs` is the script's pace of speech, for tests; real time by default. */
function createScriptedServers(options: { clock: Clock; paceMs?: number | undefined }): ScriptedServers {
  const running = new Map<string, Promise<{ server: ScriptedRealtimeServer; key: string }>>();
  let closed = false;

  async function start({ dialect, script }: RealtimeProfile): Promise<{ server: ScriptedRealtimeServer; key: string }> {
    const key = randomBytes(24).toString('base64url');
    return { key, server: await startScriptedRealtimeServer({ ...options, dialect, script, key }) };
  }

  async function drop(profileId: string): Promise<void> {
    const found = running.get(profileId);
    running.delete(profileId);
    // If it could not start, the caller that requested it has the error.
    const started = await found?.catch(() => undefined);
    await started?.server.close();
  }

  return {
    async addressOf(profile) {
      if (closed) throw new RequestError('Toolwire is closing.');
      const started = running.get(profile.id) ?? start(profile);
      running.set(profile.id, started);
      try {
        const { server, key } = await started;
        return { url: server.url, key };
      } catch (error) {
        if (running.get(profile.id) === started) running.delete(profile.id);
        throw error;
      }
    },
    drop,
    async close() {
      closed = true;
      await Promise.all([...running.keys()].map(drop));
    },
  };
}

/** What a new profile starts with, by server; the first of a dialect is its own vendor's. */
const realtimePresets: readonly RealtimePreset[] = Object.freeze([
  {
    dialect: 'openai',
    label: 'OpenAI Realtime',
    url: 'wss://api.openai.com/v1/realtime',
    model: 'gpt-realtime-2.1',
    models: ['gpt-realtime-2.1', 'gpt-realtime-2.1-mini', 'gpt-realtime-2', 'gpt-realtime-1.5'],
    voices: ['marin', 'cedar', 'alloy', 'ash', 'ballad', 'coral', 'echo', 'sage', 'shimmer', 'verse'],
  },
  {
    dialect: 'openai',
    label: 'Azure OpenAI',
    url: 'wss://YOUR-RESOURCE.openai.azure.com/openai/v1/realtime',
    // The name of the deployment.
    model: 'gpt-realtime',
    differences: { headers: { Authorization: null, 'api-key': '{key}' } },
    models: [],
    voices: [],
  },
  {
    dialect: 'openai-beta',
    // OpenAI itself has not served them since May 2026.
    label: 'Other server with OpenAI’s beta events',
    url: 'ws://127.0.0.1:8000/v1/realtime',
    model: 'realtime',
    models: [],
    voices: ['alloy', 'ash', 'ballad', 'coral', 'echo', 'sage', 'shimmer', 'verse'],
  },
  {
    dialect: 'openai-beta',
    label: 'StepFun',
    url: 'wss://api.stepfun.com/v1/realtime',
    model: 'step-audio-2',
    differences: { tools: 'nested' },
    models: ['step-audio-2', 'step-audio-2-mini'],
    voices: [],
  },
  {
    dialect: 'qwen',
    label: 'Qwen-Omni-Realtime',
    url: 'wss://dashscope.aliyuncs.com/api-ws/v1/realtime',
    model: 'qwen3.5-omni-plus-realtime',
    models: ['qwen3.5-omni-plus-realtime', 'qwen3.5-omni-flash-realtime'],
    voices: ['Cherry', 'Serena', 'Ethan', 'Chelsie'],
  },
] satisfies RealtimePreset[]);

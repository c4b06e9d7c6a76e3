import { randomUUID } from 'node:crypto';

import type { ModelChange, ModelInfo } from '../../contract/types.ts';
import type { ChatModel } from './chatModel.ts';
import { ChatModelError } from './chatModel.ts';
import { createProfileModel, serverModelOptions } from './createProfileModel.ts';
import { defaultScript } from './defaultScript.ts';
import type { ModelProfile, ServerModelProfile } from './modelProfile.ts';
import { listModels } from './openAiCompatible/listModels.ts';
import { readApiKey, readBaseUrl } from './openAiCompatible/modelServer.ts';
import { testConnection } from './openAiCompatible/testConnection.ts';
import type { TestConnectionOptions } from './openAiCompatible/testConnection.ts';
import { modelPresets } from './presets.ts';
import { checkModelScript, modelScriptSchema, readModelScript } from './readModelScript.ts';
import { recordModel } from './recordModel.ts';
import type { RecordingModel } from './recordModel.ts';
import type { SecretStore } from '../../store/secretStore.ts';
import type { Clock } from '../../base/clock.ts';
import { describeJsonFault } from '../../base/describeJsonFault.ts';
import { describeThrown } from '../../base/describeThrown.ts';
import type { JsonValue } from '../../base/json.ts';
import { RequestError } from '../../base/requestError.ts';
import { createKeptModels, scriptedModelId } from './keptModels.ts';
import { handleRemovedModels } from './handleRemovedModels.ts';
import type { RemovedBin } from '../trash/removedBin.ts';
import type { RemovedKeys } from '../trash/removedKeys.ts';
import type { ModelsService } from '../../workbench/services.ts';
import type { SettingsStore } from '../settings/service.ts';

const maxModels = 100;

/** Chat models as the panes, the gateway and the devices use them. */
export function createModelsService(options: {
  store: SettingsStore;
  secrets: SecretStore;
  bin: Pick<RemovedBin, 'handle' | 'put' | 'takeOut'>;
  keys: RemovedKeys;
  onChange: () => void;
  onError: (error: unknown) => void;
  clock?: Clock | undefined;
}): ModelsService {
  const { secrets, bin, keys, onChange, onError, clock } = options;
  const kept = createKeptModels(options.store, onError);
  const recordings = new Map<string, RecordingModel>();
  const secretName = (id: string): string => `model:${id}`;

  handleRemovedModels({ kind: 'model', bin, kept, secrets, secretName, checkRoom, onChange });

  function known(id: string): ModelProfile {
    const profile = kept.get(id);
    if (profile === undefined) {
      throw new RequestError('This model is not there any more. Choose another one in Settings → Models.', {
        field: 'id',
      });
    }
    return profile;
  }

  async function infoOf(profile: ModelProfile): Promise<ModelInfo> {
    const recording = recordings.get(profile.id);
    return {
      ...profile,
      hasKey: await keyProblemsReported(() => secrets.has(secretName(profile.id))),
      isDefault: kept.defaultId() === profile.id,
      ...(recording && { recorded: recording.script().turns.length }),
    };
  }

  /** Errors of the key store name its file and what to do: they are for the person who asked. */
  async function keyProblemsReported<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (cause) {
      throw new RequestError(describeThrown(cause), { field: 'key', cause });
    }
  }

  const getKey = (id: string): Promise<string | undefined> => secrets.get(secretName(id));

  /** The key for the server that the profile names: a turn may be under way while its model moves to another one. */
  async function keyOf(profile: ModelProfile): Promise<string | undefined> {
    const key = await getKey(profile.id);
    // Looked at after the key was read: a new one is set only once the address has moved.
    const now = kept.get(profile.id);
    if (key === undefined || now === undefined || !hasMoved(profile, now)) return key;
    throw new RequestError('This model was moved to another server meanwhile. Ask again.');
  }

  /** How a model's server is spoken to; a scripted model has none. */
  async function serverOf(id: string, signal: AbortSignal | undefined): Promise<TestConnectionOptions> {
    const profile = known(id);
    if (profile.kind === 'scripted') throw new RequestError('The scripted model has no server.', { field: 'id' });
    const apiKey = await keyProblemsReported(() => getKey(id));
    return { ...serverModelOptions(profile, apiKey), signal, clock };
  }

  function modelOf(id: string = kept.defaultId()): ChatModel {
    const profile = known(id);
    const model = createProfileModel({ profile, getKey: () => keyOf(profile), clock });
    const recording = recordings.get(id);
    return recording === undefined ? model : { name: model.name, generate: (request) => recording.generate(request) };
  }

  function checkRoom(): void {
    if (kept.all().length < maxModels) return;
    throw new RequestError(`There are ${maxModels} models already. Remove one first.`);
  }

  /** Makes a scripted model of what was recorded of another; of nothing, none. */
  function keepRecording({ id, label }: ModelProfile): { id?: string } {
    const script = recordings.get(id)?.script();
    if (script === undefined || script.turns.length === 0) {
      recordings.delete(id);
      return {};
    }
    checkRoom();
    recordings.delete(id);
    const made: ModelProfile = {
      ...{ id: randomUUID(), kind: 'scripted' },
      ...{ label: `${label} (recorded)`.slice(0, 80), script },
    };
    kept.put(made);
    return { id: made.id };
  }

  /** A key is for one server: it must not follow an address to another one. */
  async function dropMovedKey(next: ModelProfile): Promise<void> {
    const previous = kept.get(next.id);
    if (previous !== undefined && hasMoved(previous, next)) await secrets.delete(secretName(next.id));
  }

  return {
    modelOf,
    defaultId: kept.defaultId,
    presets: () => [...modelPresets],
    async list() {
      const models = await Promise.all(kept.all().map(infoOf));
      return { models, keyStorage: await secrets.storage() };
    },
    async save(change) {
      const profile = readChange(change);
      if (change.id !== undefined) {
        if (known(change.id).kind !== profile.kind) {
          throw new RequestError('A model cannot change its kind. Add a new one.', { field: 'kind' });
        }
      } else {
        checkRoom();
      }
      await keyProblemsReported(() => dropMovedKey(profile));
      kept.put(profile);
      onChange();
      return infoOf(profile);
    },
    async remove(id) {
      const profile = known(id);
      // The scripted model that is there by itself goes nowhere.
      if (kept.isKept(id)) {
        const text = JSON.stringify({ profile, wasDefault: kept.defaultId() === id });
        bin.put({ kind: 'model', name: profile.label, of: id, text });
      }
      kept.delete(id);
      // What was recorded of it is nowhere else.
      keepRecording(profile);
      onChange();
    },
    async setKey({ id, key }) {
      if (known(id).kind === 'scripted') throw new RequestError('The scripted model needs no key.', { field: 'id' });
      const read = readApiKey(key);
      await keyProblemsReported(() => secrets.set(secretName(id), read));
      onChange();
    },
    async clearKey(id) {
      const { label } = known(id);
      await keyProblemsReported(() => keys.remove(secretName(id), label));
      onChange();
    },
    setDefault(id) {
      known(id);
      kept.setDefault(id);
      onChange();
    },
    async serverModels(id, signal) {
      const server = await serverOf(id, signal);
      try {
        return { models: await listModels(server) };
      } catch (cause) {
        if (!(cause instanceof ChatModelError)) throw cause;
        throw new RequestError(cause.message, { field: 'model', cause });
      }
    },
    async test(id, signal) {
      const result = await testConnection(await serverOf(id, signal));
      // A model that nobody has tried takes no chat's, gateway's or device's questions by itself (docs/models.md).
      if (result.ok && kept.isDefaultOpen() && kept.get(id) !== undefined) {
        kept.setDefault(id);
        onChange();
      }
      return result;
    },
    scriptFormat: () => ({ schema: modelScriptSchema, defaultScript: JSON.stringify(defaultScript, undefined, 2) }),
    checkScript(text) {
      try {
        return { issues: checkModelScript(JSON.parse(text) as JsonValue) };
      } catch (error) {
        return { issues: [{ path: '', message: `This is not valid JSON: ${describeJsonFault(text, error)}.` }] };
      }
    },
    startRecording(id) {
      const profile = known(id);
      const name = profile.label;
      const generate: ChatModel['generate'] = async (request) => {
        const current = known(id);
        const now = createProfileModel({ profile: current, getKey: () => keyOf(current), clock });
        const reply = now.generate(request);
        return reply.finally(onChange);
      };
      recordings.set(id, recordModel({ name, generate }));
      onChange();
    },
    async stopRecording(id) {
      const made = keepRecording(known(id));
      onChange();
      return made;
    },
  };
}

function readChange(change: ModelChange): ModelProfile {
  const { id = randomUUID() } = change;
  if (change.kind === 'scripted') {
    return { id, kind: 'scripted', label: change.label, script: readModelScript(change.script) };
  }
  if (id === scriptedModelId)
    throw new RequestError('A model cannot change its kind. Add a new one.', { field: 'kind' });
  readBaseUrl(change.baseUrl);
  if (change.model === '') throw new RequestError('Name the model as its server does.', { field: 'model' });
  return { ...change, id };
}

function hasMoved(previous: ModelProfile, next: ModelProfile): boolean {
  if (previous.kind !== 'openai-compatible' || next.kind !== 'openai-compatible') return false;
  return originOf(previous) !== originOf(next);
}

function originOf({ baseUrl }: ServerModelProfile): string {
  return new URL(readBaseUrl(baseUrl).url).origin;
}

import { randomUUID } from 'node:crypto';

import * as z from 'zod';

import type { Implementation } from '../../contract/implementation.ts';
import { scriptedModelSchema, serverModelSchema, type models } from '../../contract/models.ts';
import type { ChatProtocol, ModelChange, ModelInfo } from '../../contract/types.ts';
import { ChatModelError, type ChatModel } from './chatModel.ts';
import { createProfileModel, serverModelOptions } from './createProfileModel.ts';
import { defaultScript } from './defaultScript.ts';
import type { ModelProfile } from '../../contract/modelInfo.ts';
import { checkScriptText, createModelRegistry, maxModels, scriptedModelId } from './modelRegistry.ts';
import type { ModelKind, ModelRegistry } from './modelRegistry.ts';
import { listModels } from './openAiCompatible/listModels.ts';
import { readBaseUrl } from './openAiCompatible/modelServer.ts';
import { testConnection, type TestConnectionOptions } from './openAiCompatible/testConnection.ts';
import { modelPresets } from './presets.ts';
import { checkModelScript, modelScriptSchema, readModelScript } from './readModelScript.ts';
import { recordModel, type RecordingModel } from './recordModel.ts';
import { RequestError } from '../../base/requestError.ts';
import type { SettingsStore } from '../../store/types.ts';
import type { FeatureContext } from '../context.ts';
import type { Trash } from '../trash/open.ts';

const storedId = { id: z.string().min(1).max(64) };
const storedProfile = z.discriminatedUnion('kind', [
  serverModelSchema.extend(storedId),
  scriptedModelSchema.extend(storedId),
]);

const chatModels: ModelKind<ModelProfile, object> = {
  row: 'models',
  list: 'models',
  extra: { schema: z.object({}), initial: {} },
  removedKind: 'model',
  secretPrefix: 'model',
  scripted: { id: scriptedModelId, kind: 'scripted', label: 'Scripted model', script: defaultScript },
  isScripted: ({ kind }) => kind === 'scripted',
  toStored: (profile) => profile,
  read(stored) {
    const profile = storedProfile.parse(stored);
    return profile.kind === 'scripted' ? { ...profile, script: readModelScript(profile.script) } : profile;
  },
  serverOf: (profile) => (profile.kind === 'scripted' ? undefined : new URL(readBaseUrl(profile.baseUrl).url).origin),
  messages: {
    noun: 'model',
    missing: 'This model no longer exists. Choose another one in Settings → Models.',
    full: `There are ${maxModels} models already. Remove one first.`,
    otherKind: 'A model cannot change its kind. Add a new one.',
    moved: 'This model was moved to another server meanwhile. Ask again.',
  },
};

/** What the other features use of the models. */
export type Models = Pick<ReturnType<typeof openModels>, 'modelOf' | 'defaultId' | 'protocolOf'>;

/** Opens the chat models, as the panes, the gateway and the devices use them. */
export function openModels(
  context: Pick<FeatureContext, 'events' | 'clock' | 'secrets' | 'onError'> & {
    store: { settings: SettingsStore };
    trash: { bin: Pick<Trash['bin'], 'handle' | 'put'>; keys: Trash['keys'] };
  },
) {
  const { store, events, clock, secrets, trash } = context;
  const onChange = (): void => void events.emit('changed', 'models');
  const registry = createModelRegistry(chatModels, { ...context, ...trash, store: store.settings, onChange });
  const recordings = createRecordings(registry, createModel, onChange);

  function createModel(profile: ModelProfile): ChatModel {
    return createProfileModel({ profile, getKey: () => registry.keyOf(profile), clock });
  }

  async function infoOf(profile: ModelProfile): Promise<ModelInfo> {
    const recording = recordings.get(profile.id);
    return { ...(await registry.info(profile)), ...(recording && { recorded: recording.script().turns.length }) };
  }

  /** How to reach a model's server; a scripted model has none. */
  async function serverOf(id: string, signal: AbortSignal | undefined): Promise<TestConnectionOptions> {
    const profile = registry.get(id);
    if (profile.kind === 'scripted') throw new RequestError('The scripted model has no server.', { field: 'id' });
    return { ...serverModelOptions(profile, await registry.keyOf(profile)), signal, clock };
  }

  /** A model to ask; by default the default one. @throws {RequestError} If none has that id. */
  function modelOf(id?: string): ChatModel {
    const profile = registry.get(id);
    const model = createModel(profile);
    const recording = recordings.get(profile.id);
    return recording === undefined ? model : { name: model.name, generate: (request) => recording.generate(request) };
  }

  const service = {
    presets: () => [...modelPresets],
    async list() {
      const models = await Promise.all(registry.all().map(infoOf));
      return { models, keyStorage: await secrets.storage() };
    },
    async save(change) {
      const profile = readChange(change);
      await registry.save(profile, change.id === undefined);
      return infoOf(profile);
    },
    async remove({ id }) {
      // What was recorded of it is stored nowhere else.
      recordings.keep(registry.remove(id));
    },
    setKey: ({ id, key }) => registry.setKey(id, key),
    clearKey: ({ id }) => registry.setKey(id, null),
    setDefault: ({ id }) => registry.setDefault(id),
    async serverModels({ id }, signal?) {
      const server = await serverOf(id, signal);
      try {
        return { models: await listModels(server) };
      } catch (cause) {
        if (!(cause instanceof ChatModelError)) throw cause;
        throw new RequestError(cause.message, { field: 'model', cause });
      }
    },
    async test({ id }, signal?) {
      const result = await testConnection(await serverOf(id, signal));
      // A model that nobody has tested does not become the default one by itself (docs/models.md).
      if (result.ok) registry.setFirstDefault(id);
      return result;
    },
    scriptFormat: () => ({ schema: modelScriptSchema, defaultScript: JSON.stringify(defaultScript, undefined, 2) }),
    checkScript: ({ text }) => checkScriptText(text, checkModelScript),
    startRecording: ({ id }) => recordings.start(registry.get(id)),
    stopRecording: async ({ id }) => recordings.keep(registry.get(id)),
  } satisfies Implementation<typeof models>;
  const protocolOf = (id: string): ChatProtocol | undefined => protocolIn(registry.all(), id);
  return { service, modelOf, protocolOf, defaultId: () => registry.defaultId() };
}

/** The protocol of new chats with a model, if the model has its own. */
function protocolIn(profiles: readonly ModelProfile[], id: string): ChatProtocol | undefined {
  const profile = profiles.find((each) => each.id === id);
  return profile?.kind === 'openai-compatible' ? profile.protocol : undefined;
}

/** Recordings of models, by id: each becomes a scripted model. */
function createRecordings(
  registry: ModelRegistry<ModelProfile, object>,
  createModel: (profile: ModelProfile) => ChatModel,
  onChange: () => void,
) {
  const recordings = new Map<string, RecordingModel>();
  return {
    get: (id: string) => recordings.get(id),
    start({ id, label }: ModelProfile): void {
      const generate: ChatModel['generate'] = async (request) => {
        const reply = createModel(registry.get(id)).generate(request);
        return reply.finally(onChange);
      };
      recordings.set(id, recordModel({ name: label, generate }));
      onChange();
    },
    /** Ends a recording and adds its scripted model, unless nothing was recorded. */
    keep({ id, label }: ModelProfile): { id?: string } {
      const script = recordings.get(id)?.script();
      const made = randomUUID();
      const isEmpty = script === undefined || script.turns.length === 0;
      if (!isEmpty) registry.add({ id: made, kind: 'scripted', label: `${label} (recorded)`.slice(0, 80), script });
      recordings.delete(id);
      onChange();
      return isEmpty ? {} : { id: made };
    },
  };
}

function readChange(change: ModelChange): ModelProfile {
  const { id = randomUUID() } = change;
  if (change.kind === 'scripted')
    return { id, kind: 'scripted', label: change.label, script: readModelScript(change.script) };
  readBaseUrl(change.baseUrl);
  if (change.model === '') throw new RequestError('Name the model as its server does.', { field: 'model' });
  return { ...change, id };
}

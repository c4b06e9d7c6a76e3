/** Chat and realtime models as they are stored: both kinds in one registry. */
import { expect, test } from 'vitest';

import { systemClock } from '../../../../src-core/base/clock.ts';
import type { JsonValue } from '../../../../src-core/base/json.ts';
import { createEventBus } from '../../../../src-core/features/context.ts';
import { openModels } from '../../../../src-core/features/models/service.ts';
import { createRealtimeProfiles } from '../../../../src-core/features/realtime/realtimeProfiles.ts';
import type { SettingsStore } from '../../../../src-core/store/types.ts';
import type { RemovedKindHandler } from '../../../../src-core/features/trash/removedBin.ts';

interface Removed {
  kind: string;
  name: string;
  of: string;
  text?: string;
}

/** A workbench's stores in memory, with these rows of the settings. */
function memory(rows: Record<string, JsonValue> = {}) {
  const values = new Map(Object.entries(rows));
  const secrets = new Map<string, string>();
  const removed: Removed[] = [];
  const handlers = new Map<string, RemovedKindHandler>();
  const errors: unknown[] = [];
  const store: SettingsStore = {
    get: (key) => values.get(key),
    set: (key, value) => void values.set(key, value),
  };
  return {
    values,
    removed,
    handlers,
    errors,
    store,
    deps: {
      store,
      secrets: {
        storage: () => Promise.resolve('file' as never),
        get: (name: string) => Promise.resolve(secrets.get(name)),
        has: (name: string) => Promise.resolve(secrets.has(name)),
        set: (name: string, value: string) => Promise.resolve(void secrets.set(name, value)),
        delete: (name: string) => Promise.resolve(void secrets.delete(name)),
      },
      bin: {
        handle: (kind: string, handler: RemovedKindHandler) => void handlers.set(kind, handler),
        put: (thing: Removed) => String(removed.push(thing)),
      },
      keys: { remove: (name: string) => Promise.resolve(void secrets.delete(name)) },
      onChange: () => {},
      onError: (error: unknown) => void errors.push(error),
      clock: systemClock,
    },
  };
}

/** The chat models of a workbench with these stores. */
const openChat = (deps: ReturnType<typeof memory>['deps']) =>
  openModels({ ...deps, store: { settings: deps.store }, events: createEventBus(), trash: deps });

const chatModel = {
  kind: 'openai-compatible',
  label: 'Own',
  preset: 'custom',
  baseUrl: 'http://127.0.0.1:8000/v1',
  model: 'm-1',
  stream: true,
  totalMs: 120_000,
  chunkMs: 30_000,
  id: 'own',
};
const chatRow = {
  models: [chatModel, { id: 'scripted', kind: 'scripted', label: 'Mine', script: { turns: [{ text: 'Hi.' }] } }],
  defaultId: 'own',
};
const voiceModel = {
  kind: 'server',
  id: 'voice',
  label: 'Voice',
  dialect: 'qwen',
  url: 'wss://models.example.com/realtime',
  model: 'voice-1',
};
const script = { turns: [{ say: 'Good day.' }] };
const voiceRow = {
  profiles: [
    voiceModel,
    { kind: 'scripted', id: 'scripted', label: 'Mine', dialect: 'openai', model: 'scripted', script },
  ],
  forDevices: { all: 'voice', devices: { 'aa:bb': null, 'cc:dd': 'scripted' } },
  defaultId: 'voice',
};

test('rows of earlier versions are read, and written in the same form', async () => {
  const { deps, values, errors } = memory({ models: chatRow, realtime: voiceRow });
  const { service: chat } = openChat(deps);
  const realtime = createRealtimeProfiles(deps);
  expect((await chat.list()).models).toMatchObject([
    { id: 'scripted', label: 'Mine', script: { turns: [{ text: 'Hi.' }] }, isDefault: false },
    { ...chatModel, isDefault: true },
  ]);
  const { profiles, forDevices } = await realtime.list();
  const { kind: _, ...voiceProfile } = voiceModel;
  expect(profiles).toMatchObject([
    { id: 'scripted', label: 'Mine', script, isDefault: false },
    { ...voiceProfile, isDefault: true },
  ]);
  expect(forDevices).toEqual(voiceRow.forDevices);
  chat.setDefault({ id: 'own' });
  realtime.setDefault('voice');
  expect(values.get('models')).toEqual(chatRow);
  expect(values.get('realtime')).toEqual(voiceRow);
  expect(errors).toEqual([]);
});

test('a removed model comes back from the trash as the default one, in the form of earlier versions', async () => {
  const { deps, removed, handlers, values } = memory({ models: chatRow, realtime: voiceRow });
  const { service: chat, defaultId } = openChat(deps);
  const realtime = createRealtimeProfiles(deps);
  await chat.remove({ id: 'own' });
  await realtime.remove('voice');
  expect(removed).toEqual([
    { kind: 'model', name: 'Own', of: 'own', text: JSON.stringify({ profile: chatModel, wasDefault: true }) },
    { kind: 'realtimeModel', name: 'Voice', of: 'voice', text: expect.any(String) as string },
  ]);
  expect(defaultId()).toBe('scripted');
  for (const thing of removed) await handlers.get(thing.kind)?.restore({ id: '1', ...thing });
  expect(defaultId()).toBe('own');
  expect(values.get('realtime')).toMatchObject({ defaultId: 'voice', forDevices: voiceRow.forDevices });
  expect(realtime.get('voice')).toMatchObject({ url: voiceModel.url, model: 'voice-1' });
});

test('a change that cannot be stored is not made', async () => {
  const { deps, store } = memory({ models: chatRow, realtime: voiceRow });
  const { service: chat, defaultId } = openChat(deps);
  const realtime = createRealtimeProfiles(deps);
  store.set = () => {
    throw new Error('The disk is full.');
  };
  await expect(chat.remove({ id: 'own' })).rejects.toThrow('The disk is full.');
  expect(() => realtime.setForDevices({ profileId: 'scripted' })).toThrow('The disk is full.');
  expect(() => realtime.setDefault('scripted')).toThrow('The disk is full.');
  expect(defaultId()).toBe('own');
  expect((await realtime.list()).forDevices.all).toBe('voice');
  expect(realtime.get().id).toBe('voice');
});

test('a realtime row without its choices for devices is not valid, and reported once', async () => {
  const { deps, errors } = memory({ realtime: { profiles: [voiceModel] } });
  const realtime = createRealtimeProfiles(deps);
  expect((await realtime.list()).profiles.map(({ id }) => id)).toEqual(['scripted']);
  expect(errors.map(String)).toEqual([
    'Error: The stored realtime models are not valid; only the scripted one is there',
  ]);
});

test('of the choices for devices the newest thousand are kept', async () => {
  const devices = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`device-${at}`, 'scripted']));
  const { deps } = memory({ realtime: { ...voiceRow, forDevices: { all: null, devices } } });
  const realtime = createRealtimeProfiles(deps);
  realtime.setForDevices({ deviceId: 'device-1000', profileId: 'voice' });
  const ids = Object.keys((await realtime.list()).forDevices.devices);
  expect(ids).toHaveLength(1_000);
  expect(ids[0]).toBe('device-1');
  expect(ids.at(-1)).toBe('device-1000');
});

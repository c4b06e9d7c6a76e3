/** Realtime models and the choices for devices, as they are stored. */
import { expect, test } from 'vitest';

import type { JsonValue } from '../../../../src-core/base/json.ts';
import { createKeptProfiles } from '../../../../src-core/features/realtime/keptProfiles.ts';
import type { SettingsStore } from '../../../../src-core/features/settings/service.ts';

function memoryStore(): SettingsStore {
  const values = new Map<string, JsonValue>();
  return {
    get: (key) => values.get(key),
    set: (key, value) => void values.set(key, value),
  };
}

test('of the choices for devices the newest thousand are kept', () => {
  const errors: unknown[] = [];
  const kept = createKeptProfiles(memoryStore(), (error) => errors.push(error));
  const devices = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`device-${at}`, 'scripted']));
  kept.setForDevices({ all: null, devices });
  const ids = Object.keys(kept.forDevices().devices);
  expect(ids).toHaveLength(1_000);
  expect(ids[0]).toBe('device-1');
  expect(ids.at(-1)).toBe('device-1000');
  expect(errors).toEqual([]);
});

test('models are read as they were stored: a scripted one with its script, and one behind a server', () => {
  const errors: unknown[] = [];
  const store = memoryStore();
  const before = createKeptProfiles(store, (error) => errors.push(error));
  const script = { turns: [{ say: 'Good day.' }] };
  before.put({ id: 'scripted', label: 'Scripted', dialect: 'openai', model: 'scripted', script });
  before.put({ id: 'own', label: 'Own', dialect: 'qwen', url: 'wss://models.example.com/realtime', model: 'voice-1' });
  const after = createKeptProfiles(store, (error) => errors.push(error));
  expect(after.all()).toEqual(before.all());
  expect(after.get('scripted')?.script).toEqual(script);
  expect(errors).toEqual([]);
});

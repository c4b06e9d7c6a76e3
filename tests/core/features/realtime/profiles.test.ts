/** The realtime models that a person sets up: kept, tested, their keys never shown. */
import { expect, test } from 'vitest';

import { startScriptedRealtimeServer } from '../../../../src-core/realtime/scripted/startScriptedRealtimeServer.ts';
import { readDifferences } from '../../../../src-core/features/realtime/readDifferences.ts';
import { dataFolder, openWorkbench } from '../../workbench/openWorkbench.ts';
import { openRealtime } from './support.ts';

const server = (url: string) => ({
  kind: 'server' as const,
  label: 'Mine',
  dialect: 'openai' as const,
  url,
  model: 'm',
});

test('the scripted model is always there, is the default, and answers its test', async () => {
  const workbench = await openRealtime();
  const { realtime } = workbench.services;
  const { profiles, presets, forDevices } = await realtime.profiles();
  expect(profiles).toMatchObject([{ id: 'scripted', isDefault: true, hasKey: false }]);
  expect(new Set(presets.map(({ dialect }) => dialect))).toEqual(new Set(['openai', 'openai-beta', 'qwen']));
  expect(presets[0]).toMatchObject({ model: 'gpt-realtime-2.1', url: 'wss://api.openai.com/v1/realtime' });
  // OpenAI serves no beta events.
  const beta = presets.filter(({ dialect }) => dialect === 'openai-beta');
  expect(beta.some(({ url }) => url.includes('api.openai.com'))).toBe(false);
  for (const { differences } of presets) expect(readDifferences(differences)).toEqual(differences);
  expect(forDevices).toEqual({ all: null, devices: {} });
  expect(await realtime.test({ id: 'scripted' })).toMatchObject({
    ok: true,
    steps: [{ state: 'ok' }, { state: 'ok' }, { state: 'ok' }, { state: 'ok' }],
  });
  await realtime.removeProfile({ id: 'scripted' });
  expect((await realtime.profiles()).profiles).toHaveLength(1);
});

test('a test says at which step a server fails', async () => {
  const scripted = await startScriptedRealtimeServer({ dialect: 'openai', key: 'the-right-key', paceMs: 0 });
  const workbench = await openRealtime();
  const { realtime } = workbench.services;
  const { id } = await realtime.saveProfile(server(scripted.url));
  try {
    expect(await realtime.test({ id })).toMatchObject({
      ok: false,
      steps: [{ id: 'server', state: 'ok' }, { id: 'key', state: 'failed' }, {}, {}],
    });
    await realtime.setKey({ id, key: 'the-right-key' });
    expect(await realtime.test({ id })).toMatchObject({ ok: true });
    const shown = JSON.stringify(await realtime.profiles());
    expect(shown).toContain('"hasKey":true');
    expect(shown).not.toContain('the-right-key');
    const { sessionId } = await realtime.open({ profileId: id });
    expect(JSON.stringify(await realtime.updates({ id: sessionId, revision: 0 }))).not.toContain('the-right-key');
    await realtime.close({ id: sessionId });
  } finally {
    await scripted.close();
  }
  expect(await realtime.test({ id })).toMatchObject({
    ok: false,
    steps: [{ id: 'server', state: 'failed' }, {}, {}, {}],
  });
});

test('a key goes to the server it was set for alone, and away with null', async () => {
  const workbench = await openRealtime();
  const { realtime } = workbench.services;
  const hasKey = async (): Promise<boolean> => (await realtime.profiles()).profiles.at(-1)!.hasKey;
  const { id } = await realtime.saveProfile(server('wss://one.example/v1/realtime'));
  await realtime.setKey({ id, key: 'secret-of-one' });
  await realtime.saveProfile({ ...server('wss://one.example/other'), id });
  expect(await hasKey()).toBe(true);
  await realtime.saveProfile({ ...server('wss://two.example/v1/realtime'), id });
  expect(await hasKey()).toBe(false);
  await realtime.setKey({ id, key: 'secret-of-two' });
  await realtime.setKey({ id, key: null });
  expect(await hasKey()).toBe(false);
});

test('what is wrong names its field', async () => {
  const workbench = await openRealtime();
  const { realtime } = workbench.services;
  await expect(realtime.saveProfile(server('https://one.example'))).rejects.toMatchObject({ field: 'url' });
  await expect(realtime.saveProfile({ ...server('wss://one.example'), id: 'scripted' })).rejects.toMatchObject({
    field: 'kind',
  });
  await expect(realtime.saveProfile({ ...server('wss://one.example'), id: 'none' })).rejects.toMatchObject({
    field: 'id',
  });
  await expect(
    realtime.saveProfile({ kind: 'scripted', label: 'Bad', dialect: 'openai', script: { turns: [{ say: 1 }] } }),
  ).rejects.toMatchObject({ field: 'turns[0].say' });
  await expect(realtime.setKey({ id: 'scripted', key: 'k' })).rejects.toMatchObject({ field: 'id' });
  const { id } = await realtime.saveProfile(server('wss://one.example'));
  await expect(realtime.setKey({ id, key: 'two words' })).rejects.toMatchObject({ field: 'key' });
  expect(() => realtime.setDefault({ id: 'none' })).toThrow(expect.objectContaining({ field: 'id' }));
  expect(realtime.checkScript({ text: '{' }).issues).toMatchObject([{ path: '' }]);
  expect(realtime.checkScript({ text: '{"turns":[{"say":1}]}' }).issues).toMatchObject([{ path: 'turns[0].say' }]);
});

test('profiles, the default and the choice for devices outlive the workbench; one that is gone is nobody’s choice', async () => {
  const dataDir = dataFolder();
  const first = await openWorkbench({ dataDir });
  const { id } = await first.services.realtime.saveProfile(server('wss://one.example'));
  first.services.realtime.setDefault({ id });
  first.services.realtime.setForDevices({ profileId: id });
  first.services.realtime.setForDevices({ deviceId: 'aa:bb', profileId: 'scripted' });
  await first.close();
  const second = await openWorkbench({ dataDir });
  const { realtime } = second.services;
  const { profiles, forDevices } = await realtime.profiles();
  expect(profiles).toMatchObject([
    { id: 'scripted', isDefault: false },
    { id, isDefault: true, url: 'wss://one.example' },
  ]);
  expect(forDevices).toEqual({ all: id, devices: { 'aa:bb': 'scripted' } });
  await realtime.removeProfile({ id });
  expect((await realtime.profiles()).forDevices).toEqual({ all: null, devices: { 'aa:bb': 'scripted' } });
  realtime.setForDevices({ deviceId: 'aa:bb' });
  expect((await realtime.profiles()).forDevices).toEqual({ all: null, devices: {} });
});

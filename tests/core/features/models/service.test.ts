import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createPortClient } from '../../../../src-core/rpc/client.ts';
import type { Client } from '../../../../src-core/rpc/client.ts';
import { portWire } from '../../../../src-core/rpc/portWire.ts';
import type { ModelChange, ModelInfo } from '../../../../src-core/contract/types.ts';
import { defaultScript } from '../../../../src-core/features/models/defaultScript.ts';
import { openStore } from '../../../helpers/testStore.ts';
import type { JsonValue } from '../../../../src-core/base/json.ts';
import { createWorkbench } from '../../../../src-core/workbench.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { startScriptedChatServer } from '../../../fakes/scriptedChatServer.ts';
import type { ScriptedChatServer, ScriptedChatServerOptions } from '../../../fakes/scriptedChatServer.ts';

const key = 'sk-live-0123456789abcdef';
let dataDir: string;
let workbench: Workbench;
let client: Client;
let errors: unknown[];
const servers: ScriptedChatServer[] = [];

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'toolwire-models-'));
  errors = [];
  await start();
});
afterEach(async () => {
  await workbench.close();
  await Promise.all(servers.splice(0).map((server) => server.close()));
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(): Promise<void> {
  workbench = await createWorkbench({
    dataDir,
    devicePort: 0,
    shell: 'terminal',
    onError: (error) => errors.push(error),
  });
  const { port1, port2 } = new MessageChannel();
  workbench.contract.serve(portWire(port1));
  client = createPortClient(port2);
}

async function restart(
  change: (settings: { get: (key: string) => unknown; set: (key: string, value: JsonValue) => void }) => void = () =>
    undefined,
): Promise<void> {
  await workbench.close();
  const store = openStore({ path: join(dataDir, 'toolwire.db') });
  change(store.settings);
  await store.close();
  await start();
}

async function serve(options: ScriptedChatServerOptions): Promise<ScriptedChatServer> {
  const server = await startScriptedChatServer(options);
  servers.push(server);
  return server;
}

const serverModel = (more: Partial<Extract<ModelChange, { kind: 'openai-compatible' }>> = {}): ModelChange => ({
  kind: 'openai-compatible',
  label: 'Real',
  preset: 'custom',
  baseUrl: 'http://127.0.0.1:1/v1',
  model: 'stand-in',
  stream: true,
  totalMs: 120_000,
  chunkMs: 60_000,
  ...more,
});
const scripted = (text: string): ModelChange => ({ kind: 'scripted', label: 'Mine', script: { turns: [{ text }] } });
const request = { messages: [{ role: 'user' as const, content: 'Hello' }] };
const say = async (id?: string) => (await workbench.features.models.modelOf(id).generate(request)).text;

describe('which models there are', () => {
  test('the scripted one is always there, and the default until another one is chosen', async () => {
    const { models, keyStorage } = await client.models.list();
    expect(models).toEqual([
      {
        id: 'scripted',
        kind: 'scripted',
        label: 'Scripted model',
        script: defaultScript,
        hasKey: false,
        isDefault: true,
      },
    ]);
    expect(keyStorage).toBe('file');
    expect(await say()).toMatch(/I am the scripted model/);

    const { id } = await client.models.save(serverModel());
    expect((await client.models.list()).models.map((model) => [model.id, model.isDefault])).toEqual([
      ['scripted', true],
      [id, false],
    ]);
    await client.models.setDefault({ id });
    expect(workbench.features.models.defaultId()).toBe(id);
    await client.models.remove({ id });
    await expect(client.models.remove({ id: 'scripted' })).resolves.toEqual({});
    expect((await client.models.list()).models.map((model) => model.id)).toEqual(['scripted']);
  });

  test('a default that is removed gives way', async () => {
    const { id } = await client.models.save(scripted('mine'));
    await client.models.setDefault({ id });
    expect(await say()).toBe('mine');
    await client.models.remove({ id });
    expect(workbench.features.models.defaultId()).toBe('scripted');
  });

  test('the first that passes its test is the default where nobody has chosen; one that fails is not', async () => {
    const server = await serve({ turns: Array.from({ length: 3 }, () => ({ text: 'ready' })) });
    const { id: dead } = await client.models.save(serverModel());
    expect((await client.models.test({ id: dead })).ok).toBe(false);
    expect(workbench.features.models.defaultId()).toBe('scripted');
    const { id: first } = await client.models.save(serverModel({ baseUrl: server.baseUrl }));
    expect(workbench.features.models.defaultId()).toBe('scripted');
    expect((await client.models.test({ id: first })).ok).toBe(true);
    expect(workbench.features.models.defaultId()).toBe(first);
    const { id: second } = await client.models.save(serverModel({ baseUrl: server.baseUrl }));
    expect((await client.models.test({ id: second })).ok).toBe(true);
    expect(workbench.features.models.defaultId()).toBe(first);
    await client.models.setDefault({ id: 'scripted' });
    await client.models.test({ id: second });
    expect(workbench.features.models.defaultId()).toBe('scripted');
  });

  test('models, the default and keys are there after a restart', async () => {
    const server = await serve({ turns: [{ text: 'fine' }], apiKey: key });
    const { id } = await client.models.save(serverModel({ baseUrl: server.baseUrl, temperature: 0.5 }));
    await client.models.setKey({ id, key });
    await client.models.setDefault({ id });
    await restart();
    const model = (await client.models.list()).models[1];
    expect(model).toMatchObject({ id, label: 'Real', temperature: 0.5, hasKey: true, isDefault: true });
    expect(await say()).toBe('fine');
  });

  test('what is stored and not valid is left out and reported', async () => {
    await client.models.save(serverModel());
    await restart((settings) => {
      const { models } = settings.get('models') as { models: JsonValue[] };
      settings.set('models', {
        models: [...models, { id: 'x' }, 5, { ...scripted('a'), id: 'y', script: { turns: [] } }],
        defaultId: 'gone',
      });
    });
    expect((await client.models.list()).models.map(({ label }) => label)).toEqual(['Scripted model', 'Real']);
    expect(errors).toHaveLength(3);
    await restart((settings) => settings.set('models', 'nonsense'));
    expect((await client.models.list()).models).toHaveLength(1);
    expect(errors).toHaveLength(4);
  });

  test('a change is announced', async () => {
    const controller = new AbortController();
    const events = await client.workbench.events(undefined, { signal: controller.signal });
    await events.next();
    const next = events.next();
    await client.models.save(scripted('a'));
    expect((await next).value).toMatchObject({ topics: ['models'] });
    controller.abort();
  });
});

describe('what is refused', () => {
  test.each<[string, ModelChange, string]>([
    ['an address that is none', serverModel({ baseUrl: 'nowhere' }), 'baseUrl'],
    ['a key in the address', serverModel({ baseUrl: 'http://a/v1?api_key=x' }), 'baseUrl'],
    ['no model', serverModel({ model: ' ' }), 'model'],
    [
      'a script that is none',
      { ...scripted('a'), script: { turns: [{ toolCalls: [{}] }] } } as ModelChange,
      'turns[0].toolCalls[0].name',
    ],
    ['another kind', { ...serverModel(), id: 'scripted' }, 'kind'],
    ['an id that is not there', { ...serverModel(), id: 'gone' }, 'id'],
    ['a temperature of 3', serverModel({ temperature: 3 }), 'temperature'],
  ])('%s, and the field is named', async (_, change, field) => {
    await expect(client.models.save(change)).rejects.toMatchObject({ data: { field } });
    expect((await client.models.list()).models).toHaveLength(1);
  });

  test('everything about a model that is not there', async () => {
    const gone = { id: 'gone' };
    const attempts = [
      client.models.remove(gone),
      client.models.setKey({ ...gone, key }),
      client.models.clearKey(gone),
      client.models.setDefault(gone),
      client.models.test(gone),
      client.models.serverModels(gone),
      client.models.startRecording(gone),
    ];
    for (const attempt of attempts) await expect(attempt).rejects.toMatchObject({ data: { field: 'id' } });
    expect(() => workbench.features.models.modelOf('gone')).toThrow(/no longer exists/);
    await expect(client.models.test({ id: 'scripted' })).rejects.toMatchObject({ data: { field: 'id' } });
  });
});

describe('keys', () => {
  async function withKey(options: ScriptedChatServerOptions = {}): Promise<{ id: string; server: ScriptedChatServer }> {
    const server = await serve({ apiKey: key, ...options });
    const { id } = await client.models.save(serverModel({ baseUrl: server.baseUrl }));
    await client.models.setKey({ id, key: ` ${key}\n` });
    return { id, server };
  }

  test('go to their server and come out nowhere', async () => {
    const turns = [{ text: 'ready' }, { text: 'fine' }, { status: 401, body: { error: { message: `bad ${key}` } } }];
    const { id, server } = await withKey({ turns });
    const seen: unknown[] = [
      await client.models.list(),
      await client.models.serverModels({ id }),
      await client.models.test({ id }),
      await workbench.features.models.modelOf(id).generate(request),
      await workbench.features.models
        .modelOf(id)
        .generate(request)
        .catch((error: unknown) => [error, String(error)]),
      await client.settings.get(),
      await client.models.save({ ...serverModel({ baseUrl: server.baseUrl }), id, label: 'Renamed' }),
    ];
    expect(JSON.stringify(seen)).not.toContain(key);
    expect(server.requests.every(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(true);
    expect(errors).toEqual([]);
    await workbench.close();
    const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const holding = files.filter((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1').includes(key));
    expect(holding.map(({ name }) => name)).toEqual(['secrets.json']);
  });

  test('a key that is taken away is used no more', async () => {
    const { id } = await withKey();
    await client.models.clearKey({ id });
    expect((await client.models.list()).models[1]).toMatchObject({ hasKey: false });
    await expect(workbench.features.models.modelOf(id).generate(request)).rejects.toMatchObject({
      code: 'http',
      details: { status: 401 },
    });
  });

  test('a key stays for another path or name, and does not follow the address to another server', async () => {
    const { id, server } = await withKey();
    const other = await serve({ turns: [{ text: 'thanks' }] });
    const kept = await client.models.save({ ...serverModel({ baseUrl: `${server.baseUrl}/x`, model: 'b' }), id });
    expect(kept.hasKey).toBe(true);
    const moved = await client.models.save({ ...serverModel({ baseUrl: other.baseUrl }), id });
    expect(moved.hasKey).toBe(false);
    await workbench.features.models.modelOf(id).generate(request);
    expect(other.chats[0]!.headers).not.toHaveProperty('authorization');
  });

  test('a turn that began before the address moved does not take the new key to the old server', async () => {
    const server = await serve({ turns: [{ text: 'fine' }] });
    const { id } = await client.models.save(serverModel({ baseUrl: server.baseUrl }));
    const model = workbench.features.models.modelOf(id);
    const other = await serve({});
    await client.models.save({ ...serverModel({ baseUrl: other.baseUrl }), id });
    await client.models.setKey({ id, key });
    const request = { messages: [{ role: 'user' as const, content: 'Hello' }] };
    await expect(model.generate(request)).rejects.toThrow(/moved to another server/);
    expect(server.requests).toEqual([]);
  });

  test('a key that is none is refused without being shown', async () => {
    const { id } = await client.models.save(serverModel());
    const refused = client.models.setKey({ id, key: 'sk-密钥 two' });
    await expect(refused).rejects.toMatchObject({ data: { field: 'key' } });
    await expect(refused).rejects.not.toThrow(/sk-密钥/);
    await expect(client.models.setKey({ id: 'scripted', key })).rejects.toMatchObject({ data: { field: 'id' } });
  });

  test('a key store that cannot be read says so, to whoever asks', async () => {
    await workbench.close();
    workbench = await createWorkbench({
      dataDir,
      devicePort: 0,
      shell: 'terminal',
      onError: (error) => errors.push(error),
      secrets: {
        storage: async () => 'system',
        has: async () => true,
        get: () => Promise.reject(new Error('The keyring is locked.')),
        set: () => Promise.reject(new Error('The keyring is locked.')),
        delete: async () => undefined,
      },
    });
    const { models } = workbench.services;
    const { id } = await models.save(serverModel());
    expect((await models.list()).keyStorage).toBe('system');
    await expect(models.setKey({ id, key })).rejects.toMatchObject({ field: 'key', message: 'The keyring is locked.' });
    await expect(models.test({ id })).rejects.toMatchObject({ message: 'The keyring is locked.' });
    await expect(workbench.features.models.modelOf(id).generate(request)).rejects.toMatchObject({
      name: 'ChatModelError',
      message: expect.stringContaining('The keyring is locked.'),
    });
  });
});

describe('a model at work', () => {
  test('the profile fills in what a request leaves open', async () => {
    const server = await serve({ turns: [{ text: 'a' }, { text: 'b' }] });
    const { id } = await client.models.save(
      serverModel({ baseUrl: server.baseUrl, preset: 'openai', temperature: 0.2, maxTokens: 7, stream: false }),
    );
    await workbench.features.models.modelOf(id).generate(request);
    await workbench.features.models.modelOf(id).generate({ ...request, temperature: 1, maxTokens: 9 });
    expect(server.chats.map(({ body }) => body)).toMatchObject([
      { temperature: 0.2, max_completion_tokens: 7 },
      { temperature: 1, max_completion_tokens: 9 },
    ]);
    expect(server.chats[0]!.body.stream).toBeUndefined();
  });

  test('the list of its server, and why there is none', async () => {
    const server = await serve({ models: ['b', 'a'] });
    const { id } = await client.models.save(serverModel({ baseUrl: server.baseUrl }));
    expect(await client.models.serverModels({ id })).toEqual({ models: ['a', 'b'] });
    const gone = await client.models.save(serverModel());
    await expect(client.models.serverModels({ id: gone.id })).rejects.toThrow(/cannot be reached/);
    expect(await client.models.test({ id: gone.id })).toMatchObject({
      ok: false,
      steps: [{ id: 'server', state: 'failed' }, {}, {}, {}],
    });
  });

  test('a test ends when the window gives up', async () => {
    const server = await serve({ turns: [{ fault: 'no-answer' }] });
    const { id } = await client.models.save(serverModel({ baseUrl: server.baseUrl }));
    const controller = new AbortController();
    const pending = client.models.test({ id }, { signal: controller.signal });
    const ended = expect(pending).rejects.toThrow();
    const { closed } = await server.chat(0);
    controller.abort();
    await ended;
    expect(await closed).toBe('hung up');
  });

  test('replies are recorded into a scripted model', async () => {
    const server = await serve({
      turns: [{ text: 'one' }, { text: 'two', toolCalls: [{ name: 'a', arguments: { x: 1 } }] }],
    });
    const { id } = await client.models.save(serverModel({ baseUrl: server.baseUrl }));
    await client.models.startRecording({ id });
    await say(id);
    await say(id);
    expect((await client.models.list()).models[1]).toMatchObject({ recorded: 2 });
    const { id: made } = await client.models.stopRecording({ id });
    const recorded = (await client.models.list()).models.find((model) => model.id === made) as ModelInfo;
    expect(recorded).toMatchObject({
      kind: 'scripted',
      label: 'Real (recorded)',
      script: { turns: [{ text: 'one' }, { text: 'two', toolCalls: [{ name: 'a', arguments: { x: 1 } }] }] },
    });
    expect(await say(made)).toBe('one');
    await client.models.startRecording({ id });
    expect(await client.models.stopRecording({ id })).toEqual({});
    expect(await client.models.stopRecording({ id })).toEqual({});
  });

  test('a script is checked as it is written', async () => {
    expect(await client.models.checkScript({ text: '{"turns":[{"text":"a"}]}' })).toEqual({ issues: [] });
    expect(await client.models.checkScript({ text: '{"turns":[{"text":5}]}' })).toMatchObject({
      issues: [{ path: 'turns[0].text' }],
    });
    expect(await client.models.checkScript({ text: '{"turns":' })).toMatchObject({
      issues: [{ path: '', message: expect.stringMatching(/^This is not valid JSON/) }],
    });
    const { defaultScript: text } = await client.models.scriptFormat();
    expect(await client.models.checkScript({ text })).toEqual({ issues: [] });
  });
});

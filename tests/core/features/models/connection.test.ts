import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';

import { listModels } from '../../../../src-core/features/models/openAiCompatible/listModels.ts';
import { readBaseUrl } from '../../../../src-core/features/models/openAiCompatible/modelServer.ts';
import { testConnection } from '../../../../src-core/features/models/openAiCompatible/testConnection.ts';
import type { ConnectionTest } from '../../../../src-core/contract/types.ts';
import { modelPresets } from '../../../../src-core/features/models/presets.ts';
import { startScriptedChatServer } from '../../../fakes/scriptedChatServer.ts';
import type { ScriptedChatServer, ScriptedChatServerOptions } from '../../../fakes/scriptedChatServer.ts';
import { createManualClock } from '../devices/support/manualClock.ts';

const key = 'sk-live-0123456789abcdef';
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function start(options: ScriptedChatServerOptions): Promise<ScriptedChatServer> {
  const server = await startScriptedChatServer(options);
  closing.push(() => server.close());
  return server;
}

/** A server that answers everything with this. */
async function answering(status: number, body: string): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end(body)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const states = ({ steps }: ConnectionTest) => steps.map(({ id, state }) => `${id} ${state}`);

describe('the list of models', () => {
  test('is sorted and asked for with the key', async () => {
    const server = await start({ models: ['b', 'a', 'c'], apiKey: key });
    expect(await listModels({ baseUrl: `${server.baseUrl}/?v=1`, apiKey: key })).toEqual(['a', 'b', 'c']);
    expect(server.requests[0]!.path).toBe('/v1/models?v=1');
    await expect(listModels({ baseUrl: server.baseUrl })).rejects.toMatchObject({
      code: 'http',
      details: { status: 401 },
    });
  });

  test.each<[string, string, string[] | RegExp]>([
    ['a bare list', '["b","a","a",5,""]', ['a', 'b']],
    ['"models" with names', '{"models":[{"name":"x"},{"id":"y"},{}]}', ['x', 'y']],
    ['no list', '{"data":{}}', /not a list of models/],
    ['HTML', '<html><title>Router</title></html>', /not a list of models.*“Router”/],
  ])('%s', async (_, body, expected) => {
    const pending = listModels({ baseUrl: await answering(200, body) });
    if (Array.isArray(expected)) expect(await pending).toEqual(expected);
    else await expect(pending).rejects.toMatchObject({ code: 'answer', message: expect.stringMatching(expected) });
  });

  test('a server that stalls, and one that is cancelled', async () => {
    const server = createServer((_request, response) => response.writeHead(200).flushHeaders()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    });
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const clock = createManualClock();
    const stalled = expect(listModels({ baseUrl, clock })).rejects.toMatchObject({ code: 'timeout' });
    await once(server, 'request');
    clock.advance(15_000);
    await stalled;
    const controller = new AbortController();
    const cancelled = expect(listModels({ baseUrl, clock, signal: controller.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    controller.abort();
    await cancelled;
  });
});

describe('a connection test', () => {
  test('everything works', async () => {
    const server = await start({ turns: [{ text: ' ready\n' }], apiKey: key });
    const result = await testConnection({ baseUrl: server.baseUrl, model: 'stand-in', apiKey: key });
    expect(states(result)).toEqual(['server ok', 'key ok', 'model ok', 'reply ok']);
    expect(result).toMatchObject({ ok: true, exchange: { response: { status: 200 } } });
    expect(result.steps[3]!.message).toBe('ready');
    expect(server.chats[0]!.body).toMatchObject({ max_tokens: 64 });
  });

  test('nobody is there', async () => {
    const server = await startScriptedChatServer();
    await server.close();
    const result = await testConnection({ baseUrl: server.baseUrl, model: 'm' });
    expect(states(result)).toEqual(['server failed', 'key skipped', 'model skipped', 'reply skipped']);
    expect(result).toMatchObject({ ok: false });
    expect(result.steps[0]).toMatchObject({ error: { code: 'unreachable', details: { cause: 'ECONNREFUSED' } } });
  });

  test('the address is none; the key is none', async () => {
    expect(states(await testConnection({ baseUrl: 'nowhere', model: 'm' }))[0]).toBe('server failed');
    const result = await testConnection({ baseUrl: 'http://127.0.0.1:1/v1', model: 'm', apiKey: 'a b' });
    expect(states(result).slice(0, 2)).toEqual(['server unknown', 'key failed']);
  });

  test('the key is wrong, and is not shown', async () => {
    const server = await start({ apiKey: 'another' });
    const result = await testConnection({ baseUrl: server.baseUrl, model: 'stand-in', apiKey: key });
    expect(states(result)).toEqual(['server ok', 'key failed', 'model skipped', 'reply skipped']);
    expect(result.steps[1]!.message).toContain('Incorrect API key');
    expect(JSON.stringify(result)).not.toContain(key);
    expect(server.chats).toHaveLength(0);
  });

  test('the key is asked for by the reply only', async () => {
    const server = await start({ turns: [{ status: 403, body: { error: { message: 'no access' } } }] });
    const result = await testConnection({ baseUrl: server.baseUrl, model: 'stand-in' });
    expect(states(result)).toEqual(['server ok', 'key failed', 'model skipped', 'reply skipped']);
  });

  test('the model is not there, and the nearest are named', async () => {
    const server = await start({
      models: ['qwen3:8b', 'llama3'],
      turns: [{ status: 404, body: { error: 'not found' } }],
    });
    const result = await testConnection({ baseUrl: server.baseUrl, model: 'qwen3' });
    expect(states(result)).toEqual(['server ok', 'key ok', 'model failed', 'reply skipped']);
    expect(result.steps[2]).toMatchObject({ message: expect.stringContaining('not found'), nearest: ['qwen3:8b'] });
  });

  test('a model that is not listed may answer all the same', async () => {
    const server = await start({ models: ['qwen3:latest', 'b'], turns: [{ text: 'ready' }, { text: 'ready' }] });
    expect((await testConnection({ baseUrl: server.baseUrl, model: 'qwen3' })).ok).toBe(true);
    expect((await testConnection({ baseUrl: server.baseUrl, model: 'alias' })).ok).toBe(true);
  });

  test('the model does not answer: what is not known stays so', async () => {
    const server = await start({ turns: [{ fault: 'html' }] });
    const result = await testConnection({ baseUrl: server.baseUrl, model: 'stand-in' });
    expect(states(result)).toEqual(['server ok', 'key unknown', 'model ok', 'reply failed']);
    expect(result.exchange?.response?.body).toContain('Sign in');
  });

  test('a server that answers everything with a page', async () => {
    const result = await testConnection({ baseUrl: await answering(200, '<html></html>'), model: 'm' });
    expect(states(result)).toEqual(['server ok', 'key unknown', 'model unknown', 'reply failed']);
  });
});

test('every preset but the own one has an address that is one, and says whether it needs a key', () => {
  for (const { id, baseUrl, needsKey } of modelPresets) {
    if (id === 'custom') continue;
    expect(readBaseUrl(baseUrl).url).toBe(baseUrl);
    expect(needsKey).toBe(baseUrl.startsWith('https:'));
  }
});

import { expect, test } from 'vitest';
import { DeviceToolClient } from '../../../src-core/devices/deviceToolClient.ts';
import { defaultDeviceLimits } from '../../../src-core/devices/limits.ts';
import type { JsonObject } from '../../../src-core/tools/json.ts';
import { createManualClock } from './support/manualClock.ts';

/** Seed 000 §2.2: a device with `play_music` and `set_volume`, on a transport that is just two functions. */
const playMusic = {
  name: 'play_music',
  description: 'Play music on the device',
  inputSchema: {
    type: 'object',
    properties: { query: { type: 'string', description: 'Music search query' } },
    required: ['query'],
  },
};
const setVolume = {
  name: 'set_volume',
  description: 'Set device volume (0-100)',
  inputSchema: { type: 'object', properties: { level: { type: 'integer' } }, required: ['level'] },
};

function connectClient(tools: JsonObject[]) {
  const clock = createManualClock();
  const sent: { id?: number; method: string; params?: JsonObject }[] = [];
  const client = new DeviceToolClient({
    name: () => 'speaker',
    clock,
    limits: defaultDeviceLimits,
    clientInfo: { name: 'VixioServer', version: '1.0.0' },
    send: (payload) => {
      const request = JSON.parse(payload) as (typeof sent)[number];
      sent.push(request);
      if (request.id === undefined || request.method === 'tools/call') return;
      const result: JsonObject = request.method === 'initialize' ? { serverInfo: { name: 'speaker' } } : { tools };
      queueMicrotask(() => client.onMcpMessage({ jsonrpc: '2.0', id: request.id ?? 0, result }, 0));
    },
  });
  return {
    client,
    clock,
    sent,
    answer: (id: number, result: JsonObject) => client.onMcpMessage({ jsonrpc: '2.0', id, result }, 0),
  };
}

test('initializes, waits for the answer, announces itself and lists, as the sequence of seed 000 §2.1 has it', async () => {
  const { client, sent } = connectClient([playMusic, setVolume]);
  await client.initialize();
  expect(sent).toEqual([
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2024-11-05',
        capabilities: {},
        clientInfo: { name: 'VixioServer', version: '1.0.0' },
      },
    },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/list', params: { cursor: '', withUserTools: true } },
  ]);
  expect(client.getToolDefinitions()).toEqual([
    { name: 'play_music', description: playMusic.description, parameters: playMusic.inputSchema, deviceClient: client },
    { name: 'set_volume', description: setVolume.description, parameters: setVolume.inputSchema, deviceClient: client },
  ]);
});

test('updateTools replaces by name, so that a second time doubles nothing', async () => {
  const tools: JsonObject[] = [playMusic];
  const { client } = connectClient(tools);
  await client.initialize();
  tools.push(setVolume);
  expect((await client.updateTools()).map(({ name }) => name)).toEqual(['play_music', 'set_volume']);
  expect(client.getToolDefinitions()).toHaveLength(2);
});

test('callTool sends the call and keeps every part of the answer', async () => {
  const { client, sent, answer } = connectClient([playMusic]);
  await client.initialize();
  const call = client.callTool('play_music', { query: '周杰伦' });
  expect(sent.at(-1)).toEqual({
    jsonrpc: '2.0',
    id: 3,
    method: 'tools/call',
    params: { name: 'play_music', arguments: { query: '周杰伦' } },
  });
  const content = [
    { type: 'text' as const, text: '正在播放: 周杰伦 - 晴天' },
    { type: 'text' as const, text: '音量 50' },
  ];
  answer(3, { content });
  expect(await call).toEqual({ value: '正在播放: 周杰伦 - 晴天\n音量 50', content });
});

test('callTool with a time limit counts from sending and names it; the next call goes out', async () => {
  const { client, clock, answer } = connectClient([playMusic]);
  await client.initialize();
  const slow = client.callTool('play_music', {}, { timeoutMs: 30_000 });
  const waiting = client.callTool('play_music', {}, { timeoutMs: 30_000 });
  clock.advance(30_000);
  await expect(slow).rejects.toMatchObject({ code: 'timeout', info: { details: { timeoutMs: 30_000, requestId: 3 } } });
  expect(answer(3, {}).summary).toBe('late answer to tools/call play_music');
  answer(4, { content: [] });
  expect(await waiting).toEqual({ value: '', content: [] });
});

test('cancelAll rejects what runs and what waits', async () => {
  const { client } = connectClient([playMusic]);
  await client.initialize();
  const calls = [client.callTool('play_music', {}), client.callTool('play_music', {})];
  const reason = new Error('the agent is gone');
  client.cancelAll(reason);
  expect(await Promise.allSettled(calls)).toEqual(calls.map(() => ({ status: 'rejected', reason })));
});

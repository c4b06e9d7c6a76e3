import { describe, expect, test } from 'vitest';
import { DeviceToolClient } from '../../../../../src-core/features/devices/session/deviceToolClient.ts';
import type { DeviceToolClientOptions } from '../../../../../src-core/features/devices/session/deviceToolClient.ts';
import { defaultDeviceLimits } from '../../../../../src-core/features/devices/limits.ts';
import type { JsonObject } from '../../../../../src-core/base/json.ts';
import { createManualClock } from '../support/manualClock.ts';

/** A device with `play_music` and `set_volume`, on a transport that is just two functions. */
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

function connectClient(tools: JsonObject[], more: Partial<DeviceToolClientOptions> = {}) {
  const clock = createManualClock();
  const sent: { id?: number; method: string; params?: JsonObject }[] = [];
  const client = new DeviceToolClient({
    name: () => 'speaker',
    clock,
    limits: defaultDeviceLimits,
    clientInfo: { name: 'VixioServer', version: '1.0.0' },
    ...more,
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

test('initializes, waits for the answer, sends notifications/initialized, then lists the tools', async () => {
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
  expect(client.requests.callFault).toMatchObject({ cause: 'call-timeout' });
  clock.advance(20_000);
  expect(answer(3, {})).toMatchObject({ summary: 'late answer to tools/call play_music', failed: true });
  expect(client.requests.callFault).toMatchObject({ cause: 'answered-late', tookMs: 50_000 });
  answer(4, { content: [] });
  expect(await waiting).toEqual({ value: '', content: [] });
});

test.each([
  { more: {}, call: {}, limit: 30_000 },
  { more: { timeoutMs: 5_000 }, call: {}, limit: 5_000 },
  { more: { timeoutMs: 5_000 }, call: { timeoutMs: 7_000 }, limit: 7_000 },
])('callTool has a limit of $limit ms with $more and $call', async ({ more, call, limit }) => {
  const { client, clock } = connectClient([playMusic], more);
  await client.initialize();
  const slow = client.callTool('play_music', {}, call);
  clock.advance(limit - 1);
  expect(client.runningCall).toMatchObject({ tool: 'play_music' });
  clock.advance(1);
  await expect(slow).rejects.toMatchObject({ code: 'timeout', info: { details: { timeoutMs: limit } } });
});

test('callTool with the limit Infinity never times out', async () => {
  const { client, clock, answer } = connectClient([playMusic]);
  await client.initialize();
  const slow = client.callTool('play_music', {}, { timeoutMs: Infinity });
  clock.advance(86_400_000);
  answer(3, { content: [{ type: 'text', text: 'at last' }] });
  expect(await slow).toMatchObject({ value: 'at last' });
});

test('callTool refuses a tool that is not listed, and sends nothing', async () => {
  const { client, sent } = connectClient([playMusic, setVolume]);
  await expect(client.callTool('set_volume', {})).rejects.toMatchObject({ code: 'unknown-tool' });
  expect(sent).toEqual([]);
  await client.initialize();
  const before = sent.length;
  await expect(client.callTool('set_volum', { level: 1 })).rejects.toMatchObject({
    code: 'unknown-tool',
    message: 'speaker does not list a tool "set_volum". Did you mean "set_volume"?',
    info: { candidates: ['set_volume'] },
  });
  expect(sent).toHaveLength(before);
});

test('cancelAll rejects what runs and what waits', async () => {
  const { client } = connectClient([playMusic]);
  await client.initialize();
  const calls = [client.callTool('play_music', {}), client.callTool('play_music', {})];
  const reason = new Error('the agent is gone');
  client.cancelAll(reason);
  expect(await Promise.allSettled(calls)).toEqual(calls.map(() => ({ status: 'rejected', reason })));
});

test('initialize names the place for pictures if there is one', async () => {
  const vision = { url: 'http://192.168.1.2:8765/mcp/vision/explain', token: 't' };
  const { client, sent } = connectClient([], { vision: () => vision });
  await client.initialize();
  expect(sent[0]?.params?.['capabilities']).toEqual({ vision });
});

test('the tools for people only are listed as the setting says at that moment, on every page', async () => {
  let listUserTools = false;
  const { client, sent } = connectClient([playMusic], { listUserTools: () => listUserTools });
  await client.initialize();
  listUserTools = true;
  await client.updateTools();
  const asked = sent.filter(({ method }) => method === 'tools/list').map(({ params }) => params?.['withUserTools']);
  expect(asked).toEqual([false, true]);
});

test('a setting that changes between two pages changes nothing of the list that is under way', async () => {
  let listUserTools = true;
  const asked: JsonObject[] = [];
  const client: DeviceToolClient = new DeviceToolClient({
    name: () => 'speaker',
    clock: createManualClock(),
    limits: defaultDeviceLimits,
    clientInfo: { name: 'VixioServer', version: '1.0.0' },
    listUserTools: () => listUserTools,
    send: (payload) => {
      const { id, params } = JSON.parse(payload) as { id: number; params: JsonObject };
      asked.push(params);
      listUserTools = false;
      const page: JsonObject =
        params['cursor'] === '' ? { tools: [playMusic], nextCursor: 'b' } : { tools: [setVolume] };
      queueMicrotask(() => client.onMcpMessage({ jsonrpc: '2.0', id, result: page }, 0));
    },
  });
  await client.updateTools();
  expect(asked).toEqual([
    { cursor: '', withUserTools: true },
    { cursor: 'b', withUserTools: true },
  ]);
});

test('setDeviceToolsCallback takes several callbacks, and calls one at once if the tools are listed', async () => {
  const tools: JsonObject[] = [playMusic];
  const { client } = connectClient(tools);
  const heard: string[] = [];
  const listen = (who: string) =>
    client.setDeviceToolsCallback((definitions) => heard.push(`${who}: ${definitions.map(({ name }) => name).join()}`));
  const stop = listen('one');
  await client.initialize();
  listen('two');
  expect(heard.splice(0)).toEqual(['one: play_music', 'two: play_music']);
  tools.push(setVolume);
  await client.updateTools();
  expect(heard.splice(0)).toEqual(['one: play_music,set_volume', 'two: play_music,set_volume']);
  stop();
  await client.updateTools();
  expect(heard).toEqual(['two: play_music,set_volume']);
});

test('a callback that throws is reported, and the others are called', async () => {
  const { client } = connectClient([playMusic]);
  const warned = new Promise<Error>((resolve) => void process.once('warning', resolve));
  const heard: number[] = [];
  client.setDeviceToolsCallback(() => {
    throw new Error('not now');
  });
  client.setDeviceToolsCallback(({ length }) => heard.push(length));
  await client.initialize();
  expect(heard).toEqual([1]);
  expect((await warned).message).toBe('a callback of setDeviceToolsCallback: not now');
});

describe('changes of the tools', () => {
  const listed = (name: string, description = '') => ({
    name,
    description,
    inputSchema: { type: 'object', properties: {} },
    userOnly: false,
  });

  test('are told against the connection before, also once they are listed again', async () => {
    const formerTools = () => [listed('a'), listed('b'), listed('c')];
    const { client } = connectClient([listed('b', 'other'), listed('c'), listed('d')], { formerTools });
    expect(client.toolChanges).toBeUndefined();
    await client.initialize();
    const changes = { added: ['d'], removed: ['a'], changed: ['b'] };
    expect(client.toolChanges).toEqual(changes);
    await client.updateTools();
    expect(client.toolChanges).toEqual(changes);
  });

  test('are told against the hello before, if a second one comes', async () => {
    const tools = [listed('a')];
    const { client } = connectClient(tools);
    await client.initialize();
    expect(client.toolChanges).toBeUndefined();
    tools.splice(0, 1, listed('b'));
    await client.initialize();
    expect(client.toolChanges).toEqual({ added: ['b'], removed: ['a'], changed: [] });
    await client.initialize();
    expect(client.toolChanges).toBeUndefined();
  });

  test('name nothing as removed if the list is not whole', async () => {
    const formerTools = () => [listed('a'), listed('b')];
    const broken = connectClient([listed('b'), {}], { formerTools });
    await broken.client.initialize();
    expect(broken.client.toolChanges).toBeUndefined();
    const more = connectClient([listed('b', 'other'), {}], { formerTools });
    await more.client.initialize();
    expect(more.client.toolChanges).toEqual({ added: [], removed: [], changed: ['b'] });
  });

  test('are not told against a list that was not whole', async () => {
    const tools: JsonObject[] = [listed('a'), listed('b')];
    const { client } = connectClient(tools);
    await client.initialize();
    tools.splice(1, 1, {});
    await client.initialize();
    tools.splice(1, 1, listed('b'));
    await client.initialize();
    expect(client.toolChanges).toBeUndefined();
  });

  test('remember at most as many tools as may be listed', async () => {
    const tools: JsonObject[] = [listed('a'), listed('b'), {}];
    const { client } = connectClient(tools, { limits: { maxTools: 3 } });
    await client.initialize();
    tools.splice(0, 2, listed('c'), listed('d'));
    await client.initialize();
    expect(client.knownTools?.map(({ name }) => name)).toEqual(['c', 'd', 'a']);
  });
});

test('round trips of calls are measured from sending to the answer, even a late one', async () => {
  const { client, clock, answer } = connectClient([playMusic]);
  expect(client.latency).toBeUndefined();
  await client.initialize();
  expect(client.latency).toBeUndefined();
  const quick = client.callTool('play_music', {});
  clock.advance(4);
  answer(3, {});
  await quick;
  expect(client.latency).toEqual({ lastMs: 4, p50Ms: 4, p99Ms: 4, count: 1 });
  const slow = client.callTool('play_music', {}, { timeoutMs: 10 });
  clock.advance(10);
  await expect(slow).rejects.toMatchObject({ code: 'timeout' });
  expect(client.latency?.count).toBe(1);
  clock.advance(90);
  expect(answer(4, {})).toMatchObject({ role: 'answer', method: 'tools/call', durationMs: 100 });
  answer(99, {});
  expect(client.latency).toMatchObject({ lastMs: 100, count: 2 });
});

test('times a call to the arrival of its answer, however long that took to read', async () => {
  const { client, clock, answer } = connectClient([playMusic], { msSinceFrame: () => 3 });
  await client.initialize();
  const call = client.callTool('play_music', {});
  clock.advance(10);
  expect(answer(3, {})).toMatchObject({ durationMs: 7 });
  await call;
});

test('names a device without a name within a sentence', async () => {
  for (const [sessionId, name] of [
    [undefined, 'the device'],
    ['abcdef01-2', 'the device of session abcdef01'],
  ] as const) {
    const { client } = connectClient([playMusic], { sessionId, name: undefined });
    await client.initialize();
    const call = client.callTool('play_music', {});
    client.onDisconnect();
    await expect(call).rejects.toThrow(`The connection to ${name} ended without a close frame (1006), `);
  }
});

test('counts notifications of the device, not its requests', () => {
  const { client, clock } = connectClient([]);
  const say = (message: JsonObject) => client.onMcpMessage({ jsonrpc: '2.0', ...message }, 0);
  expect(client.notifications).toBeUndefined();
  clock.advance(7);
  expect(say({ method: 'notifications/state_changed', params: {} })).toEqual({
    type: 'mcp',
    role: 'notification',
    method: 'notifications/state_changed',
    summary: 'notifications/state_changed',
  });
  expect(say({ method: 'sampling/createMessage', id: 4 })).toMatchObject({ role: 'request' });
  clock.advance(1);
  say({ method: 'x'.repeat(5_000) });
  expect(client.notifications).toEqual({ count: 2, lastMethod: 'x'.repeat(200), lastAt: clock.wall() });
});

test('the note of a frame names the request that it answers', async () => {
  const { client, answer } = connectClient([playMusic]);
  await client.initialize();
  const call = client.callTool('play_music', {}, { callId: 'c' });
  expect(answer(3, { content: [], isError: true })).toEqual({
    type: 'mcp',
    role: 'answer',
    method: 'tools/call',
    summary: 'answer to tools/call play_music',
    rpcId: 3,
    callId: 'c',
    durationMs: 0,
    failed: true,
  });
  await call;
  const broken = { id: 9, text: '{', bytes: 1, reason: 'not JSON', fault: 'malformed' as const };
  expect(client.onBrokenAnswer(broken)).toMatchObject({ type: 'invalid', rpcId: 9 });
});

describe('a request sent by hand', () => {
  test('keeps its id to itself, and its answer settles nothing of ours', async () => {
    const { client, answer, sent } = connectClient([playMusic]);
    await client.initialize();
    expect(client.requests.nextId).toBe(3);
    client.requests.expectByHand({ id: 3, method: 'tools/list', summary: 'tools/list, by hand' });
    const call = client.callTool('play_music', {});
    expect(sent.at(-1)?.id).toBe(4);
    expect(client.requests.awaits(3)).toBe(false);
    expect(client.requests.awaits(4)).toBe(true);
    expect(answer(3, {})).toMatchObject({
      summary: 'answer to tools/list, by hand',
      method: 'tools/list',
      durationMs: 0,
    });
    expect(client.latency).toBeUndefined();
    answer(4, { content: [] });
    await call;
  });
});

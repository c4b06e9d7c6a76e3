/** The client against our own gateway, over a real socket. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';

import {
  GatewayClient,
  GatewayConnectionError,
  GatewayRequestError,
  type ClientTool,
  type GatewayClientOptions,
} from '../../../src-core/gatewayClient.ts';
import { executeSingleRequest } from '../../../src-core/engine/executor.ts';
import { openGateway, type OpenGateway, type OpenGatewayOptions } from '../features/gateway/support/openGateway.ts';
import { createManualClock } from '../features/devices/support/manualClock.ts';

async function open(
  gatewayOptions: OpenGatewayOptions = {},
  options: Partial<GatewayClientOptions> = {},
): Promise<OpenGateway & { client: GatewayClient }> {
  const bench = await openGateway(gatewayOptions);
  const client = new GatewayClient({ url: bench.url, ...options });
  onTestFinished(() => client.close());
  await client.connect();
  return { ...bench, client };
}

const tool = (name: string, handler: ClientTool['handler']): ClientTool => ({
  name,
  description: `Does ${name}.`,
  parameters: { type: 'object', properties: {} },
  handler,
});
const echo: OpenGatewayOptions['turns'] = ({ messages }) => ({ text: `re ${String(messages.at(-1)!.content)}` });
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'it went well',
    (error: unknown) => error,
  );

test('a whole conversation: register, ask, be called back, answer', async () => {
  const seen: string[] = [];
  const { client, server } = await open({
    turns: [{ toolCalls: [{ name: 'get_location' }, { name: 'get_battery' }] }, { text: '还剩85%' }],
  });
  expect(client.sessionId).toMatch(/\S/);
  const registered = await client.registerTools([tool('get_battery', async () => ({ level: 85 }))]);
  expect(registered).toEqual([{ name: 'get_battery', status: 'registered' }]);
  client.configure({ temperature: 0.2, maxTokens: 100, enableContext: true });
  const answer = await client.chat('我的电量还剩多少？', { onMessage: ({ type }) => seen.push(type) });
  expect(answer.text).toBe('还剩85%');
  expect(answer.serverTools).toMatchObject([{ name: 'get_location', success: true, result: { simulated: true } }]);
  expect(seen).toEqual(['status', 'tool_call', 'status', 'tool_callback', 'llm_response']);
  expect(server.chats[0]!.body).toMatchObject({ temperature: 0.2, max_tokens: 100 });
  expect(server.chats[1]!.body.messages.at(-1)!.content).toBe('{"level":85}');
});

test.each([
  ['the platform’s own WebSocket', undefined],
  ['the package ws', (url: string) => new WebSocket(url)],
])('over %s', async (_, createSocket) => {
  const { client } = await open({ turns: echo }, createSocket && { createSocket });
  expect((await client.chat('hi')).text).toBe('re hi');
  expect(await client.ping()).toBeGreaterThanOrEqual(0);
});

test('questions at once are answered in order, each with its own answer', async () => {
  const { client } = await open({ turns: echo });
  const answers = await Promise.all(['a', 'b', 'c'].map((text) => client.chat(text)));
  expect(answers.map(({ text }) => text)).toEqual(['re a', 're b', 're c']);
});

test('sessions: start, go on, end; a question after the end is in a new one', async () => {
  const { client, gateway } = await open({ turns: echo });
  const first = client.sessionId!;
  const second = await client.startSession();
  expect(second).not.toBe(first);
  expect(await client.startSession(first)).toBe(first);
  expect(client.sessionId).toBe(first);
  await client.endSession();
  expect(client.sessionId).toBeUndefined();
  expect(await failure(client.endSession())).toMatchObject({ code: 'SESSION_ERROR' });
  await client.chat('hi');
  await client.ping();
  expect(client.sessionId).toMatch(/\S/);
  expect(gateway.sessions().map(({ id }) => id)).toContain(client.sessionId);
  expect(gateway.sessions().map(({ id }) => id)).not.toContain(first);
});

test('requests of all kinds at once, each gets its own answer', async () => {
  const { client } = await open({ turns: echo });
  const outcomes = await Promise.all([
    client.chat('one'),
    client.registerTools([tool('a', () => 1)]),
    failure(client.startSession('nobody')),
    client.chat('two'),
    client.endSession(),
    client.registerTools([tool('b', () => 1)]),
    client.ping(),
    client.chat('three'),
  ]);
  expect(outcomes[0]).toMatchObject({ text: 're one' });
  expect(outcomes[1]).toMatchObject([{ name: 'a' }]);
  expect(outcomes[2]).toMatchObject({ code: 'SESSION_ERROR' });
  expect(outcomes[3]).toMatchObject({ text: 're two' });
  expect(outcomes[5]).toMatchObject([{ name: 'b' }]);
  expect(outcomes[7]).toMatchObject({ text: 're three' });
});

test('a handler may ask the gateway for something itself', async () => {
  const { client } = await open({ turns: [{ toolCalls: [{ name: 'grow' }] }, { text: 'done' }] });
  await client.registerTools([
    tool('grow', async () => {
      const [added] = await client.registerTools([tool('more', () => 1)]);
      return added!.status;
    }),
  ]);
  const [answer] = await Promise.all([client.chat('go'), failure(client.chat('next'))]);
  expect(answer.text).toBe('done');
});

describe('what goes wrong', () => {
  test('a model’s error is a typed error with its code; the next question works', async () => {
    const { client } = await open({ turns: [{ status: 500, body: {} }, { text: 'fine' }] });
    const error = await failure(client.chat('hi'));
    expect(error).toBeInstanceOf(GatewayRequestError);
    expect(error).toMatchObject({ code: 'LLM_ERROR', details: expect.any(String) as string });
    expect((await client.chat('again')).text).toBe('fine');
  });

  test('a handler that throws, and one that has no JSON to give, end the turn', async () => {
    const { client } = await open({
      turns: ({ messages }) => ({ toolCalls: [{ name: String(messages.at(-1)!.content) }] }),
    });
    const circle: { self?: object } = {};
    circle.self = circle;
    await client.registerTools([
      tool('throws', () => {
        throw new Error('no luck');
      }),
      tool('circle', () => circle),
      tool('big', () => 'x'.repeat(2_000_000)),
      tool('symbol', () => Symbol('s')),
    ]);
    for (const [name, words] of [
      ['throws', /no luck/],
      ['circle', /circular/i],
      ['big', /at most/],
      ['symbol', /no JSON/],
    ] as const) {
      expect(await failure(client.chat(name))).toMatchObject({
        code: 'TOOL_EXECUTION_FAILED',
        details: expect.stringMatching(words) as string,
      });
    }
  });

  test('a tool that returns nothing sends null', async () => {
    const { client, server } = await open({ turns: [{ toolCalls: [{ name: 'f' }] }, { text: 'ok' }] });
    await client.registerTools([tool('f', () => undefined)]);
    await client.chat('go');
    expect(server.chats[1]!.body.messages.at(-1)!.content).toBe('null');
  });

  test('tools that fail to register say why, are not kept, and leave the good one of that name', async () => {
    const { client } = await open({ turns: [{ toolCalls: [{ name: 'a' }] }, { text: 'ok' }] });
    const answer = await client.registerTools([
      tool('a', () => 'first'),
      tool('1', () => 0),
      tool('a', () => 'second'),
    ]);
    expect(answer.map(({ status }) => status)).toEqual(['registered', 'failed', 'failed']);
    expect(await client.registerTools([tool('a', () => 'third')])).toMatchObject([
      { error: 'Tool name already exists' },
    ]);
    await client.chat('go');
  });

  test('tools switched off: the request is rejected', async () => {
    const { client } = await open({ settings: { clientToolsEnabled: false } });
    expect(await failure(client.registerTools([tool('a', () => 1)]))).toMatchObject({
      code: 'TOOL_REGISTRATION_FAILED',
    });
  });

  test('an empty question is not sent', async () => {
    const { client, frames } = await open();
    await expect(client.chat(' ')).rejects.toThrow(TypeError);
    expect(frames.filter(({ frame }) => frame.direction === 'in' && frame.kind === 'text')).toEqual([]);
  });

  test('a late result does not pass for the answer to the next question', async () => {
    const clock = createManualClock();
    const started = Promise.withResolvers<AbortSignal>();
    const hold = Promise.withResolvers<string>();
    const { client } = await open({
      clock,
      turns: ({ messages }) =>
        messages.at(-1)!.content === 'slow' ? { toolCalls: [{ name: 'slow' }, { name: 'deaf' }] } : { text: 'fine' },
    });
    await client.registerTools([
      tool('slow', (_, { signal }) => {
        started.resolve(signal);
        return hold.promise;
      }),
      tool('deaf', () => hold.promise),
    ]);
    const slow = failure(client.chat('slow'));
    const signal = await started.promise;
    clock.advance(30_000);
    expect(await slow).toMatchObject({ code: 'TOOL_RESULT_TIMEOUT' });
    expect(signal.aborted).toBe(true);
    hold.resolve('late');
    expect((await client.chat('next')).text).toBe('fine');
  });

  test('aborting stops waiting; a late answer reaches no other request', async () => {
    const gate = Promise.withResolvers<undefined>();
    const { client, server } = await open({
      turns: ({ messages }, index) => ({
        text: `re ${String(messages.at(-1)!.content)}`,
        ...(index === 0 && { gate: gate.promise }),
      }),
    });
    const abort = new AbortController();
    const first = failure(client.chat('one', { signal: abort.signal }));
    await server.chat(0);
    abort.abort(new Error('enough'));
    expect(await first).toMatchObject({ message: 'enough' });
    const second = client.chat('two');
    gate.resolve(undefined);
    expect((await second).text).toBe('re two');
    expect(await failure(client.chat('three', { signal: AbortSignal.abort(new Error('before')) }))).toMatchObject({
      message: 'before',
    });
  });

  test('fails if nothing listens, and if the gateway is full', async () => {
    const { url } = await openGateway({ settings: { maxConnections: 0 } });
    const nobody = new GatewayClient({ url: 'ws://127.0.0.1:1' });
    expect(await failure(nobody.connect())).toBeInstanceOf(GatewayConnectionError);
    expect(nobody.state).toBe('closed');
    const many = new GatewayClient({ url });
    expect(await failure(many.connect())).toMatchObject({ closeCode: 1013 });
    expect(() => many.configure({})).toThrow(GatewayConnectionError);
    expect(await failure(many.chat('hi'))).toBeInstanceOf(GatewayConnectionError);
  });

  test('a connection that is lost rejects everything that waits, and aborts what runs', async () => {
    const started = Promise.withResolvers<AbortSignal>();
    const states: string[] = [];
    const { client, gateway } = await open(
      { turns: [{ toolCalls: [{ name: 'f' }] }] },
      { onState: (state) => states.push(state) },
    );
    await client.registerTools([tool('f', (_, { signal }) => new Promise(() => started.resolve(signal)))]);
    const waiting = [failure(client.chat('go')), failure(client.chat('next'))];
    const signal = await started.promise;
    gateway.disconnect(gateway.connections()[0]!.id);
    for (const error of await Promise.all(waiting)) expect(error).toBeInstanceOf(GatewayConnectionError);
    expect(signal.aborted).toBe(true);
    expect(states).toEqual(['connecting', 'connected', 'closed']);
  });

  test('close rejects pending requests and is final', async () => {
    const { client, until, gateway } = await open({ turns: [{ fault: 'no-answer' }] });
    const waiting = failure(client.chat('hi'));
    client.close();
    client.close();
    expect(await waiting).toMatchObject({ closeCode: 1000 });
    expect(client.state).toBe('closed');
    expect(await failure(client.connect())).toMatchObject({ closeCode: 1000 });
    await until(() => gateway.connections().length === 0);
  });
});

test('a call by hand from the workbench is answered, with no question under way', async () => {
  const { client, toolRegistryManager } = await open();
  await client.registerTools([tool('f', (args) => ({ got: args }))]);
  const result = await executeSingleRequest(
    { toolName: 'gateway-client-1_f', args: { n: 1 } },
    { toolRegistryManager, caller: 'user' },
  );
  expect(result).toMatchObject({ status: 'success', result: '{"got":{"n":1}}' });
});

test('with reconnect it comes back with its session, its tools and its configuration', async () => {
  const states: string[] = [];
  const { client, gateway, server, until } = await open(
    { turns: (body) => (body.messages.at(-1)!.content === 'go' ? { toolCalls: [{ name: 'f' }] } : { text: 'ok' }) },
    { reconnect: { minDelayMs: 1, maxDelayMs: 2 }, onState: (state) => states.push(state) },
  );
  await client.registerTools([tool('f', () => 'done')]);
  client.configure({ enableContext: true, temperature: 0 });
  await client.chat('hello');
  const session = client.sessionId;
  gateway.disconnect(gateway.connections()[0]!.id);
  await until(() => gateway.connections()[0]?.id === 'connection-2' && gateway.connections()[0]!.tools.length === 1);
  await client.connect();
  expect(client.sessionId).toBe(session);
  expect((await client.chat('go')).text).toBe('ok');
  expect(server.chats.at(-1)!.body).toMatchObject({ temperature: 0 });
  expect(
    server.chats
      .at(-2)!
      .body.messages.map(({ content }) => content)
      .slice(1),
  ).toEqual(['hello', 'ok', 'go']);
  expect(states).toEqual(['connecting', 'connected', 'waiting', 'connecting', 'connected']);
  // A session that has gone meanwhile is no reason not to come back.
  gateway.endSession(session!);
  gateway.disconnect('connection-2');
  await until(() => gateway.connections()[0]?.id === 'connection-3');
  await client.connect();
  expect((await client.chat('hello')).text).toBe('ok');
});

/** What can go wrong with the calls of a turn, and what goes right (docs/protocols/gateway.md). */
import { describe, expect, test } from 'vitest';

import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { parseExactly } from '../../../../src-core/base/exactNumber.ts';
import type { JsonObject } from '../../../../src-core/base/json.ts';
import { askedClient, callbacks, resultOf as result } from './support/askedClient.ts';
import { openGateway, type OpenGatewayOptions } from './support/openGateway.ts';
import { inShort } from './support/testClient.ts';
import { ask, clientTool, register } from './support/wording.ts';

const integer = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };

const failures: [string, OpenGatewayOptions, string, RegExp][] = [
  ['a tool that nobody has', { turns: [{ toolCalls: [{ name: 'make_coffee' }] }] }, 'TOOL_NOT_FOUND', /does not exist/],
  [
    'a tool that nobody has, beside one that somebody has: nothing is run',
    { turns: [{ toolCalls: [{ name: 'get_location' }, { name: 'f', arguments: { n: 1 } }, { name: 'nothing' }] }] },
    ...(['TOOL_NOT_FOUND', /does not exist/] as const),
  ],
  [
    'broken arguments for a client tool, twice',
    {
      turns: Array<object>(2).fill({
        toolCalls: [{ name: 'f', arguments: '{"n":' }],
      }),
    },
    ...(['INVALID_TOOL_PARAMETERS', /wrong arguments to "f"/] as const),
  ],
  [
    'arguments that are a list, twice',
    {
      turns: Array<object>(2).fill({
        toolCalls: [{ name: 'f', arguments: '[1]' }],
      }),
    },
    ...(['INVALID_TOOL_PARAMETERS', /wrong arguments to "f"/] as const),
  ],
  [
    'arguments that do not fit the schema of a client tool, twice',
    {
      turns: Array<object>(2).fill({
        toolCalls: [{ name: 'f', arguments: { n: 'many' } }],
      }),
    },
    ...(['INVALID_TOOL_PARAMETERS', /wrong arguments to "f"/] as const),
  ],
  [
    'more calls at once than anybody can mean',
    { turns: [{ toolCalls: Array.from({ length: 65 }, () => ({ name: 'get_location' })) }] },
    ...(['LLM_ERROR', /Failed to process/] as const),
  ],
];

test.each(failures)('%s: one error ends the turn, and the next works', async (_, options, code, words) => {
  const turns = [...(options.turns as object[]), { text: 'fine' }];
  const { client } = await askedClient({ ...options, turns }, clientTool('f', integer));
  const messages = await client.upTo('idle');
  expect(inShort(messages)).toEqual(['status:processing', `error:${code}`, 'status:idle']);
  expect(messages[1]!['message']).toMatch(words);
  client.send(ask('again'));
  expect(inShort(await client.upTo('idle'))).toEqual(['status:processing', 'llm_response', 'status:idle']);
});

test('success: false ends the turn with one error; the other calls of the round are cancelled', async () => {
  const { client } = await askedClient(
    { turns: [{ toolCalls: [{ name: 'a' }, { name: 'b' }] }, { text: 'fine' }] },
    clientTool('a'),
    clientTool('b'),
  );
  const [a, b] = await callbacks(client, 2);
  client.send(result(b!, { success: false, result: null, error: '设备连接超时' }));
  const messages = await client.upTo('idle');
  expect(inShort(messages)).toEqual(['error:TOOL_EXECUTION_FAILED', 'status:idle']);
  expect(messages[0]!['details']).toBe('设备连接超时');
  client.send(result(a!, { result: 1 }));
  client.send(ask('again'));
  expect(inShort(await client.upTo('idle'))).toEqual([
    ...['error:INVALID_MESSAGE', 'status:processing', 'llm_response', 'status:idle'],
  ]);
});

test('whole numbers beyond 2^53 are exact: in a client’s schema, its callback, and what the model is told', async () => {
  const big = '9007199254740993';
  const schema = parseExactly(`{"type":"object","properties":{"n":{"type":"integer","minimum":${big}}}}`) as JsonObject;
  const turns = [{ toolCalls: [{ name: 'f', arguments: `{"n":${big}}` }] }, { text: 'fine' }];
  const { client, bench } = await askedClient({ turns }, clientTool('f', schema));
  const frames: string[] = [];
  client.socket.on('message', (data) => frames.push((data as Buffer).toString()));
  const [callback] = await callbacks(client, 1);
  expect(frames.find((frame) => frame.includes('tool_callback'))).toContain(`"arguments":{"n":${big}}`);
  client.send(
    `{"type":"tool_result","call_id":${JSON.stringify(callback!['call_id'])},"success":true,"result":{"id":${big}}}`,
  );
  await client.upTo('idle');
  expect(bench.server.chats[1]!.body.messages.at(-1)!.content).toContain(big);
  client.send(`{"type":"tools_registered","count":${big}}`);
  expect(inShort(await client.upTo('error'))).toEqual(['error:UNKNOWN_MESSAGE_TYPE']);
});

test.each([
  ['an unknown tool', { name: 'nothing' }, undefined],
  ['a failed one', { name: 'f', arguments: { n: 1 } }, { success: false, error: 'no luck' }],
  ['wrong arguments', { name: 'f', arguments: {} }, undefined],
])('tells the model of %s and continues if the setting is on', async (_, call, answer) => {
  const { client, bench } = await askedClient(
    { settings: { tellModelOfFailures: true }, turns: [{ toolCalls: [call] }, { text: 'sorry' }] },
    clientTool('f', integer),
  );
  if (answer !== undefined) client.send(result((await callbacks(client, 1))[0]!, answer));
  expect(inShort(await client.upTo('idle')).slice(-2)).toEqual(['llm_response', 'status:idle']);
  expect(bench.server.chats[1]!.body.messages.at(-1)!.content).toMatch(/^Error: /);
});

test.each<[unknown, string]>([
  ['text', 'text'],
  ['', ''],
  [85.5, '85.5'],
  [0, '0'],
  [false, 'false'],
  [null, 'null'],
  [[1, [2]], '[1,[2]]'],
  [{ a: { b: '中文' } }, '{"a":{"b":"中文"}}'],
  [undefined, 'null'],
])('a result %j reaches the model as %j', async (value, text) => {
  const { client, bench } = await askedClient(
    { turns: [{ toolCalls: [{ name: 'f' }] }, { text: 'ok' }] },
    clientTool('f'),
  );
  client.send(result((await callbacks(client, 1))[0]!, { result: value }));
  await client.upTo('idle');
  expect(bench.server.chats[1]!.body.messages.at(-1)!.content).toBe(text);
});

describe('whose call it is', () => {
  test('another connection cannot answer it; success that is not a boolean leaves it waiting; twice is once too often', async () => {
    const { client, bench } = await askedClient(
      { turns: [{ toolCalls: [{ name: 'f' }] }, { text: 'ok' }] },
      clientTool('f'),
    );
    const [callback] = await callbacks(client, 1);
    const other = await bench.connect();
    other.send(register(clientTool('f')));
    await other.upTo('tools_registered');
    other.send(result(callback!, { result: 'stolen' }));
    expect(inShort([await other.next()])).toEqual(['error:INVALID_MESSAGE']);
    for (const success of ['true', 1, null]) {
      client.send(result(callback!, { success }));
      expect(inShort([await client.next()])).toEqual(['error:INVALID_MESSAGE']);
    }
    client.send(result(callback!, { result: 'mine' }));
    client.send(result(callback!, { result: 'again' }));
    const messages = await client.upTo('idle');
    expect(inShort(messages).sort()).toEqual(['error:INVALID_MESSAGE', 'llm_response', 'status:idle']);
    expect(bench.server.chats[1]!.body.messages.at(-1)!.content).toBe('mine');
  });

  test('results may come in any order; each reaches the call it is for', async () => {
    const names = ['a', 'b', 'c'];
    const { client, bench } = await askedClient(
      { turns: [{ toolCalls: names.map((name) => ({ name })) }, { text: 'ok' }] },
      ...names.map((name) => clientTool(name)),
    );
    const taken = await callbacks(client, 3);
    for (const callback of taken.toReversed()) client.send(result(callback, { result: callback['tool_name'] }));
    await client.upTo('idle');
    expect(bench.server.chats[1]!.body.messages.slice(-3).map(({ content }) => content)).toEqual(names);
  });
});

test('passes 64 results at once through a queue of one without loss', async () => {
  const count = 64;
  const { client, bench } = await askedClient(
    {
      settings: { clientToolResultQueueSize: 1 },
      turns: [
        { toolCalls: Array.from({ length: count }, (_, n) => ({ name: 'f', arguments: { n } })) },
        { text: 'ok' },
      ],
    },
    clientTool('f', integer),
  );
  const taken = await callbacks(client, count);
  for (const callback of taken) client.send(result(callback, { result: callback['arguments'] }));
  expect(inShort(await client.upTo('idle'))).toEqual(['llm_response', 'status:idle']);
  const told = bench.server.chats[1]!.body.messages.slice(-count).map(({ content }) => String(content));
  expect(told).toEqual(taken.map((_, n) => `{"n":${n}}`));
});

describe('server tools', () => {
  test.each([
    ['wrong arguments', { name: 'get_weather', arguments: {} }, /city/],
    ['broken arguments', { name: 'get_weather', arguments: '{"city' }, /not valid JSON/],
    ['a refusal of its own', { name: 'get_weather', arguments: { city: '北京', date: '明天' } }, /YYYY-MM-DD/],
  ])('%s: tool_call with success false, and the model is told', async (_, call, words) => {
    const { client, bench } = await askedClient({ turns: [{ toolCalls: [call] }, { text: 'sorry' }] });
    const messages = await client.upTo('idle');
    expect(inShort(messages)).toEqual(['status:processing', 'tool_call', 'llm_response', 'status:idle']);
    expect(messages[1]).toMatchObject({ success: false, result: { error: expect.stringMatching(words) as string } });
    expect(bench.server.chats[1]!.body.messages.at(-1)!.content).toMatch(words);
  });

  test('empty argument text means no arguments', async () => {
    const { client } = await askedClient({
      turns: [{ toolCalls: [{ name: 'get_location', arguments: '' }] }, { text: 'ok' }],
    });
    expect((await client.upTo('idle'))[1]).toMatchObject({ type: 'tool_call', success: true, arguments: {} });
  });

  test('are not offered if MCP is off, and then their names are free', async () => {
    const { client, bench } = await askedClient(
      { settings: { mcpEnabled: false }, turns: [{ text: 'ok' }] },
      clientTool('get_weather'),
    );
    await client.upTo('idle');
    expect(bench.server.chats[0]!.body.tools!.map((tool) => tool.function.name)).toEqual(['get_weather']);
  });
});

test('parallel calls that all stream with index 0 stay apart', async () => {
  const { client } = await askedClient(
    { turns: [{ sameIndex: true, toolCalls: [1, 2].map((n) => ({ name: 'f', arguments: { n } })) }, { text: 'ok' }] },
    clientTool('f', integer),
  );
  const taken = await callbacks(client, 2);
  expect(taken.map((callback) => callback['arguments'])).toEqual([{ n: 1 }, { n: 2 }]);
  for (const callback of taken) client.send(result(callback));
  await client.upTo('idle');
});

test('a model that never stops: ten rounds, then LLM_ERROR', async () => {
  const { client, bench } = await askedClient({ turns: () => ({ toolCalls: [{ name: 'get_location' }] }) });
  const messages = inShort(await client.upTo('idle'));
  expect(messages.filter((type) => type === 'tool_call')).toHaveLength(10);
  expect(messages.slice(-2)).toEqual(['error:LLM_ERROR', 'status:idle']);
  expect(bench.server.chats).toHaveLength(11);
});

test('a client that vanishes mid-call: the model is asked nothing more, and nothing is left', async () => {
  const ended: unknown[] = [];
  const { client, bench } = await askedClient(
    {
      turns: [{ toolCalls: [{ name: 'f' }] }, { text: 'to nobody' }],
      callPolicy: () => ({ onCallEnd: ({ result }) => void ended.push(result.error?.code) }),
    },
    clientTool('f'),
  );
  await callbacks(client, 1);
  client.socket.terminate();
  await bench.until(() => bench.events.some(({ message }) => message === 'turn ended'));
  expect(bench.events.at(-1)).toMatchObject({ how: 'the client left', rounds: 0 });
  expect(ended.length).toBe(1);
  expect(bench.server.chats).toHaveLength(1);
  expect(bench.gateway.connections()).toEqual([]);
  expect(bench.gateway.sessionMessages(client.sessionId)).toEqual([]);
});

test('a tool that is switched off during a turn is in the list of its next round no more', async () => {
  const toolToggles: Record<string, boolean> = {};
  const bench = await openGateway({
    turns: ({ tools = [] }, index) => {
      const names = tools.map((tool) => tool.function.name);
      if (index > 0) return { text: names.join(' ') };
      expect(names).toContain('lamp_blink');
      return { toolCalls: [{ name: 'lamp_blink' }] };
    },
    callPolicy: () => ({ config: { toolToggles } }),
    settings: { offerOtherTools: true },
  });
  bench.toolRegistryManager.register(
    defineToolRegistry({
      id: 'lamp',
      name: 'Lamp',
      source: { kind: 'device', id: 'lamp', label: 'Lamp' },
      methods: [
        {
          name: 'blink',
          description: 'Once.',
          agentCallable: true,
          inputSchema: { type: 'object' },
          handler: () => ((toolToggles['lamp'] = false), 'blinked'),
        },
      ],
    }),
  );
  const client = await bench.connect();
  client.send(ask('blink'));
  const messages = await client.upTo('idle');
  expect(inShort(messages)).toEqual(['status:processing', 'tool_call', 'llm_response', 'status:idle']);
  expect(messages[2]!['content']).not.toContain('lamp_blink');
});

test('a client that vanishes while the model thinks: the request to the model is hung up', async () => {
  const { client, bench } = await askedClient({ turns: [{ fault: 'no-answer' }] });
  const request = await bench.server.chat(0);
  client.socket.terminate();
  expect(await request.closed).toBe('hung up');
});

test("other sources' tools are offered if the setting says so, and what is dangerous asks first", async () => {
  const asks: unknown[] = [];
  const options: OpenGatewayOptions = {
    turns: ({ tools = [] }, index) =>
      index % 2 === 1
        ? { text: tools.map((tool) => tool.function.name).join(' ') }
        : { toolCalls: [{ name: 'lamp_self_switch_off' }] },
    callPolicy: () => ({
      onBeforeExecute: (_, call) => (asks.push(call.danger), { allowed: false, reason: 'not now' }),
    }),
    settings: { offerOtherTools: true },
  };
  const bench = await openGateway(options);
  bench.toolRegistryManager.register(
    defineToolRegistry({
      id: 'lamp',
      name: 'Lamp',
      source: { kind: 'device', id: 'lamp', label: 'Lamp' },
      methods: [
        {
          name: 'self.switch_off',
          description: 'Off.',
          agentCallable: true,
          inputSchema: { type: 'object' },
          danger: 'It gets dark.',
          handler: () => 'off',
        },
        { name: 'hidden', description: '', agentCallable: false, inputSchema: {}, handler: () => 'never' },
      ],
    }),
  );
  const [client, other] = [await bench.connect(), await bench.connect()];
  other.send(register(clientTool('others')));
  await other.upTo('tools_registered');
  client.send(ask('dark, please'));
  const messages = await client.upTo('idle');
  expect(inShort(messages)).toEqual(['status:processing', 'tool_call', 'llm_response', 'status:idle']);
  expect(messages[1]).toMatchObject({ tool_name: 'lamp_self.switch_off', success: false });
  expect(JSON.stringify(messages[1]!['result'])).toMatch(/not now/);
  expect(asks).toEqual(['It gets dark.']);
  const offered = String(messages[2]!['content']).split(' ');
  expect(offered).toContain('lamp_self_switch_off');
  expect(offered.filter((name) => /hidden|others/.test(name))).toEqual([]);
  bench.settings.offerOtherTools = false;
  client.send(ask('again'));
  expect(inShort(await client.upTo('idle'))).toContain('error:TOOL_NOT_FOUND');
});

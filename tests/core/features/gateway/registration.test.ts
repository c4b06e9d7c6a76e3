/** `register_tools` and what comes of it (docs/protocols/gateway.md). */
import { expect, test } from 'vitest';

import { createToolDiscoveryService } from '../../../../src-core/engine/discovery.ts';
import { executeSingleRequest } from '../../../../src-core/engine/executor.ts';
import { createProtocolRegistry } from '../../../../src-core/protocols/registry.ts';
import type { RegisteredTool } from '../../../../src-core/features/gateway/messages.ts';
import { openGateway } from './support/openGateway.ts';
import type { TestClient } from './support/testClient.ts';
import { inShort } from './support/testClient.ts';
import { ask, clientTool, register } from './support/wording.ts';

async function registered(
  client: TestClient,
  ...tools: unknown[]
): Promise<{ count: number; tools: RegisteredTool[] }> {
  client.send(register(...tools));
  const message = await client.next();
  expect(message.type).toBe('tools_registered');
  // Of that type, it has these.
  return message as unknown as { count: number; tools: RegisteredTool[] };
}

test('accepts and refuses names by the naming rule', async () => {
  const { connect } = await openGateway();
  const client = await connect();
  const good = ['get_battery', 'device.light.turn_on', '_a', 'A1', 'a.1', `a${'b'.repeat(63)}`];
  const bad = ['1tool', 'tool.', 'tool..name', '.tool', '', ' a', 'a-b', 'a b', '工具', `a${'b'.repeat(64)}`, 'a\n'];
  const answer = await registered(client, ...[...good, ...bad].map((name) => clientTool(name)));
  expect(answer.count).toBe(good.length);
  expect(answer.tools.map(({ status }) => status)).toEqual([
    ...good.map(() => 'registered'),
    ...bad.map(() => 'failed'),
  ]);
  expect(answer.tools.at(-1)!.error).toMatch(/Invalid tool name/);
});

test.each<[string, unknown, RegExp]>([
  ['no object', 'get_battery', /must be an object/],
  ['no name', { description: 'a', parameters: {} }, /name is missing/],
  ['no description', { name: 'a', parameters: {} }, /description is missing/],
  ['a blank description', { name: 'a', description: ' ', parameters: {} }, /description is missing/],
  ['no parameters', { name: 'a', description: 'a' }, /parameters are missing/],
  ['parameters that are a list', clientTool('a', []), /must be an object/],
  ['parameters of another type', clientTool('a', { type: 'string' }), /"type" must be "object"/],
  ['properties that are a list', clientTool('a', { type: 'object', properties: [] }), /at #\/properties is not valid/],
  ['a property that is a text', clientTool('a', { properties: { b: 'integer' } }), /at #\/properties\/b is not valid/],
  [
    'an unknown type',
    clientTool('a', { properties: { b: { type: 'string|number' } } }),
    /#\/properties\/b\/type is not/,
  ],
  ['a minimum that is a text', clientTool('a', { properties: { b: { minimum: 'zero' } } }), /b\/minimum is not valid/],
  ['an enum that is a text', clientTool('a', { properties: { b: { enum: 'no' } } }), /b\/enum is not valid/],
  ['an empty enum', clientTool('a', { properties: { b: { enum: [] } } }), /b\/enum is not valid/],
  [
    'a pattern that is a number, deep in the schema',
    clientTool('a', {
      properties: { b: { items: { anyOf: [{ pattern: 5 }] } } },
    }),
    /#\/properties\/b\/items\/anyOf\/0\/pattern is not valid/,
  ],
  ['required that is a text', clientTool('a', { required: 'b' }), /"required" must be an array/],
  ['a server tool of that name', clientTool('get_weather'), /Tool name already exists/],
])('%s fails, in its place, and the others do not', async (_, tool, words) => {
  const { connect } = await openGateway();
  const client = await connect();
  const { count, tools } = await registered(client, clientTool('before'), tool, clientTool('after'));
  expect(count).toBe(2);
  expect(tools.map(({ name }) => name)).toEqual(['before', (tool as { name?: string }).name ?? '', 'after']);
  expect(tools[1]).toMatchObject({ status: 'failed', error: expect.stringMatching(words) as string });
  expect(tools[0]).toEqual({ name: 'before', status: 'registered' });
});

test.each([
  ['a pattern without the u flag', { b: { type: 'string', pattern: '^[\\w-.]+$' } }],
  [
    'keywords of other dialects',
    {
      b: {
        $recursiveRef: '#',
        exclusiveMinimum: true,
        minimum: 0,
        nullable: true,
      },
    },
  ],
  ['unknown keywords and formats', { b: { type: 'string', format: 'phone', 'x-vendor': { minimum: 'zero' } } }],
  ['items as a list', { b: { type: 'array', items: [{ type: 'string' }], examples: [] } }],
  ['a schema that is true', { b: true }],
])('%s is registered', async (_, properties) => {
  const { connect } = await openGateway();
  const answer = await registered(await connect(), clientTool('a', { type: 'object', properties }));
  expect(answer).toMatchObject({ count: 1, tools: [{ status: 'registered' }] });
});

test('a name twice in a request, and again in the next: the first stays', async () => {
  const { connect, gateway } = await openGateway();
  const client = await connect();
  const twice = await registered(client, clientTool('a'), clientTool('a'));
  expect(twice).toMatchObject({ count: 1, tools: [{ status: 'registered' }, { error: 'Tool name already exists' }] });
  expect(await registered(client, clientTool('a'), clientTool('b'))).toMatchObject({
    count: 1,
    tools: [{ status: 'failed', error: 'Tool name already exists' }, { status: 'registered' }],
  });
  expect(gateway.connections()[0]!.tools).toEqual(['a', 'b']);
  // Another connection has its own names.
  expect(await registered(await connect(), clientTool('a'))).toMatchObject({ count: 1 });
});

test('32 tools a connection, not one more', async () => {
  const { connect } = await openGateway();
  const client = await connect();
  const all = Array.from({ length: 33 }, (_, index) => clientTool(`tool_${index}`));
  const { count, tools } = await registered(client, ...all);
  expect(count).toBe(32);
  expect(tools[32]).toEqual({
    name: 'tool_32',
    status: 'failed',
    error: 'Too many tools: at most 32 for a connection',
  });
});

test('switched off, the whole request fails', async () => {
  const { connect } = await openGateway({ settings: { clientToolsEnabled: false } });
  const client = await connect();
  client.send(register(clientTool('a')));
  expect(inShort([await client.next()])).toEqual(['error:TOOL_REGISTRATION_FAILED']);
});

test('dotted names: a.b and a_b stay two for the model, callbacks carry the registered name', async () => {
  const parameters = { type: 'object', properties: { on: { type: 'boolean', default: true } }, 'x-vendor': [1] };
  const { connect, server } = await openGateway({
    turns: ({ tools = [] }, index) => {
      const own = tools.map((tool) => tool.function.name).filter((name) => /light/.test(name));
      return index < 2 ? { toolCalls: [{ name: own[index]! }] } : { text: own.join(' ') };
    },
  });
  const client = await connect();
  await registered(client, clientTool('device.light', parameters), clientTool('device_light'));
  client.send(ask('light'));
  const called: unknown[] = [];
  for (let index = 0; index < 2; index += 1) {
    const callback = (await client.upTo('tool_callback')).at(-1)!;
    called.push(callback['tool_name']);
    client.send({ type: 'tool_result', call_id: callback['call_id'], success: true, result: index });
  }
  const [answer] = await client.upTo('llm_response');
  const offered = String(answer!['content']).split(' ');
  expect(called).toEqual(['device.light', 'device_light']);
  expect(new Set(offered).size).toBe(2);
  for (const name of offered) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  const sent = server.chats[0]!.body.tools!.find((tool) => tool.function.name === offered[0])!.function;
  expect(sent).toMatchObject({ description: 'Does device.light.', parameters });
});

test('the tools of a connection show in Discovery, can be called by hand, and leave with it', async () => {
  const { connect, toolRegistryManager, until, gateway } = await openGateway();
  const discovery = createToolDiscoveryService({ toolRegistryManager, protocols: createProtocolRegistry() });
  const client = await connect();
  const ids = (): string[] => discovery.getDiscoveredMethods(() => true).map(({ toolId }) => toolId);
  expect(ids()).toEqual(['llm-gateway']);
  await registered(client, clientTool('a.b', { type: 'object', properties: { n: { type: 'integer' } } }));
  expect(ids()).toEqual(['llm-gateway', 'gateway-client-1']);

  const byHand = (args: { n: number | string }, signal?: AbortSignal) =>
    executeSingleRequest(
      { toolName: 'gateway-client-1_a.b', args },
      { toolRegistryManager, caller: 'user', ...(signal && { signal }) },
    );
  expect((await byHand({ n: 'one' })).error?.code).toBe('invalid-arguments');
  const answered = byHand({ n: 1 });
  const callback = await client.next();
  expect(callback).toMatchObject({ type: 'tool_callback', tool_name: 'a.b', arguments: { n: 1 } });
  client.send({ type: 'tool_result', call_id: callback['call_id'], success: true, result: { m: 2 } });
  expect(await answered).toMatchObject({ status: 'success', result: '{"m":2}' });

  const failing = byHand({ n: 2 });
  client.send({
    type: 'tool_result',
    call_id: (await client.next())['call_id'],
    success: false,
    error: '设备连接超时',
  });
  expect((await failing).error).toMatchObject({ code: 'tool-error', message: '设备连接超时' });

  const cancel = new AbortController();
  const cancelled = byHand({ n: 3 }, cancel.signal);
  const { call_id: callId } = await client.next();
  cancel.abort();
  expect((await cancelled).error?.code).toBe('cancelled');
  client.send({ type: 'tool_result', call_id: callId, success: true });
  expect(inShort([await client.next()])).toEqual(['error:INVALID_MESSAGE']);

  const cut = byHand({ n: 4 });
  await client.next();
  client.socket.terminate();
  expect((await cut).error?.code).toBe('disconnected');
  await until(() => gateway.connections().length === 0);
  expect(ids()).toEqual(['llm-gateway']);
  expect((await byHand({ n: 5 })).error).toMatchObject({
    code: 'disconnected',
    details: { leftMs: expect.any(Number) },
  });
  await registered(await connect(), clientTool('c'));
  expect(ids()).toEqual(['llm-gateway', 'gateway-client-1']);
});

test('tools of a connection have 1 MiB together, over all its messages', async () => {
  const { connect } = await openGateway();
  const client = await connect();
  const large = (name: string): object => ({ ...clientTool(name), description: 'x'.repeat(600_000) });
  expect((await registered(client, large('one'))).count).toBe(1);
  const { count, tools } = await registered(client, large('two'), clientTool('three'));
  expect(count).toBe(1);
  expect(tools[0]?.error).toContain('Tools too large');
});

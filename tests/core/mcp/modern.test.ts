import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

import { expect, onTestFinished, test, vi } from 'vitest';

import { exactNumber } from '../../../src-core/base/exactNumber.ts';
import type { McpConnection, ServerEndpoint } from '../../../src-core/mcp/types.ts';
import { callOptions, connect, never } from './connectedServer.ts';
import { fakeDeadlines } from './fakeDeadlines.ts';
import { serveModern, type ModernRequest, type ModernServer } from './modernServer.ts';

function endpointOf({ url }: ModernServer): ServerEndpoint {
  return { type: 'http', url, headers: {} };
}

async function connectTo(server: ModernServer, options: Parameters<typeof connect>[1] = {}): Promise<McpConnection> {
  return connect(endpointOf(server), options);
}

const stateOf = ({ params }: ModernRequest): unknown => params['requestState'];

test('a modern server: who it is, and what each request says of the client', async () => {
  const server = await serveModern(() => undefined);
  const connection = await connectTo(server, { handlers: { elicit: () => Promise.resolve({ action: 'decline' }) } });
  expect(connection).toMatchObject({ era: 'modern', revision: '2026-07-28', serverInfo: { name: 'modern' } });
  await connection.callTool('x', { a: 1 }, callOptions());
  const { message, headers } = server.received.at(-1) as ModernServer['received'][0];
  expect(message.params._meta).toMatchObject({
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'toolwire', version: '0' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {}, url: {} } },
  });
  expect([headers.get('mcp-protocol-version'), headers.get('mcp-method'), headers.get('mcp-name')]).toEqual([
    '2026-07-28',
    'tools/call',
    'x',
  ]);
});

test('content of an unknown type and an answer without resultType are kept in the modern era as well', async () => {
  const content = [{ type: 'hologram' }];
  const server = await serveModern(({ method, id }) =>
    method === 'tools/call' ? Response.json({ jsonrpc: '2.0', id, result: { content } }) : undefined,
  );
  const connection = await connectTo(server);
  expect((await connection.callTool('x', {}, callOptions())).content).toEqual(content);
});

test('a call of two rounds: the questions are answered, and the state returns as it came', async () => {
  const state = '{"n": 9007199254740993,  "ä":"\\u0000"} ';
  const server = await serveModern(({ method, params }) => {
    if (method !== 'tools/call') return undefined;
    if (params['requestState'] === undefined)
      return {
        resultType: 'input_required',
        requestState: state,
        inputRequests: {
          name: {
            method: 'elicitation/create',
            params: { message: 'Name?', requestedSchema: { type: 'object', properties: {} } },
          },
        },
      };
    if (params['requestState'] === state)
      return {
        resultType: 'input_required',
        requestState: 'second',
        inputRequests: { roots: { method: 'roots/list' } },
      };
    return { content: [{ type: 'text', text: JSON.stringify(params['inputResponses']) }] };
  });
  const asked: string[] = [];
  const connection = await connectTo(server, {
    handlers: {
      elicit: ({ message }) => {
        asked.push(message);
        return Promise.resolve({ action: 'accept', content: { name: 'Ada' } });
      },
      listRoots: () => Promise.resolve([{ uri: 'file:///tmp' }]),
    },
  });
  const { content } = await connection.callTool('x', { a: 1 }, callOptions());
  expect(content).toEqual([{ type: 'text', text: '{"roots":{"roots":[{"uri":"file:///tmp"}]}}' }]);
  expect(asked).toEqual(['Name?']);
  const calls = server.received.filter(({ message }) => message.method === 'tools/call').map(({ message }) => message);
  expect(calls.map(stateOf)).toEqual([undefined, state, 'second']);
  expect(calls.map(({ params }) => params['arguments'])).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }]);
  expect(calls[1]?.params['inputResponses']).toEqual({ name: { action: 'accept', content: { name: 'Ada' } } });
  expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
});

test('a server that asks without end is stopped at the bound', async () => {
  const server = await serveModern(({ method }) =>
    method === 'tools/call' ? { resultType: 'input_required', requestState: 'again' } : undefined,
  );
  const connection = await connectTo(server, { maxInputRounds: 3 });
  await expect(connection.callTool('x', {}, callOptions())).rejects.toMatchObject({ code: 'too-many-rounds' });
  expect(server.received.filter(({ message }) => message.method === 'tools/call')).toHaveLength(4);
});

test('a question that was not declared fails the call', async () => {
  const inputRequests = { s: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } } };
  const server = await serveModern(({ method }) =>
    method === 'tools/call' ? { resultType: 'input_required', inputRequests } : undefined,
  );
  const connection = await connectTo(server);
  await expect(connection.callTool('x', {}, callOptions())).rejects.toMatchObject({ code: 'unsupported' });
});

test('a form with fields of kinds that the revision does not have is asked', async () => {
  const properties = { a: { type: 'string', format: 'password' }, b: { type: ['string', 'null'] }, c: { anyOf: [{}] } };
  const inputRequests = {
    f: { method: 'elicitation/create', params: { message: '?', requestedSchema: { type: 'object', properties } } },
  };
  const server = await serveModern(({ method, params }) =>
    method !== 'tools/call'
      ? undefined
      : params?.['inputResponses']
        ? { content: [] }
        : { resultType: 'input_required', inputRequests },
  );
  const asked: unknown[] = [];
  const elicit = (request: unknown): Promise<{ action: 'decline' }> => {
    asked.push(request);
    return Promise.resolve({ action: 'decline' });
  };
  const connection = await connectTo(server, { handlers: { elicit } });
  await connection.callTool('x', {}, callOptions());
  expect(asked).toMatchObject([{ requestedSchema: { properties } }]);
});

/** A form without fields. */
const form = {
  method: 'elicitation/create',
  params: { message: '?', requestedSchema: { type: 'object', properties: {} } },
};

test.each([
  ['elicitation/create', { mode: 'form' }],
  ['elicitation/create', { message: { toString: 1 }, requestedSchema: { type: 'object', properties: {} } }],
  ['elicitation/create', { message: '?', requestedSchema: 'x' }],
  ['elicitation/create', { message: '?', requestedSchema: { type: 'object', properties: { a: 'x' } } }],
  ['elicitation/create', { mode: 'url', message: '?' }],
  ['elicitation/create', { mode: 'voice', message: '?' }],
  ['sampling/createMessage', { maxTokens: 1 }],
  ['sampling/createMessage', { messages: [{ role: 'user', content: 'x' }], maxTokens: 'many' }],
])('a malformed question %s %j fails the call, and the others are withdrawn', async (method, params) => {
  const server = await serveModern((message) =>
    message.method === 'tools/call'
      ? { resultType: 'input_required', inputRequests: { form, bad: { method, params } } }
      : undefined,
  );
  const asked: AbortSignal[] = [];
  const connection = await connectTo(server, {
    handlers: {
      elicit: (_request, signal) => {
        asked.push(signal);
        return new Promise(() => undefined);
      },
      sample: () => expect.fail('The question is malformed.'),
    },
  });
  await expect(connection.callTool('x', {}, callOptions())).rejects.toMatchObject({
    code: 'invalid-answer',
    message: `The question "bad" is not a valid request ${method}.`,
  });
  expect(asked.map(({ aborted }) => aborted)).toEqual([true]);
});

test('a page to open needs no id', async () => {
  const url = { method: 'elicitation/create', params: { mode: 'url', message: 'Sign in', url: 'https://id.example' } };
  const server = await serveModern(({ method, params }) => {
    if (method !== 'tools/call') return undefined;
    return params['inputResponses'] ? { content: [] } : { resultType: 'input_required', inputRequests: { url } };
  });
  const asked: unknown[] = [];
  const elicit = (request: unknown): Promise<{ action: 'accept' }> => {
    asked.push(request);
    return Promise.resolve({ action: 'accept' });
  };
  const connection = await connectTo(server, { handlers: { elicit } });
  expect((await connection.callTool('x', {}, callOptions())).isError).toBe(false);
  expect(asked).toEqual([url.params]);
});

test('the time that the user needs for an answer does not count', async () => {
  const server = await serveModern(({ method, params }) => {
    if (method !== 'tools/call') return undefined;
    return params['inputResponses'] ? { content: [] } : { resultType: 'input_required', inputRequests: { form } };
  });
  const connection = await connectTo(server, {
    handlers: {
      elicit() {
        vi.advanceTimersByTime(600);
        return Promise.resolve({ action: 'cancel' });
      },
    },
  });
  fakeDeadlines();
  const call = connection.callTool('x', {}, callOptions({ timeoutMs: 400, maxTotalMs: 400 }));
  expect((await call).isError).toBe(false);
});

test('cancelling closes the stream and sends nothing', async () => {
  const server = await serveModern(({ method }) =>
    method === 'tools/call'
      ? new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } })
      : undefined,
  );
  const connection = await connectTo(server);
  const cancel = new AbortController();
  const call = connection.callTool('x', {}, callOptions({ signal: cancel.signal }));
  await expect.poll(() => server.received.at(-1)?.message.method).toBe('tools/call');
  cancel.abort();
  await expect(call).rejects.toMatchObject({ code: 'cancelled' });
  await expect.poll(() => server.received.at(-1)?.aborted).toBe(true);
  expect(server.received.some(({ message }) => message.method === 'notifications/cancelled')).toBe(false);
});

test('arguments are repeated as headers, and a tool with an invalid annotation is left out with the reason', async () => {
  const properties = {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    nested: { type: 'object', properties: { count: { type: 'integer', 'x-mcp-header': 'Count' } } },
    flag: { type: 'boolean', 'x-mcp-header': 'Flag' },
  };
  const number = { type: 'object', properties: { n: { type: 'number', 'x-mcp-header': 'N' } } };
  const inItems = {
    type: 'object',
    properties: { l: { type: 'array', items: { type: 'string', 'x-mcp-header': 'L' } } },
  };
  const tools = [
    { name: 'good', inputSchema: { type: 'object', properties } },
    { name: 'number', inputSchema: number },
    { name: 'items', inputSchema: inItems },
    { name: 'named', inputSchema: { type: 'object', properties: { 'x-mcp-header': { type: 'string' } } } },
    { name: 'long', inputSchema: { type: 'object', required: Array.from({ length: 200_000 }, () => 'a') } },
  ];
  const server = await serveModern(({ method }) => (method === 'tools/list' ? { tools } : undefined));
  const connection = await connectTo(server);
  const list = await connection.listTools(never);
  expect(list.tools.map(({ name }) => name)).toEqual(['good', 'named', 'long']);
  expect(list.faults.map(({ name, code }) => [name, code])).toEqual([
    ['number', 'invalid-header'],
    ['items', 'invalid-header'],
  ]);
  expect(list.faults[0]?.detail).toBe('n: x-mcp-header needs the type string, integer or boolean');
  const args = { region: ' Zürich', nested: { count: exactNumber('9007199254740993') }, flag: null };
  await connection.callTool('good', args, callOptions());
  const { headers } = server.received.at(-1) as ModernServer['received'][0];
  expect(headers.get('mcp-param-region')).toBe(`=?base64?${Buffer.from(' Zürich').toString('base64')}?=`);
  expect(headers.get('mcp-param-count')).toBe('9007199254740993');
  expect(headers.has('mcp-param-flag')).toBe(false);
});

test('an error with an HTTP status keeps its code', async () => {
  const error = { code: -32601, message: 'no such method', data: { a: 1 } };
  const server = await serveModern(({ method, id }) =>
    method === 'x/y' ? Response.json({ jsonrpc: '2.0', id, error }, { status: 404 }) : undefined,
  );
  const connection = await connectTo(server);
  await expect(connection.request('x/y', {}, callOptions())).rejects.toMatchObject({
    code: 'rpc',
    message: 'no such method',
    details: { rpcCode: -32601, data: { a: 1 }, status: 404 },
  });
});

test('subscriptions are one stream; one that drops is opened again, and the lists are announced', async () => {
  const server = await serveModern(() => undefined, {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
  });
  const connection = await connectTo(server);
  const events: string[] = [];
  connection.onListChanged((kind) => events.push(kind));
  connection.onResourceUpdated((uri) => events.push(uri));
  await Promise.all(['test://a', 'test://b'].map((uri) => connection.subscribe(uri, never)));
  await expect.poll(() => server.openStreams()).toBe(1);
  await connection.unsubscribe('test://b', never);
  const filters = (): unknown[] =>
    server.received
      .filter(({ message }) => message.method === 'subscriptions/listen')
      .map(({ message }) => message.params['notifications']);
  expect(filters().at(-1)).toEqual({
    toolsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ['test://a'],
  });
  server.notify('notifications/resources/updated', { uri: 'test://a' });
  server.notify('notifications/tools/list_changed');
  await expect.poll(() => events).toEqual(['test://a', 'tools']);
  events.length = 0;
  const before = filters().length;
  server.dropStreams();
  await expect.poll(() => filters().length).toBeGreaterThan(before);
  await expect.poll(() => events).toEqual(['tools', 'resources']);
  server.notify('notifications/resources/updated', { uri: 'test://a' });
  await expect.poll(() => events.at(-1)).toBe('test://a');
  await connection.unsubscribe('test://a', never);
  expect(filters().at(-1)).toEqual({ toolsListChanged: true, resourcesListChanged: true });
});

test('a stream that ends at once again and again is opened after longer and longer delays', async () => {
  const delays: unknown[] = [];
  const wait = vi.spyOn(timers, 'setTimeout').mockImplementation((ms, value) => {
    delays.push(ms);
    return Promise.resolve(value as never);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    wait.mockRestore();
    syncBuiltinESMExports();
  });
  const server = await serveModern(() => undefined, { tools: { listChanged: true } });
  const connection = await connectTo(server);
  let gaps = 0;
  connection.onListChanged(() => (gaps += 1));
  for (const count of [1, 2, 3]) {
    await expect.poll(() => server.openStreams()).toBe(1);
    server.dropStreams();
    await expect.poll(() => gaps).toBe(count);
  }
  expect(delays).toEqual([500, 1000, 2000]);
});

test('a stream that cannot be opened at first is tried again, and a refused resource leaves it as it was', async () => {
  let isBusy = true;
  const server = await serveModern(
    ({ method, id, params }) => {
      if (method !== 'subscriptions/listen') return undefined;
      if (isBusy) return new Response('', { status: 503 });
      const refusal = { jsonrpc: '2.0', id, error: { code: -32602, message: 'no such resource' } };
      return JSON.stringify(params).includes('test://bad') ? Response.json(refusal) : undefined;
    },
    { tools: { listChanged: true }, resources: { subscribe: true } },
  );
  const connection = await connectTo(server);
  const events: string[] = [];
  connection.onListChanged((kind) => events.push(kind));
  connection.onResourceUpdated((uri) => events.push(uri));
  await expect(connection.subscribe('test://a', never)).rejects.toThrow();
  isBusy = false;
  await expect.poll(() => events).toEqual(['tools', 'resources']);
  await expect(connection.subscribe('test://bad', never)).rejects.toThrow('no such resource');
  await connection.subscribe('test://a', never);
  server.notify('notifications/resources/updated', { uri: 'test://a' });
  await expect.poll(() => events).toEqual(['tools', 'resources', 'test://a']);
  server.dropStreams();
  await expect.poll(() => events.slice(3)).toEqual(['tools', 'resources']);
  expect(server.openStreams()).toBe(1);
});

test('the log level is sent with each request, and none when it is off', async () => {
  const server = await serveModern(({ method, params }) =>
    method === 'tools/call' ? { content: [{ type: 'text', text: JSON.stringify(params._meta) }] } : undefined,
  );
  const connection = await connectTo(server);
  const levelOf = async (): Promise<unknown> => {
    await connection.callTool('x', {}, callOptions());
    return server.received.at(-1)?.message.params._meta['io.modelcontextprotocol/logLevel'];
  };
  expect(await levelOf()).toBeUndefined();
  await connection.setLogLevel('warning', never);
  expect(await levelOf()).toBe('warning');
  await connection.setLogLevel('off', never);
  expect(await levelOf()).toBeUndefined();
});

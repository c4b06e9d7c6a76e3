import { spawn } from 'node:child_process';

import { expect, onTestFinished, test } from 'vitest';

import { exactNumber } from '../../../src-core/base/exactNumber.ts';
import type { SignInProvider } from '../../../src-core/mcp/auth/types.ts';
import type { ConnectFailure } from '../../../src-core/mcp/errors.ts';
import type { ConnectStep, ServerEndpoint } from '../../../src-core/mcp/types.ts';
import { findFreePort } from '../../../src-core/server/findFreePort.ts';
import { callOptions, connect, everything, never, program, rawServer } from './connectedServer.ts';
import { serveFetch } from './serveFetch.ts';
import { events, http, serveSessions, type Message } from './serveSessions.ts';

async function failure(endpoint: ServerEndpoint, options: Parameters<typeof connect>[1] = {}): Promise<ConnectFailure> {
  return connect(endpoint, options).then(
    () => expect.fail('It connected.'),
    (error: unknown) => error as ConnectFailure,
  );
}

async function serveEverything(kind: 'streamableHttp' | 'sse'): Promise<string> {
  const port = await findFreePort('127.0.0.1', 65_535);
  const { command, args } = program(everything, kind);
  const child = spawn(command, args, { env: { ...process.env, PORT: String(port) }, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}/${kind === 'sse' ? 'sse' : 'mcp'}`;
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/none`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(404);
  return url;
}

/** What a legacy server answers to `initialize`. */
const result = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 's', version: '1' },
};

test('everything has the same tools over stdio, Streamable HTTP and SSE', async () => {
  const sse: ServerEndpoint = { type: 'sse', url: await serveEverything('sse'), headers: {} };
  const endpoints = [program(everything), http(await serveEverything('streamableHttp')), sse];
  const lists = [];
  for (const endpoint of endpoints) {
    const connection = await connect(endpoint);
    expect([connection.era, connection.revision]).toEqual(['legacy', '2025-11-25']);
    lists.push((await connection.listTools(never)).tools);
    const echo = await connection.callTool('echo', { message: endpoint.type }, callOptions());
    expect(echo.content).toEqual([{ type: 'text', text: `Echo: ${endpoint.type}` }]);
  }
  expect(lists[0]).toHaveLength(13);
  expect(lists[1]).toEqual(lists[0]);
  expect(lists[2]).toEqual(lists[0]);
});

test('everything over HTTP: progress and log messages of a level', async () => {
  const messages: string[] = [];
  const connection = await connect(http(await serveEverything('streamableHttp')), {
    handlers: { log: ({ level }) => messages.push(level) },
  });
  const seen: number[] = [];
  const onProgress = ({ progress }: { progress: number }): void => void seen.push(progress);
  const options = callOptions({ onProgress });
  await connection.callTool('trigger-long-running-operation', { duration: 1, steps: 2 }, options);
  expect(seen).toEqual([1, 2]);
  await connection.setLogLevel('debug', never);
  await connection.callTool('toggle-simulated-logging', {}, callOptions());
  await expect.poll(() => messages.length).toBeGreaterThan(0);
});

test('integers that no double holds are kept in a JSON body and in events', async () => {
  const server = await serveSessions(({ id, params }) => {
    if (params?.['name'] !== 'stream') return '{"content":[],"structuredContent":{"id":9007199254740993}}';
    const result = '{"content":[],"structuredContent":[9007199254740993,"9007199254740993"]}';
    const lines = `: hello\r\n\r\nid: 1\nevent: message\ndata: {"jsonrpc":"2.0","id":${id},\ndata: "result":${result}}\n\n`;
    return new Response(lines, events);
  });
  const connection = await connect(http(server.url));
  const args = { id: exactNumber('9007199254740993') };
  const json = await connection.callTool('json', args, callOptions());
  expect(JSON.stringify(json.structuredContent)).toBe('{"id":9007199254740993}');
  const stream = await connection.callTool('stream', {}, callOptions());
  expect(JSON.stringify(stream.structuredContent)).toBe('[9007199254740993,"9007199254740993"]');
  const texts = connection.recording.frames.filter(({ text }) => text.includes('9007199254740993'));
  expect(texts.map(({ direction }) => direction)).toEqual(['out', 'in', 'in']);
});

/** A server of HTTP with SSE, by hand: each answer is an event on the one stream, or the response itself. */
async function serveSse(answer: (message: Message) => string | Response): Promise<ServerEndpoint & { type: 'sse' }> {
  const encoder = new TextEncoder();
  let stream: ReadableStreamDefaultController | undefined;
  const send = (event: string): void => stream?.enqueue(encoder.encode(`${event}\n\n`));
  const { url } = await serveFetch(async (request) => {
    if (request.method === 'GET') {
      const body = new ReadableStream({ start: (controller) => void (stream = controller) });
      send('event: endpoint\ndata: /messages');
      return new Response(body, events);
    }
    const message = (await request.json()) as Message;
    const { id, method, params } = message;
    const serverInfo = { name: 'sse', version: '1' };
    const initialized = { protocolVersion: params?.['protocolVersion'], capabilities: { tools: {} }, serverInfo };
    const accepted = new Response(null, { status: 202 });
    if (id === undefined) return accepted;
    const own = method === 'initialize' ? JSON.stringify({ jsonrpc: '2.0', id, result: initialized }) : answer(message);
    if (own instanceof Response) return own;
    send(`data: ${own}`);
    return accepted;
  });
  return { type: 'sse', url, headers: {} };
}

test('an answer over the bound fails its call alone, as JSON, as an event, and on the stream of SSE', async () => {
  const text = 'x'.repeat(20_000);
  const message = ({ id, params }: Message): string => {
    const content = params?.['name'] === 'small' ? [] : [{ type: 'text', text }];
    return JSON.stringify({ jsonrpc: '2.0', id, result: { content } });
  };
  const server = await serveSessions((sent) => {
    if (sent.method !== 'tools/call') return undefined;
    if (sent.params?.['name'] === 'json') return Response.json(JSON.parse(message(sent)));
    return new Response(`id: 7\ndata: ${message(sent)}\n\n`, events);
  });
  for (const endpoint of [http(server.url), await serveSse(message)]) {
    const connection = await connect(endpoint, { maxMessageBytes: 10_000, era: 'legacy' });
    const [json, event, small] = ['json', 'event', 'small'].map((name) => connection.callTool(name, {}, callOptions()));
    await expect(json).rejects.toMatchObject({ code: 'too-large' });
    await expect(event).rejects.toMatchObject({ code: 'too-large', details: { maxBytes: 10_000 } });
    expect((await small)?.isError).toBe(false);
  }
});

test('a message that an SSE server refuses and an invalid event do not affect other calls', async () => {
  const endpoint = await serveSse(({ id, method, params }) => {
    if (method === 'server/discover') return new Response('unknown', { status: 404 });
    const result = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } });
    if (params?.['name'] === 'junk') return '{"hello":1}';
    if (params?.['name'] === 'slow') return ': later';
    if (params?.['name'] === 'busy') return new Response('{"jsonrpc":"2.0","id":1}', { status: 500 });
    return result;
  });
  const connection = await connect(endpoint);
  expect(connection.era).toBe('legacy');
  const ending = new AbortController();
  const waiting = connection.callTool('slow', {}, callOptions({ signal: ending.signal }));
  const junk = connection.callTool('junk', {}, callOptions({ signal: ending.signal }));
  await expect(connection.callTool('busy', {}, callOptions())).rejects.toMatchObject({
    code: 'http',
    details: { status: 500 },
  });
  expect((await connection.callTool('echo', {}, callOptions())).isError).toBe(false);
  ending.abort();
  for (const call of [waiting, junk]) await expect(call).rejects.toMatchObject({ code: 'cancelled' });
});

test('a call that fails with a status has the first line of the body, without secrets and not cut within a word', async () => {
  const bodies = [
    '  no such table:\n notes; token=hidden',
    '<html><title>Bad gateway</title>',
    `${'word '.repeat(80)}`,
    '',
    'x'.repeat(400),
    'red\u202e\u001b green',
    JSON.stringify({ message: `${'找'.repeat(400)}` }),
  ];
  const { url } = await serveFetch(async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405 });
    const { id, method } = (await request.json()) as Message;
    if (method === 'tools/call') return new Response(bodies.shift(), { status: 500 });
    if (id === undefined) return new Response(null, { status: 202 });
    return Response.json({ jsonrpc: '2.0', id, result });
  });
  const connection = await connect(http(url), { era: 'legacy' });
  const messageOf = () => connection.callTool('x', {}, callOptions()).then(String, (error: Error) => error.message);
  const status = 'The server answered with the status 500';
  expect(await messageOf()).toBe(`${status}: "no such table: notes; token=***"`);
  expect(await messageOf()).toBe(`${status}: "Bad gateway"`);
  expect(await messageOf()).toBe(`${status}: "${'word '.repeat(60)}…"`);
  expect(await messageOf()).toBe(`${status}.`);
  expect(await messageOf()).toBe(`${status}.`);
  expect(await messageOf()).toBe(`${status}: "red green"`);
  expect(await messageOf()).toBe(`${status}: "{"message":"${'找'.repeat(289)}…"`);
});

test('a call to an SSE server that asks for a sign-in is sent again after it', async () => {
  let isSignedIn = false;
  const endpoint = await serveSse(({ id }) =>
    isSignedIn ? JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } }) : new Response('', { status: 401 }),
  );
  const authProvider: SignInProvider = {
    asksForMore: false,
    token: () => Promise.resolve('t'),
    secrets: () => [],
    wrapFetch: (fetch) => fetch,
    signIn: () => Promise.resolve(void (isSignedIn = true)),
  };
  const connection = await connect(endpoint, { era: 'legacy', authProvider });
  expect((await connection.callTool('x', {}, callOptions())).isError).toBe(false);
});

test('a first answer over the bound fails at once with the reason', async () => {
  for (const endpoint of [await serveSse(() => ''), rawServer()])
    expect(await failure(endpoint, { maxMessageBytes: 100, era: 'legacy' })).toMatchObject({
      code: 'message-too-large',
      params: { maxBytes: 100 },
    });
});

test('a request that is cut fails alone', async () => {
  const server = await serveSessions(({ params }) => {
    if (params?.['name'] !== 'cut') return undefined;
    const body = new ReadableStream({ start: (controller) => controller.error(new Error('cut')) });
    return new Response(body, { headers: { 'content-type': 'application/json' } });
  });
  const connection = await connect(http(server.url));
  await expect(connection.callTool('cut', {}, callOptions())).rejects.toMatchObject({ code: 'connection-lost' });
  expect((await connection.callTool('whole', {}, callOptions())).isError).toBe(false);
  expect(server.received.map(({ message }) => message.method)).toContain('ping');
});

test('a notification or a request over the bound fails no call', async () => {
  const server = await serveSessions(({ id, params }) => {
    if (params?.['name'] !== 'stream') return undefined;
    const data = 'x'.repeat(20_000);
    const log = { method: 'notifications/message', params: { level: 'info', data }, jsonrpc: '2.0' };
    const messages = [
      log,
      { ...log, method: 'sampling/createMessage', id },
      { id, jsonrpc: '2.0', result: { content: [] } },
    ];
    return new Response(messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join(''), events);
  });
  const connection = await connect(http(server.url), { maxMessageBytes: 10_000 });
  expect((await connection.callTool('stream', {}, callOptions())).isError).toBe(false);
  expect(connection.recording.notes.filter((note) => note.includes('was dropped'))).toHaveLength(2);
});

test('an answer that is nested too deeply fails its call alone', async () => {
  const server = await serveSessions(({ id, params }) => {
    const deep = `{"content":[],"structuredContent":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    if (params?.['name'] === 'json') return deep;
    if (params?.['name'] !== 'stream') return undefined;
    return new Response(`data: {"jsonrpc":"2.0","id":${id},"result":${deep}}\n\n`, events);
  });
  const connection = await connect(http(server.url));
  for (const name of ['json', 'stream'])
    await expect(connection.callTool(name, {}, callOptions())).rejects.toMatchObject({
      code: 'invalid-answer',
      message: 'The answer: It is nested more than 200 levels deep.',
    });
  expect((await connection.callTool('small', {}, callOptions())).isError).toBe(false);
});

test('a stream that the client opens is refused if it is not of events, and the body of a failure is bounded', async () => {
  const changed = 'data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n';
  const hidden = await serveSessions(
    undefined,
    () => new Response(changed, { headers: { 'content-type': 'text/plain' } }),
  );
  const connection = await connect(http(hidden.url));
  const changes: string[] = [];
  connection.onListChanged((kind) => changes.push(kind));
  await expect.poll(() => connection.recording.notes).toContain('note: The answer is not a stream of events.');
  expect(changes).toEqual([]);
  let sent = 0;
  let isClosed = false;
  const endless = await serveSessions(undefined, (request) => {
    request.signal.addEventListener('abort', () => void (isClosed = true));
    const pull = (controller: ReadableStreamDefaultController): void => {
      sent += 1;
      controller.enqueue(new Uint8Array(1024 * 1024));
    };
    return new Response(new ReadableStream({ pull }), { ...events, status: 500 });
  });
  const other = await connect(http(endless.url));
  await expect.poll(() => isClosed).toBe(true);
  expect(sent).toBeLessThan(32);
  expect((await other.listTools(never)).tools).toHaveLength(2);
});

test('a frame has its status and headers, without secrets', async () => {
  const server = await serveSessions();
  const connection = await connect(http(server.url, { Authorization: 'Bearer hidden-1', 'X-Team': 'hidden-2' }));
  await connection.listTools(never);
  expect(server.received.at(-1)?.headers.get('x-team')).toBe('hidden-2');
  const [out, answer] = connection.recording.frames.slice(-2);
  expect(out?.http).toMatchObject({ method: 'POST', headers: { authorization: '***', 'x-team': '***' } });
  expect(answer).toMatchObject({
    direction: 'in',
    http: { status: 200, headers: { 'content-type': 'application/json' } },
  });
  expect(JSON.stringify(connection.recording)).not.toContain('hidden');
});

test.each([
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [503, 'http-status'],
])('the status %d ends a connection in %s, and not in a legacy verdict', async (status, code) => {
  const methods: string[] = [];
  const { url } = await serveFetch(async (request) => {
    methods.push(((await request.json()) as Message).method);
    return new Response('token=secret-text', { status });
  });
  const error = await failure(http(url));
  expect(error).toMatchObject({ code, params: { status } });
  expect(methods).toEqual(['server/discover']);
  expect(JSON.stringify(error.params)).not.toContain('secret-text');
});

test('a 403 after the handshake quotes the body', async () => {
  const { url } = await serveFetch(async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405 });
    const { id, method } = (await request.json()) as Message;
    if (method === 'initialize') return Response.json({ jsonrpc: '2.0', id, result });
    if (method !== 'tools/list') return new Response(null, { status: 202 });
    return Response.json({ reason: 'No rights to list.' }, { status: 403 });
  });
  const connection = await connect(http(url), { era: 'legacy' });
  const message = 'The server denies access (403): "{"reason":"No rights to list."}"';
  await expect(connection.listTools(never)).rejects.toMatchObject({ code: 'forbidden', message });
});

test('a 401 after the handshake names the header, since there is no way to sign in', async () => {
  const { url } = await serveFetch(async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405 });
    const { id, method } = (await request.json()) as Message;
    if (method === 'initialize') return Response.json({ jsonrpc: '2.0', id, result });
    return new Response(null, { status: method === 'tools/list' ? 401 : 202 });
  });
  const connection = await connect(http(url, { Authorization: 'Bearer old' }), { era: 'legacy' });
  await expect(connection.listTools(never)).rejects.toMatchObject({
    code: 'unauthorized',
    message: 'The server refused the request (401). Set or correct the header Authorization.',
  });
});

test('a closed port, a port that fetch does not open, an unknown host, and a server without TLS', async () => {
  const port = await findFreePort('127.0.0.1', 65_535);
  expect(await failure(http(`http://127.0.0.1:${port}/mcp`))).toMatchObject({
    code: 'refused',
    params: { host: '127.0.0.1', port: String(port) },
  });
  expect((await failure(http('http://127.0.0.1:1/mcp'))).code).toBe('unreachable');
  expect((await failure(http('http://no-such-host.invalid/mcp'))).code).toBe('dns');
  const { url } = await serveFetch(() => new Response(''));
  expect((await failure(http(url.replace('http:', 'https:')))).code).toBe('tls');
});

test('a web page is not an MCP server', async () => {
  const { url } = await serveFetch(() => new Response('<p>Hello</p>', { headers: { 'content-type': 'text/html' } }));
  expect((await failure(http(url))).code).toBe('not-mcp');
});

test('a server that says nothing to the probe', async () => {
  const { url } = await serveFetch(() => new Promise<Response>(() => undefined));
  const steps: string[] = [];
  const onStep = ({ step, outcome }: ConnectStep): void => void steps.push(`${step} ${outcome}`);
  expect(await failure(http(url), { initializeTimeoutMs: 100, onStep })).toMatchObject({
    code: 'probe-silence',
    params: { limitMs: 100 },
  });
  const signal = AbortSignal.timeout(50);
  expect((await failure(http(url), { signal, onStep })).code).toBe('cancelled');
  // It is not known whether the server was reached.
  expect(steps).toEqual(['initialize failed', 'initialize failed']);
});

test('a server that goes away ends the connection', async () => {
  const server = await serveFetch(async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405 });
    const { id, method, params } = (await request.json()) as Message;
    if (method === 'server/discover') return new Response('', { status: 404 });
    if (id === undefined) return new Response(null, { status: 202 });
    const result = {
      protocolVersion: params?.['protocolVersion'],
      capabilities: { tools: {} },
      serverInfo: { name: 'a', version: '1' },
    };
    return Response.json({ jsonrpc: '2.0', id, result });
  });
  const connection = await connect(http(server.url));
  await server.stop();
  await expect(connection.callTool('x', {}, callOptions())).rejects.toMatchObject({ code: 'connection-lost' });
  expect(await connection.closed).toMatchObject({ code: 'connection-lost' });
});

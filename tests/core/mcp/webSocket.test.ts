import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';

import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';

import { exactNumber } from '../../../src-core/base/exactNumber.ts';
import type { ServerEndpoint } from '../../../src-core/mcp/types.ts';
import { callOptions, connect, never } from './connectedServer.ts';
import { serveFetch } from './serveFetch.ts';

const flood = 4_000;
const note = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x', params: { text: 'x'.repeat(400) } });

interface Served {
  endpoint: ServerEndpoint;
  sockets: WebSocket[];
  /** The texts that the server received. */
  received: string[];
  headers: Record<string, unknown>[];
}

/** A legacy server over WebSocket, by hand. */
async function serve({ protocol = true, dies = false, silent = false, autoPong = true } = {}): Promise<Served> {
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    autoPong,
    handleProtocols: (offered) => (protocol && offered.has('mcp') ? 'mcp' : false),
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const endpoint: ServerEndpoint = { type: 'websocket', url: `ws://127.0.0.1:${port}/mcp`, headers: { 'X-Team': 'a' } };
  const served: Served = { endpoint, sockets: [], received: [], headers: [] };
  server.on('connection', (socket, request) => {
    served.sockets.push(socket);
    served.headers.push(request.headers);
    socket.on('message', (data) => {
      const text = (data as Buffer).toString();
      served.received.push(text);
      if (text.includes('"flood"')) for (let sent = 0; sent < flood; sent += 1) socket.send(note);
      const reply = answer(text);
      if (text.includes('server/discover')) {
        if (dies) socket.close(1011);
        if (dies || silent) return;
      }
      if (reply !== undefined) socket.send(reply);
    });
  });
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  return served;
}

function answer(text: string): string | undefined {
  const { id, method, params } = JSON.parse(text) as {
    id?: number | string;
    method: string;
    params?: Record<string, unknown>;
  };
  if (id === undefined || params?.['name'] === 'sleep') return undefined;
  const results: Record<string, string> = {
    initialize: JSON.stringify({
      protocolVersion: params?.['protocolVersion'],
      capabilities: { tools: {} },
      serverInfo: { name: 'ws', version: '1' },
    }),
    'tools/list': '{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}',
    'tools/call': `{"content":[],"structuredContent":${/"arguments":(.*?\})/.exec(text)?.[1]}}`,
    ping: '{}',
  };
  const own: Record<string, string> = {
    large: `{"content":["${'x'.repeat(500_000)}"]}`,
    deep: `{"content":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  };
  const result = own[String(params?.['name'])] ?? results[method];
  const outcome = result === undefined ? '"error":{"code":-32601,"message":"Method not found"}' : `"result":${result}`;
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${outcome}}`;
}

test.each([true, false])('lists, calls and pings; the subprotocol is chosen: %s', async (protocol) => {
  const served = await serve({ protocol });
  const connection = await connect(served.endpoint);
  expect([connection.era, connection.serverInfo?.name]).toEqual(['legacy', 'ws']);
  expect((await connection.listTools(never)).tools.map(({ name }) => name)).toEqual(['echo']);
  const { structuredContent } = await connection.callTool(
    'echo',
    { id: exactNumber('9007199254740993') },
    callOptions(),
  );
  expect(JSON.stringify(structuredContent)).toBe('{"id":9007199254740993}');
  await connection.ping(never);
  expect(served.received.at(-1)).toContain('"method":"ping"');
  expect(served.headers.at(-1)).toMatchObject({ 'x-team': 'a' });
});

test('silence at the probe means a legacy server', async () => {
  const served = await serve({ silent: true });
  expect((await connect(served.endpoint, { probeTimeoutMs: 100 })).era).toBe('legacy');
});

test('a server that closes at the probe is connected to once more', async () => {
  const served = await serve({ dies: true });
  const connection = await connect(served.endpoint);
  expect(connection.era).toBe('legacy');
  expect(served.sockets).toHaveLength(2);
});

test('the close code of the other side is the reason, and running calls fail', async () => {
  const served = await serve();
  const connection = await connect(served.endpoint);
  const call = connection.callTool('sleep', {}, callOptions());
  const failed = expect(call).rejects.toMatchObject({ code: 'connection-lost' });
  await expect.poll(() => served.received.at(-1)).toContain('sleep');
  served.sockets[0]?.terminate();
  await failed;
  expect(await connection.closed).toMatchObject({ code: 'connection-lost', closeCode: 1006 });
});

test('a connection ends once nothing arrives between two pings, and not before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const served = await serve({ autoPong: false });
  const connection = await connect(served.endpoint);
  const pings: number[] = [];
  served.sockets[0]?.on('ping', () => pings.push(pings.length));
  const call = connection.callTool('sleep', {}, callOptions({ timeoutMs: 200_000, maxTotalMs: 200_000 }));
  const failed = expect(call).rejects.toMatchObject({ code: 'connection-lost' });
  for (const count of [1, 2]) {
    vi.advanceTimersByTime(20_000);
    await expect.poll(() => pings.length).toBe(count);
    // Any message is a sign of life.
    expect((await connection.callTool('echo', {}, callOptions())).isError).toBe(false);
  }
  vi.advanceTimersByTime(40_000);
  await failed;
  expect(await connection.closed).toMatchObject({ code: 'connection-lost', closeCode: 1006 });
  expect(connection.recording.notes).toContain('note: No answer to a ping');
});

test('a message over the bound, or nested too deeply, fails its call alone', async () => {
  const served = await serve();
  const connection = await connect(served.endpoint, { maxMessageBytes: 400_000 });
  await expect(connection.callTool('large', {}, callOptions())).rejects.toMatchObject({ code: 'too-large' });
  await expect(connection.callTool('deep', {}, callOptions())).rejects.toMatchObject({ code: 'invalid-answer' });
  expect((await connection.callTool('echo', {}, callOptions())).isError).toBe(false);
});

test('messages without pause leave time for everything else', async () => {
  const served = await serve();
  let received = 0;
  let inTurn = 0;
  let mostInTurn = 0;
  const onFrame = ({ text }: { text: string }): void => {
    if (text !== note) return;
    received += 1;
    if (inTurn === 0) setImmediate(() => (inTurn = 0));
    inTurn += 1;
    mostInTurn = Math.max(mostInTurn, inTurn);
  };
  const observer = { onFrame, onNote: () => undefined, onStderr: () => undefined };
  const connection = await connect(served.endpoint, { observer });
  await connection.callTool('flood', {}, callOptions());
  expect(received).toBe(flood);
  expect(mostInTurn).toBeLessThan(500);
});

test('an upgrade that is refused has its status', async () => {
  const served = await serve();
  const server = createHttpServer((_request, response) => response.writeHead(401).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const endpoint = { ...served.endpoint, url: `ws://127.0.0.1:${port}` } as ServerEndpoint;
  await expect(connect(endpoint)).rejects.toMatchObject({ code: 'unauthorized', params: { status: 401 } });
});

test('a stop ends a connection that is being opened', async () => {
  const stop = new AbortController();
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('data', () => stop.abort()).on('error', () => undefined);
  });
  const sockets: Socket[] = [];
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connecting = connect({ type: 'websocket', url, headers: {} }, { signal: stop.signal });
  await expect(connecting).rejects.toMatchObject({ code: 'cancelled' });
  await expect.poll(() => sockets.map(({ destroyed }) => destroyed)).toEqual([true]);
});

test('the stream of SSE that names no address for messages is closed at the time limit, and at a stop', async () => {
  let ended = 0;
  const stop = new AbortController();
  const { url } = await serveFetch((request) => {
    request.signal.addEventListener('abort', () => (ended += 1));
    if (request.url.endsWith('stop')) stop.abort();
    const events = { headers: { 'content-type': 'text/event-stream' } };
    return new Response(
      new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from(': hi\n\n')) }),
      events,
    );
  });
  const endpoint: ServerEndpoint = { type: 'sse', url, headers: {} };
  await expect(connect(endpoint, { initializeTimeoutMs: 50 })).rejects.toMatchObject({
    code: 'no-answer',
    params: { limitMs: 50 },
  });
  const stopped = connect({ ...endpoint, url: `${url}/stop` }, { signal: stop.signal });
  await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
  await expect.poll(() => ended).toBe(2);
});

/** How the requests of a connection over HTTP are sent, and to whom the streams of a session belong. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect as connectTo, type AddressInfo } from 'node:net';

import { Agent, getGlobalDispatcher, ProxyAgent, setGlobalDispatcher } from 'undici';
import { expect, onTestFinished, test } from 'vitest';

import { callOptions, connect, never } from './connectedServer.ts';
import { serveFetch } from './serveFetch.ts';
import { events, http, serveSessions, type Message } from './serveSessions.ts';

test('a call may take longer than the time limit of fetch', async () => {
  const before = getGlobalDispatcher();
  onTestFinished(() => setGlobalDispatcher(before));
  const release = Promise.withResolvers();
  const server = await serveSessions(({ id, params }) => {
    if (params?.['name'] !== 'slow') return undefined;
    return release.promise.then(() => Response.json({ jsonrpc: '2.0', id, result: { content: [] } }));
  });
  const silent = await serveFetch(() => new Promise<Response>(() => undefined));
  const connection = await connect(http(server.url));
  setGlobalDispatcher(new Agent({ headersTimeout: 100 }));
  const slow = connection.callTool('slow', {}, callOptions());
  await expect(fetch(silent.url)).rejects.toMatchObject({ cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } });
  release.resolve(undefined);
  expect((await slow).isError).toBe(false);
});

test('messages go through the proxy that other requests use', async () => {
  const before = getGlobalDispatcher();
  onTestFinished(() => setGlobalDispatcher(before));
  const server = await serveSessions();
  const passed: string[] = [];
  const proxy = createServer().on('connect', (request, socket, head) => {
    passed.push(String(request.url));
    const onward = connectTo(Number(new URL(server.url).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void proxy.close());
  setGlobalDispatcher(new ProxyAgent(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`));
  const connection = await connect(http(server.url.replace('127.0.0.1', 'server.example')));
  expect((await connection.listTools(never)).tools).toHaveLength(2);
  expect(new Set(passed)).toEqual(new Set([`server.example:${new URL(server.url).port}`]));
});

test('what a server asks on the stream of a new session belongs to no call', async () => {
  const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
  const server = await serveSessions(undefined, () => {
    const start = (stream: ReadableStreamDefaultController<Uint8Array>): void => void streams.push(stream);
    return new Response(new ReadableStream({ start }), events);
  });
  const call = new AsyncLocalStorage<string>();
  const asked: unknown[] = [];
  const elicit = (): Promise<{ action: 'decline' }> => {
    asked.push(call.getStore());
    return Promise.resolve({ action: 'decline' });
  };
  const connection = await connect(http(server.url), { handlers: { elicit } });
  await expect.poll(() => streams.length).toBe(1);
  server.forget(404);
  await call.run('call-1', () => connection.listTools(never));
  await expect.poll(() => streams.length).toBe(2);
  const params = { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
  const question = { jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params };
  streams.at(-1)?.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(question)}\n\n`));
  await expect.poll(() => asked.length).toBe(1);
  expect(asked).toEqual([undefined]);
});

test('a request that closing cuts is no error', async () => {
  const asked = Promise.withResolvers<null>();
  const server = await serveSessions(undefined, () => {
    asked.resolve(null);
    return new Promise(() => undefined);
  });
  const { recording, close } = await connect(http(server.url));
  await asked.promise;
  await close();
  await new Promise((resolve) => setImmediate(resolve));
  expect(recording.notes).toContain('close: The connection was closed');
  expect(recording.notes.filter((note) => note.includes('Error'))).toEqual([]);
});

test('a connection has ended before the server has ended its session', async () => {
  const asked = Promise.withResolvers<undefined>();
  const release = Promise.withResolvers<undefined>();
  const { url } = await serveFetch(async (request) => {
    if (request.method === 'GET') return new Response('', { status: 405 });
    if (request.method === 'DELETE') {
      asked.resolve(undefined);
      await release.promise;
      return new Response(null, { status: 204 });
    }
    const { id, method } = (await request.json()) as Message;
    if (method === 'tools/call') return new Promise(() => undefined);
    if (id === undefined) return new Response(null, { status: 202 });
    const result = {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 's', version: '1' },
    };
    return Response.json({ jsonrpc: '2.0', id, result }, { headers: { 'mcp-session-id': 'a' } });
  });
  const connection = await connect(http(url), { era: 'legacy' });
  const call = expect(connection.callTool('x', {}, callOptions())).rejects.toMatchObject({ code: 'connection-lost' });
  const closing = connection.close();
  await call;
  expect(await connection.closed).toMatchObject({ code: 'closed' });
  await asked.promise;
  release.resolve(undefined);
  await closing;
  expect(connection.recording.notes.at(-1)).toBe(`note: DELETE ${url}: 204`);
});

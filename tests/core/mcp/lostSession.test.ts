/** A server over HTTP that has forgotten the session of a connection. */
import { expect, test } from 'vitest';

import type { SignInProvider } from '../../../src-core/mcp/auth/types.ts';
import type { McpConnection } from '../../../src-core/mcp/types.ts';
import { callOptions, connect, never } from './connectedServer.ts';
import { events, http, serveSessions, type SessionServer } from './serveSessions.ts';

test.each([404, 400])('a session forgotten with %d is opened again for a list, and not for a call', async (status) => {
  const server = await serveSessions();
  const connection = await connect(http(server.url));
  const changes: string[] = [];
  connection.onListChanged((kind) => changes.push(kind));
  await connection.listTools(never);
  server.forget(status);
  await expect(connection.callTool('destroy', {}, callOptions())).rejects.toMatchObject({ code: 'session-lost' });
  const calls = (): number => server.received.filter(({ message }) => message.params?.['name'] === 'destroy').length;
  expect(calls()).toBe(1);
  expect((await connection.callTool('destroy', {}, callOptions())).isError).toBe(false);
  expect(changes).toEqual(['tools']);
  server.forget(status);
  expect((await connection.listTools(never)).tools).toHaveLength(2);
  server.forget(status);
  expect((await connection.callTool('read', {}, callOptions())).isError).toBe(false);
  expect(calls()).toBe(2);
});

interface Losing {
  server: SessionServer;
  connection: McpConnection;
  /** Calls that the server has received and not answered. */
  pending: Promise<unknown>[];
  /** Streams of GET that are open. */
  streams: Set<Request>;
  /** The server forgets the session, and answers the next `initialize` with this. */
  forget(reopening: () => Response | Promise<Response>): void;
}

/** A connection with a stream and two calls that run, one of which may be repeated. */
async function connectLosing(): Promise<Losing> {
  const streams = new Set<Request>();
  let reopening: (() => Response | Promise<Response>) | undefined;
  const server = await serveSessions(
    ({ method, params }) => {
      if (method === 'initialize') return reopening?.();
      return params?.['name'] === 'slow' ? new Promise(() => undefined) : undefined;
    },
    (request) => {
      streams.add(request);
      request.signal.addEventListener('abort', () => void streams.delete(request));
      return new Response(new ReadableStream(), events);
    },
  );
  const connection = await connect(http(server.url));
  await expect.poll(() => streams.size).toBe(1);
  const pending = [connection.callTool('slow', {}, callOptions()), connection.getPrompt('slow', {}, callOptions())];
  for (const call of pending) call.catch(() => undefined);
  await expect.poll(() => server.received.filter(({ message }) => message.params?.['name'] === 'slow').length).toBe(2);
  const forget: Losing['forget'] = (answer) => {
    reopening = answer;
    server.forget(404);
  };
  return { server, connection, pending, streams, forget };
}

test('calls of a lost session end at once, and their stream with them, while another is opened', async () => {
  const { connection, pending, streams, forget } = await connectLosing();
  const initialize = Promise.withResolvers<Response>();
  forget(() => initialize.promise);
  await expect(connection.callTool('destroy', {}, callOptions())).rejects.toMatchObject({ code: 'session-lost' });
  await expect(pending[0]).rejects.toMatchObject({ code: 'session-lost' });
  await expect.poll(() => streams.size).toBe(0);
  initialize.resolve(new Response('', { status: 500 }));
});

test('a session that cannot be opened again leaves no call and no stream', async () => {
  const { server, connection, pending, streams, forget } = await connectLosing();
  forget(() => new Response('', { status: 500 }));
  await expect(connection.listTools(never)).rejects.toMatchObject({ code: 'session-lost' });
  for (const call of pending) await expect(call).rejects.toMatchObject({ code: 'session-lost' });
  expect(await connection.closed).toMatchObject({ code: 'session-lost' });
  await expect.poll(() => streams.size).toBe(0);
  const received = server.received.length;
  await expect(connection.listTools(never)).rejects.toMatchObject({ code: 'session-lost' });
  expect(server.received).toHaveLength(received);
});

test('closing while a session is opened again leaves no call and no stream', async () => {
  const { connection, pending, streams, forget } = await connectLosing();
  const asked = Promise.withResolvers<undefined>();
  forget(() => {
    asked.resolve(undefined);
    return new Promise(() => undefined);
  });
  const waiting = connection.listTools(never);
  const lost = expect(waiting).rejects.toMatchObject({ code: 'connection-lost' });
  await asked.promise;
  await connection.close();
  await lost;
  await expect(pending[0]).rejects.toMatchObject({ code: 'session-lost' });
  await expect(pending[1]).rejects.toMatchObject({ code: 'connection-lost' });
  expect(await connection.closed).toMatchObject({ code: 'closed' });
  await expect.poll(() => streams.size).toBe(0);
});

test('a cancelled call and a deadline do not wait until a session is opened again', async () => {
  const { connection, forget } = await connectLosing();
  const asked = Promise.withResolvers<undefined>();
  forget(() => {
    asked.resolve(undefined);
    return new Promise(() => undefined);
  });
  const cancel = new AbortController();
  const repeated = connection.readResource('a:b', callOptions({ signal: cancel.signal }));
  await asked.promise;
  const late = connection.callTool('late', {}, callOptions({ timeoutMs: 50 }));
  const queued = connection.callTool('queued', {}, callOptions({ signal: cancel.signal }));
  await expect(late).rejects.toMatchObject({ code: 'timeout' });
  cancel.abort();
  for (const call of [repeated, queued]) await expect(call).rejects.toMatchObject({ code: 'cancelled' });
});

test('no time of the calls passes that wait while the user signs in for another session', async () => {
  const [asked, signedIn] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  let needsSignIn = false;
  const server = await serveSessions(({ method }) =>
    method === 'initialize' && needsSignIn ? new Response('', { status: 401 }) : undefined,
  );
  const authProvider: SignInProvider = {
    token: () => Promise.resolve(undefined),
    wrapFetch: (next) => next,
    asksForMore: false,
    secrets: () => [],
    signIn() {
      asked.resolve(undefined);
      return signedIn.promise;
    },
  };
  const connection = await connect(http(server.url), { authProvider });
  needsSignIn = true;
  server.forget(404);
  const cancel = new AbortController();
  const waits: [string, boolean][] = [];
  const options = (name: string, signal = never) =>
    callOptions({ signal, onWait: (isWaiting) => waits.push([name, isWaiting]) });
  const repeated = connection.readResource('a:b', options('repeated'));
  await asked.promise;
  const cancelled = connection.callTool('read', {}, options('cancelled', cancel.signal));
  const queued = connection.callTool('read', {}, options('queued'));
  await expect.poll(() => waits.filter(([, isWaiting]) => isWaiting).length).toBe(3);
  cancel.abort();
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  expect(waits.filter(([name, isWaiting]) => name !== 'cancelled' && !isWaiting)).toEqual([]);
  needsSignIn = false;
  signedIn.resolve(undefined);
  await Promise.all([repeated.catch(() => undefined), queued]);
  expect(waits).toEqual(
    expect.arrayContaining([
      ['repeated', false],
      ['queued', false],
    ]),
  );
});

test('a task is followed in another session', async () => {
  let polls = 0;
  const server = await serveSessions(({ method }) => {
    if (method === 'tools/call') return '{"task":{"taskId":"t1","status":"working","pollInterval":1}}';
    if (method !== 'tasks/get') return undefined;
    polls += 1;
    if (polls === 1) server.forget(404);
    return JSON.stringify({ taskId: 't1', status: polls === 1 ? 'working' : 'completed', pollInterval: 1 });
  });
  const connection = await connect(http(server.url));
  expect((await connection.callTool('x', {}, callOptions({ asTask: true }))).content).toEqual([]);
  expect(polls).toBe(2);
});

test('a 400 that has an error for the request itself does not lose the session', async () => {
  const server = await serveSessions(({ id, params }) => {
    const error = { code: -32602, message: 'Unknown city', data: { city: 'Atlantis' } };
    return params?.['name'] === 'wrong' ? Response.json({ jsonrpc: '2.0', id, error }, { status: 400 }) : undefined;
  });
  const connection = await connect(http(server.url));
  await expect(connection.callTool('wrong', {}, callOptions())).rejects.toMatchObject({
    code: 'rpc',
    message: 'Unknown city',
    details: { rpcCode: -32602, data: { city: 'Atlantis' }, status: 400 },
  });
  expect(server.received.filter(({ message }) => message.method === 'initialize')).toHaveLength(1);
});

test('a 400 that says so of the session loses it, also with the id of the request', async () => {
  let isForgotten = false;
  const server = await serveSessions(({ id, method }) => {
    if (method === 'initialize') isForgotten = false;
    const error = { code: -32000, message: 'Bad Request: No valid session ID provided' };
    return isForgotten ? Response.json({ jsonrpc: '2.0', id, error }, { status: 400 }) : undefined;
  });
  const connection = await connect(http(server.url));
  isForgotten = true;
  expect((await connection.listTools(never)).tools).toHaveLength(2);
  expect(server.received.filter(({ message }) => message.method === 'initialize')).toHaveLength(2);
});

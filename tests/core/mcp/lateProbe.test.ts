/** A server that starts so slowly that it answers the probe only after `initialize` was sent. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

import { expect, onTestFinished, test } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';

import type { ServerEndpoint } from '../../../src-core/mcp/types.ts';
import { countProcesses } from '../../helpers/countProcesses.ts';
import { connect, never, rawServer } from './connectedServer.ts';
import { serveFetch } from './serveFetch.ts';

const modern = {
  result: {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    ttlMs: 0,
    cacheScope: 'private',
  },
};
const unknown = { error: { code: -32601, message: 'Method not found' } };
const tools = { result: { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' } };

/** Over WebSocket; only its first connection is late. */
async function serveLate(toProbe: object): Promise<{ endpoint: ServerEndpoint; sockets: WebSocket[] }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const sockets: WebSocket[] = [];
  server.on('connection', (socket) => {
    const isLate = sockets.push(socket) === 1;
    let probe: unknown;
    socket.on('message', (data) => {
      const { id, method, params } = JSON.parse((data as Buffer).toString()) as {
        id?: unknown;
        method: string;
        params?: { protocolVersion?: string };
      };
      const reply = (to: unknown, answer: object): void =>
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: to, ...answer }));
      if (method === 'server/discover' && isLate) probe = id;
      else if (method === 'server/discover') reply(id, toProbe);
      else if (method === 'tools/list') reply(id, tools);
      else if (method === 'initialize') {
        reply(probe, toProbe);
        const serverInfo = { name: 'late', version: '1' };
        reply(id, { result: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo } });
      }
    });
  });
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { endpoint: { type: 'websocket', url: `ws://127.0.0.1:${port}/mcp`, headers: {} }, sockets };
}

test('over WebSocket, a modern server is connected to once more, as a modern one', async () => {
  const { endpoint, sockets } = await serveLate(modern);
  const connection = await connect(endpoint, { probeTimeoutMs: 100 });
  expect([connection.era, connection.ignoredProbe]).toEqual(['modern', false]);
  expect((await connection.listTools(never)).tools).toEqual([]);
  expect(sockets.map(({ readyState, OPEN }) => readyState === OPEN)).toEqual([false, true]);
});

test('a server that answers the probe with an error stays legacy, and has not ignored the probe', async () => {
  const { endpoint, sockets } = await serveLate(unknown);
  const connection = await connect(endpoint, { probeTimeoutMs: 100 });
  expect([connection.era, connection.ignoredProbe]).toEqual(['legacy', false]);
  expect(sockets).toHaveLength(1);
});

/** Answers each request over HTTP after the time limit that the probe has over stdio. */
async function serveSlowly(answers: Record<string, object>): Promise<ServerEndpoint> {
  const { url } = await serveFetch(async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405 });
    const { id, method } = (await request.json()) as { id?: number; method: string };
    await wait(30);
    if (id === undefined) return new Response(null, { status: 202 });
    return Response.json({ jsonrpc: '2.0', id, ...(answers[method] ?? unknown) });
  });
  return { type: 'http', url, headers: {} };
}

test('over HTTP, the probe may take as long as the start', async () => {
  const serverInfo = { name: 'slow', version: '1' };
  const initialized = { result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo } };
  const legacy = await serveSlowly({ initialize: initialized, 'tools/list': tools });
  const dual = await serveSlowly({ initialize: initialized, 'tools/list': tools, 'server/discover': modern });
  for (const [endpoint, era] of [
    [legacy, 'legacy'],
    [dual, 'modern'],
  ] as const) {
    const connection = await connect(endpoint, { probeTimeoutMs: 10 });
    expect([connection.era, connection.ignoredProbe]).toEqual([era, false]);
    expect((await connection.listTools(never)).tools).toEqual([]);
  }
});

test('a stop during the second start leaves no process', async () => {
  const processes = countProcesses();
  const stop = new AbortController();
  let started = 0;
  const connecting = connect(rawServer('late'), {
    probeTimeoutMs: 100,
    signal: stop.signal,
    onStep: ({ step }) => {
      if (step === 'process' && (started += 1) === 2) stop.abort();
    },
  });
  await expect(connecting).rejects.toMatchObject({ code: 'cancelled' });
  expect([processes.started, processes.live]).toEqual([2, 0]);
});

/**
 * A tools/call to a device through hub and registry, against a bare JSON-RPC peer on `ws`. Both servers live in this
 * process, both peers in a thread each; short rounds alternate and the best of each counts, so that what else the
 * machine does disturbs both alike.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { createDeviceHub } from '../../src-core/devices/deviceHub.ts';
import { executeSingleRequest } from '../../src-core/engine/executor.ts';
import { createListener } from '../../src-core/server/createListener.ts';
import { createToolRegistryManager } from '../../src-core/tools/toolRegistryManager.ts';
import type { ToolRegistry } from '../../src-core/tools/types.ts';
import type { DevicePeerData } from './devicePeer.ts';

/** One way to make a call; resolves with its answer. */
type Call = () => Promise<unknown>;

/** A server with its peers connected and ready. */
interface Bed {
  calls: Call[];
  close: () => Promise<void>;
}

const rounds = 24;
const callsPerRound = 2_000;
const warmUp = 10_000;
const limit = 1.5;

function startPeer(data: DevicePeerData): Worker {
  return new Worker(new URL('./devicePeer.ts', import.meta.url), { workerData: data });
}

async function bareBed(sockets: number): Promise<Bed> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const open: WebSocket[] = [];
  const all = new Promise<void>((resolve) =>
    server.on('connection', (socket) => {
      open.push(socket);
      if (open.length === sockets) resolve();
    }),
  );
  const peer = startPeer({ url: `ws://127.0.0.1:${port}/`, sockets, kind: 'bare', serverName: '' });
  await all;
  return {
    calls: open.map(bareCall),
    close: async () => {
      await peer.terminate();
      open.forEach((socket) => socket.terminate());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The least that a JSON-RPC peer needs: a counter, a map, one parse and one stringify a message. */
function bareCall(socket: WebSocket): Call {
  const pending = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  socket.on('message', (data) => {
    const { id, result, error } = JSON.parse((data as Buffer).toString()) as {
      id: number;
      result?: unknown;
      error?: { message: string };
    };
    const waiting = pending.get(id);
    pending.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error.message));
  });
  return () =>
    new Promise((resolve, reject) => {
      lastId += 1;
      pending.set(lastId, { resolve, reject });
      const params = { name: 'self.set', arguments: { volume: 50 } };
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: lastId, method: 'tools/call', params }));
    });
}

interface HubBedOptions {
  sockets: number;
  /** Calls that one device may get at once. */
  concurrency: number;
  /** Through the executor, with its conversion, checks and timer, not by the registry alone. */
  executor: boolean;
}

async function hubBed({ sockets, concurrency, executor }: HubBedOptions): Promise<Bed> {
  const listener = createListener({
    port: 0,
    onError: (error) => {
      throw error;
    },
  });
  const toolRegistryManager = createToolRegistryManager();
  const hub = createDeviceHub({ listener, toolRegistryManager, maxConcurrentCalls: () => concurrency });
  const { port } = await listener.listen();
  const all = new Promise<void>((resolve) => {
    toolRegistryManager.onChange(() => {
      if (toolRegistryManager.getAllTools().length === sockets) resolve();
    });
  });
  const peer = startPeer({ url: `ws://127.0.0.1:${port}/xiaozhi/v1/`, sockets, kind: 'xiaozhi', serverName: 'bench' });
  await all;
  const args = { volume: 50 };
  let lastCall = 0;
  const byRegistry = (registry: ToolRegistry): Call => {
    return () => {
      lastCall += 1;
      const { signal } = new AbortController();
      return registry.invoke('self.set', args, {
        signal,
        timeoutMs: 30_000,
        callId: `call-${lastCall}`,
        onStart: () => {},
      });
    };
  };
  const byExecutor = ({ id }: ToolRegistry): Call => {
    return () => executeSingleRequest({ toolName: `${id}_self.set`, args }, { toolRegistryManager, caller: 'user' });
  };
  return {
    calls: toolRegistryManager.getAllTools().map(executor ? byExecutor : byRegistry),
    close: async () => {
      await hub.close();
      await peer.terminate();
      await listener.close();
    },
  };
}

/** Runs `count` calls over `lanes`, each lane one after the other; ms per call. */
async function measure(lanes: Call[], count: number): Promise<number> {
  const perLane = Math.ceil(count / lanes.length);
  const start = performance.now();
  await Promise.all(
    lanes.map(async (call) => {
      for (let index = 0; index < perLane; index += 1) await call();
    }),
  );
  return (performance.now() - start) / (perLane * lanes.length);
}

async function compare(
  name: string,
  { sockets, lanes, gate, executor = false }: { sockets: number; lanes: number; gate?: number; executor?: boolean },
): Promise<Record<string, string | number>> {
  const bare = await bareBed(sockets);
  const hub = await hubBed({ sockets, concurrency: lanes / sockets, executor });
  const spread = ({ calls }: Bed) => Array.from({ length: lanes }, (_, lane) => calls[lane % calls.length]!);
  const lanesOf = { bare: spread(bare), hub: spread(hub) };
  const times = { bare: [] as number[], hub: [] as number[] };
  try {
    await measure(lanesOf.bare, warmUp);
    await measure(lanesOf.hub, warmUp);
    for (let round = 0; round < rounds; round += 1) {
      times.bare.push(await measure(lanesOf.bare, callsPerRound));
      times.hub.push(await measure(lanesOf.hub, callsPerRound));
    }
  } finally {
    await hub.close();
    await bare.close();
  }
  const best = { bare: Math.min(...times.bare), hub: Math.min(...times.hub) };
  return {
    case: name,
    'bare calls/s': Math.round(1_000 / best.bare),
    'hub calls/s': Math.round(1_000 / best.hub),
    ratio: Number((best.hub / best.bare).toFixed(2)),
    limit: gate ?? '',
  };
}

/** Round trips of a device call against a bare `ws` peer, one at a time and with 64 in flight (issue 2). */
export async function run(): Promise<{ title: string; rows: Record<string, string | number>[]; pass: boolean }> {
  const rows = [
    await compare('one at a time', { sockets: 1, lanes: 1, gate: limit }),
    await compare('64 in flight on one connection', { sockets: 1, lanes: 64, gate: limit }),
    // For information: 64 sockets leave nothing to gather, so each call pays for its own write and its own log.
    await compare('64 connections, one in flight each', { sockets: 64, lanes: 64 }),
    // For information too: what the executor does for a call, it does for a call to any tool.
    await compare('one at a time, through the executor', { sockets: 1, lanes: 1, executor: true }),
    await compare('64 in flight, through the executor', { sockets: 1, lanes: 64, executor: true }),
  ];
  return {
    title: 'A device call, against a bare JSON-RPC peer on ws',
    rows,
    pass: rows.every((row) => row['limit'] === '' || Number(row['ratio']) <= Number(row['limit'])),
  };
}

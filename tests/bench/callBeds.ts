/** Servers with peers that are connected and ready, for the benches of calls: a bare one on `ws`, and our hub. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { createDeviceHub } from '../../src-core/features/devices/deviceHub.ts';
import { executeSingleRequest } from '../../src-core/engine/executor.ts';
import { createListener } from '../../src-core/server/createListener.ts';
import { createToolRegistryManager } from '../../src-core/registry/toolRegistryManager.ts';
import type { ToolRegistry } from '../../src-core/registry/types.ts';
import type { DevicePeerData } from './devicePeer.ts';

/** One way to make a call; resolves with its answer. */
export type Call = () => Promise<unknown>;

/** A server with its peers connected and ready. */
export interface Bed {
  calls: Call[];
  close: () => Promise<void>;
}

/** Starts the devices' thread. */
function startPeer(data: DevicePeerData): Worker {
  return new Worker(new URL('./devicePeer.ts', import.meta.url), { workerData: data });
}

/** A bare server with so many peers. */
export async function bareBed(sockets: number): Promise<Bed> {
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
  const peer = startPeer({ url: `ws://127.0.0.1:${port}/`, sockets, kind: 'bare', serverName: '', gathers: true });
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

/** Our hub with its devices. */
export async function hubBed({ sockets, concurrency, executor }: HubBedOptions): Promise<Bed> {
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
  const peer = startPeer({
    url: `ws://127.0.0.1:${port}/xiaozhi/v1/`,
    sockets,
    kind: 'xiaozhi',
    serverName: 'bench',
    gathers: true,
  });
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
export async function measure(lanes: Call[], count: number): Promise<number> {
  const perLane = Math.ceil(count / lanes.length);
  const start = performance.now();
  await Promise.all(
    lanes.map(async (call) => {
      for (let index = 0; index < perLane; index += 1) await call();
    }),
  );
  return (performance.now() - start) / (perLane * lanes.length);
}

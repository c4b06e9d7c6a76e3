/** Devices that connect again and again, for the bench of how soon their tools are known. */
import { EventEmitter, once } from 'node:events';
import { Client } from '@modelcontextprotocol/client';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { createDeviceHub } from '../../src-core/devices/deviceHub.ts';
import { createListener } from '../../src-core/server/createListener.ts';
import { createToolRegistryManager } from '../../src-core/tools/toolRegistryManager.ts';
import { startPeer } from './callBeds.ts';
import { sdkTransport } from './sdkTransport.ts';

/** Lists the tools of one connection after the other. */
export interface ListingBed {
  /** ms from the open socket of the next connection until its tools are known; it is closed then. */
  next: () => Promise<number>;
  close: () => Promise<void>;
}

/** Tools of the device: what a well-equipped board has. */
export const listedTools = 32;

/** Gets the tools of an open socket; resolves with how many. */
export type ListTools = (socket: WebSocket) => Promise<number>;

/** As the official client does it. */
export const listBySdk: ListTools = async (socket) => {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(sdkTransport(socket));
  return (await client.listTools()).tools.length;
};

/** The least: two requests and one notification by hand. */
export const listBare: ListTools = async (socket) => {
  const ask = async (id: number, method: string, params: object): Promise<{ tools: unknown[] }> => {
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const [data] = (await once(socket, 'message')) as [Buffer];
    return (JSON.parse(data.toString()) as { result: { tools: unknown[] } }).result;
  };
  await ask(1, 'initialize', {
    protocolVersion: '2024-11-05',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  socket.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  return (await ask(2, 'tools/list', {})).tools.length;
};

/** A bare server whose peer is asked by `list`. */
export async function bareListing(list: ListTools): Promise<ListingBed> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const peer = startPeer({
    url: `ws://127.0.0.1:${port}/`,
    sockets: 0,
    kind: 'bare',
    serverName: 'bench',
    tools: listedTools,
  });
  return {
    next: async () => {
      peer.postMessage(0);
      const [socket] = (await once(server, 'connection')) as [WebSocket];
      const start = performance.now();
      const count = await list(socket);
      const took = performance.now() - start;
      if (count !== listedTools) throw new Error(`${count} tools were listed, not ${listedTools}`);
      socket.close();
      return took;
    },
    close: async () => {
      await peer.terminate();
      server.clients.forEach((socket) => socket.terminate());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Our hub: from the open socket, so that the device's hello counts too, until its tools are registered. */
export async function hubListing(): Promise<ListingBed> {
  const listener = createListener({
    port: 0,
    onError: (error) => {
      throw error;
    },
  });
  const toolRegistryManager = createToolRegistryManager();
  let start = 0;
  const hub = createDeviceHub({
    toolRegistryManager,
    listener: {
      route: listener.route,
      upgrade: ({ handle, ...route }) =>
        listener.upgrade({
          ...route,
          handle: (...opened) => {
            start = performance.now();
            handle(...opened);
          },
        }),
    },
  });
  const changes = new EventEmitter();
  toolRegistryManager.onChange(() =>
    changes.emit(toolRegistryManager.getAllTools().length > 0 ? 'registered' : 'gone'),
  );
  const { port } = await listener.listen();
  const peer = startPeer({
    url: `ws://127.0.0.1:${port}/xiaozhi/v1/`,
    sockets: 0,
    kind: 'xiaozhi',
    serverName: 'bench',
    tools: listedTools,
  });
  return {
    next: async () => {
      const registered = once(changes, 'registered');
      peer.postMessage(0);
      await registered;
      const took = performance.now() - start;
      const [device] = hub.devices();
      if (device?.toolCount !== listedTools)
        throw new Error(`${device?.toolCount} tools were listed, not ${listedTools}`);
      const gone = once(changes, 'gone');
      hub.disconnect(device.id);
      await gone;
      return took;
    },
    close: async () => {
      await hub.close();
      await peer.terminate();
      await listener.close();
    },
  };
}

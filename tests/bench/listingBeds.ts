/** A device that connects again and again, for the bench of how soon its tools are known. */
import { EventEmitter, once } from 'node:events';
import { Client } from '@modelcontextprotocol/client';
import type { WebSocket } from 'ws';
import { createDeviceHub } from '../../src-core/features/devices/deviceHub.ts';
import { createListener } from '../../src-core/server/createListener.ts';
import { createToolRegistryManager } from '../../src-core/registry/toolRegistryManager.ts';
import { answerHello, fromEnvelope, intoEnvelope } from './mcpSdkPeer.ts';
import type { BenchDevice } from './mcpSdkPeer.ts';
import { sdkTransport } from './sdkTransport.ts';

/** Lists the tools of one connection after the other. */
export interface ListingBed {
  /** Waits for the next connection until its tools are known, and closes it. ms from its open socket to its tools. */
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
    socket.send(intoEnvelope({ jsonrpc: '2.0', id, method, params }));
    const [data] = (await once(socket, 'message')) as [Buffer];
    return (fromEnvelope(data) as { result: { tools: unknown[] } }).result;
  };
  await ask(1, 'initialize', {
    protocolVersion: '2024-11-05',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  socket.send(intoEnvelope({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  return (await ask(2, 'tools/list', {})).tools.length;
};

/** A bare server whose device is asked by `list` once its hello is answered. */
export function bareListing(device: BenchDevice, list: ListTools): ListingBed {
  return {
    next: async () => {
      const socket = await device.openBare();
      const start = performance.now();
      await answerHello(socket);
      const count = await list(socket);
      const took = performance.now() - start;
      if (count !== listedTools) throw new Error(`${count} tools were listed, not ${listedTools}`);
      const closed = once(socket, 'close');
      socket.close();
      await closed;
      return took;
    },
    close: () => Promise.resolve(),
  };
}

/** Our hub, until the device's tools are registered. */
export async function hubListing(device: BenchDevice): Promise<ListingBed> {
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
  return {
    next: async () => {
      const registered = once(changes, 'registered');
      device.connect(`ws://127.0.0.1:${port}/xiaozhi/v1/`);
      await registered;
      const took = performance.now() - start;
      const [listed] = hub.devices();
      if (listed?.toolCount !== listedTools)
        throw new Error(`${listed?.toolCount} tools were listed, not ${listedTools}`);
      const gone = once(changes, 'gone');
      hub.disconnect(listed.id);
      await gone;
      return took;
    },
    close: async () => {
      await hub.close();
      await listener.close();
    },
  };
}

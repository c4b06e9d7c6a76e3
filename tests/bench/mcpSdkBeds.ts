/** Callers of one device that are connected and ready: ours, the official client and the least there is. */
import { Client } from '@modelcontextprotocol/client';
import { createDeviceHub } from '../../src-core/features/devices/deviceHub.ts';
import { executeSingleRequest } from '../../src-core/engine/executor.ts';
import { createListener } from '../../src-core/server/createListener.ts';
import type { DeviceToolClientBase } from '../../src-core/registry/toolDefinition.ts';
import { createToolRegistryManager } from '../../src-core/registry/toolRegistryManager.ts';
import type { Call } from './callBeds.ts';
import { answerHello, fromEnvelope, intoEnvelope } from './mcpSdkPeer.ts';
import type { BenchDevice } from './mcpSdkPeer.ts';
import { sdkTransport } from './sdkTransport.ts';

const args = { volume: 50 };
/** The official client's own default, so that both keep a time for each call. */
const timeoutMs = 60_000;

/** A caller, and how to be rid of it. */
export interface CallBed {
  call: Call;
  close: () => Promise<void>;
}

/** Ours: a hub with its listener and its log in memory; the device's client alone, or the executor above it. */
export async function ourBed(device: BenchDevice, lanes: number, above: 'client' | 'executor'): Promise<CallBed> {
  const onError = (error: unknown): never => {
    throw error;
  };
  const listener = createListener({ port: 0, onError });
  const toolRegistryManager = createToolRegistryManager();
  const hub = createDeviceHub({ listener, toolRegistryManager, maxConcurrentCalls: () => lanes });
  const { port } = await listener.listen();
  const registered = new Promise<void>((resolve) => void toolRegistryManager.onChange(() => resolve()));
  device.connect(`ws://127.0.0.1:${port}/xiaozhi/v1/`);
  await registered;
  const [registry] = toolRegistryManager.getAllTools();
  const [info] = hub.devices();
  if (registry === undefined || info === undefined) throw new Error('The device is not there.');
  const toolName = `${registry.id}_self.set`;
  const client = await new Promise<DeviceToolClientBase>((resolve, reject) => {
    hub.setDeviceToolsCallback(info.id, ([tool]) => tool?.deviceClient && resolve(tool.deviceClient));
    hub.refreshTools(info.id).catch(reject);
  });
  return {
    call:
      above === 'client'
        ? () => client.callTool('self.set', args, { timeoutMs })
        : () => executeSingleRequest({ toolName, args }, { toolRegistryManager, caller: 'user' }),
    close: async () => {
      await hub.close();
      await listener.close();
    },
  };
}

/** The official client, over an open socket of `ws`. */
export async function sdkBed(device: BenchDevice): Promise<CallBed> {
  const socket = await device.openBare();
  await answerHello(socket);
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(sdkTransport(socket));
  await client.listTools();
  return { call: () => client.callTool({ name: 'self.set', arguments: args }), close: () => client.close() };
}

/** The least: a counter, a map, one parse and one stringify a message; no time-out, no check, no log. */
export async function bareBed(device: BenchDevice): Promise<CallBed> {
  const socket = await device.openBare();
  await answerHello(socket);
  const pending = new Map<number, (result: unknown) => void>();
  let lastId = 0;
  socket.on('message', (data) => {
    const { id, result } = fromEnvelope(data) as { id: number; result: unknown };
    pending.get(id)?.(result);
    pending.delete(id);
  });
  return {
    call: () =>
      new Promise((resolve) => {
        lastId += 1;
        pending.set(lastId, resolve);
        const params = { name: 'self.set', arguments: args };
        socket.send(intoEnvelope({ jsonrpc: '2.0', id: lastId, method: 'tools/call', params }));
      }),
    close: () => {
      socket.terminate();
      return Promise.resolve();
    },
  };
}

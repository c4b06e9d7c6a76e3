import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createDeviceHub } from '../../../../../src-core/features/devices/deviceHub.ts';
import type { DeviceHub } from '../../../../../src-core/features/devices/deviceHub.ts';
import { executeSingleRequest } from '../../../../../src-core/engine/executor.ts';
import { createListener } from '../../../../../src-core/server/createListener.ts';
import { createToolRegistryManager } from '../../../../../src-core/registry/toolRegistryManager.ts';
import { deviceIdOf } from './manyDevicesPeer.ts';
import type { ManyDevicesOrder } from './manyDevicesPeer.ts';

/** What came of calls: each is in exactly one of these. */
export interface CallCount {
  /** Answered by the device that was called, for the tool and with the value that was asked. */
  right: number;
  /** Answered with anything else. */
  wrong: number;
  /** Failed because the connection ended. */
  disconnected: number;
  /** Failed otherwise. */
  failed: number;
}

/** A hub, and many virtual devices on it out of another process. */
export interface ManyDevices {
  hub: DeviceHub;
  /** Ids of the registered devices. */
  registered: () => string[];
  /** Connects every `step`th device from `from` on; resolves when the tools of all are registered. */
  connect: (order?: { from?: number; step?: number }) => Promise<void>;
  /** Drops every `step`th; resolves when all are gone here, too. */
  drop: (order?: { from?: number; step?: number }) => Promise<void>;
  /** Calls every tool of the devices with these ids once; `lanes` devices at once. */
  callAll: (ids: string[], lanes: number) => Promise<CallCount>;
  close: () => Promise<void>;
}

/** Starts the process; no device is connected yet. */
export async function openManyDevices({ count, tools }: { count: number; tools: number }): Promise<ManyDevices> {
  const listener = createListener({
    port: 0,
    onError: (error) => {
      throw error;
    },
  });
  const toolRegistryManager = createToolRegistryManager();
  const hub = createDeviceHub({ listener, toolRegistryManager });
  const { port } = await listener.listen();
  const url = `ws://127.0.0.1:${port}/xiaozhi/v1/`;
  const peer = fork(fileURLToPath(new URL('manyDevicesPeer.ts', import.meta.url)), [], { execArgv: [] });
  await once(peer, 'message');
  let connected = 0;
  let lastValue = 0;

  const registered = (): string[] => toolRegistryManager.getAllTools().map(({ source }) => source.id);
  function until(expected: number): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (toolRegistryManager.getAllTools().length !== expected) return;
        stop();
        resolve();
      };
      const stop = toolRegistryManager.onChange(check);
      check();
    });
  }
  async function order(what: ManyDevicesOrder['do'], { from = 0, step = 1 }: { from?: number; step?: number }) {
    connected += (what === 'connect' ? 1 : -1) * Math.ceil((count - from) / step);
    const all = until(connected);
    peer.send({ do: what, url, from, until: count, step, tools } satisfies ManyDevicesOrder);
    const [said] = (await once(peer, 'message')) as [string];
    if (said !== 'done') throw new Error(said);
    await all;
  }
  async function callTool(registryId: string, deviceId: string, tool: number, found: CallCount): Promise<void> {
    const command = `self.part_${tool}.set`;
    const value = (lastValue = (lastValue + 1) % 1_000_000);
    const { status, result, error } = await executeSingleRequest(
      { toolName: registryId, command, args: { value } },
      { toolRegistryManager, caller: 'user' },
    );
    if (status === 'success') found[result === `${deviceId} ${command} ${value}` ? 'right' : 'wrong'] += 1;
    else found[error?.code === 'disconnected' ? 'disconnected' : 'failed'] += 1;
  }

  return {
    hub,
    registered,
    connect: (which = {}) => order('connect', which),
    drop: (which = {}) => order('drop', which),
    callAll: async (ids, lanes) => {
      const found: CallCount = { right: 0, wrong: 0, disconnected: 0, failed: 0 };
      const registryIds = new Map(toolRegistryManager.getAllTools().map(({ id, source }) => [source.id, id]));
      const left = [...ids];
      const lane = async (): Promise<void> => {
        for (let id = left.pop(); id !== undefined; id = left.pop()) {
          const deviceId = id;
          const registryId = registryIds.get(id) ?? '';
          await Promise.all(Array.from({ length: tools }, (_, tool) => callTool(registryId, deviceId, tool, found)));
        }
      };
      await Promise.all(Array.from({ length: lanes }, lane));
      return found;
    },
    close: async () => {
      await hub.close();
      peer.disconnect();
      await once(peer, 'exit');
      await listener.close();
    },
  };
}

/** The id of every `step`th of so many devices. */
export function idsOf(count: number, { from = 0, step = 1 } = {}): string[] {
  return Array.from({ length: Math.ceil((count - from) / step) }, (_, at) => deviceIdOf(from + at * step));
}

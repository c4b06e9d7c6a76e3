import { onTestFinished } from 'vitest';
import { createDeviceHub } from '../../../../../src-core/features/devices/deviceHub.ts';
import type { DeviceHub, DeviceHubOptions } from '../../../../../src-core/features/devices/deviceHub.ts';
import type { DeviceInfo } from '../../../../../src-core/contract/deviceInfo.ts';
import { openFrameLog } from '../../../../../src-core/features/frames/frameLog.ts';
import type { Frame } from '../../../../../src-core/contract/frames.ts';
import { openTestStore } from '../../../../helpers/testStore.ts';
import { createListener } from '../../../../../src-core/server/createListener.ts';
import type { Listener } from '../../../../../src-core/server/types.ts';
import { createToolRegistryManager } from '../../../../../src-core/registry/toolRegistryManager.ts';
import type { ToolRegistryManager } from '../../../../../src-core/registry/toolRegistryManager.ts';
import type { InvokeOptions, ToolRegistry } from '../../../../../src-core/registry/types.ts';

/** A hub, and the frames that it has recorded. */
export interface RecordedHub extends DeviceHub {
  /** Of one device or of all, oldest first; with `afterSeq` those after it, else the newest. */
  frames: (query: { deviceId?: string; afterSeq?: number; limit: number }) => Frame[];
  onFrame: (listener: (frame: Frame) => void) => () => void;
}

export interface OpenHub {
  hub: RecordedHub;
  listener: Listener;
  toolRegistryManager: ToolRegistryManager;
  port: number;
  otaUrl: string;
  wsUrl: string;
  /** Errors that no handler expected; a test that ends with any fails. */
  errors: unknown[];
  /** Resolves when the only, or the named, device is in a state that fits. */
  device: (fits: (info: DeviceInfo) => boolean, id?: string) => Promise<DeviceInfo>;
  /** Resolves with the only registry once it is registered. */
  registry: () => Promise<ToolRegistry>;
}

/** A real listener with a hub on it; both are closed when the test ends. */
export async function openHub(options: Partial<DeviceHubOptions> = {}): Promise<OpenHub> {
  const errors: unknown[] = [];
  const listener = createListener({ port: 0, onError: (error) => errors.push(error) });
  const toolRegistryManager = createToolRegistryManager();
  const { clock } = options;
  const frames = await openFrameLog({
    store: openTestStore().wire,
    limitMb: 64,
    onError: (error) => errors.push(error),
    // A test may let time pass by a part of a ms.
    ...(clock && { clock: { ...clock, wall: () => Math.floor(clock.wall()) } }),
  });
  const recorded = new Map<number, Frame>();
  const onFrame: RecordedHub['onFrame'] = (hear) => frames.listen((frame) => frame && hear(frame));
  onFrame((frame) => recorded.set(frame.seq, frame));
  const hub: RecordedHub = {
    ...createDeviceHub({ listener, toolRegistryManager, frames, ...options }),
    onFrame,
    frames({ deviceId, afterSeq, limit }) {
      const found = [...recorded.values()].filter(
        ({ connection, seq }) => (deviceId === undefined || connection === deviceId) && seq > (afterSeq ?? -1),
      );
      return afterSeq === undefined ? found.slice(-limit) : found.slice(0, limit);
    },
  };
  const { port } = await listener.listen();
  onTestFinished(async () => {
    // With a clock that stands still a client that does not answer is left to the listener.
    void hub.close();
    await listener.close();
    frames.close();
    if (errors.length > 0) throw errors[0];
  });

  const device: OpenHub['device'] = (fits, id) =>
    new Promise((resolve) => {
      const check = () => {
        const found = hub.devices().find((info) => (id === undefined || info.id === id) && fits(info));
        if (found === undefined) return;
        stop();
        resolve(found);
      };
      const stop = hub.onChange(check);
      check();
    });
  const registry: OpenHub['registry'] = async () => {
    await device(({ registryId }) => registryId !== undefined);
    const [first] = toolRegistryManager.getAllTools();
    if (first === undefined) throw new Error('no registry is there');
    return first;
  };
  const wsUrl = `ws://127.0.0.1:${port}/xiaozhi/v1/`;
  return {
    hub,
    listener,
    toolRegistryManager,
    port,
    otaUrl: `http://127.0.0.1:${port}/xiaozhi/ota/`,
    wsUrl,
    errors,
    device,
    registry,
  };
}

let lastCall = 0;

/** Options for one call, with what a test does not care for filled in. */
export function invokeOptions(more: Partial<InvokeOptions> = {}): InvokeOptions {
  lastCall += 1;
  return { signal: new AbortController().signal, timeoutMs: 30_000, callId: `call-${lastCall}`, ...more };
}

/** The frames of one call that a hub has in memory. */
export function framesOf(hub: RecordedHub, callId: string): Frame[] {
  return hub.frames({ limit: 10_000 }).filter((frame) => frame.callId === callId);
}

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { createDeviceHub } from '../../../../../src-core/features/devices/deviceHub.ts';
import { openFrameLog } from '../../../../../src-core/features/frames/frameLog.ts';
import type { Frame } from '../../../../../src-core/contract/frames.ts';
import { framesOf, openTestStore } from '../../../../helpers/testStore.ts';
import type { DeviceHub, DeviceHubOptions } from '../../../../../src-core/features/devices/deviceHub.ts';
import { pictureReceiver } from '../../../../../src-core/features/vision/visionRoutes.ts';
import { VisionAccess } from '../../../../../src-core/features/vision/visionAccess.ts';
import { VisionDesk } from '../../../../../src-core/features/vision/visionDesk.ts';
import { createListener } from '../../../../../src-core/server/createListener.ts';
import { systemClock } from '../../../../../src-core/base/clock.ts';
import { createToolRegistryManager } from '../../../../../src-core/registry/toolRegistryManager.ts';
import type { ToolRegistryManager } from '../../../../../src-core/registry/toolRegistryManager.ts';
import { invokeOptions } from './openHub.ts';
import { connectScripted } from './scriptedDevice.ts';
import type { ScriptedDevice } from './scriptedDevice.ts';

/** The device that must notice nothing of an attack. */
export const goodId = '02:00:00:00:90:0d';

/** Whoever attacks as a device. */
export const badId = '02:00:00:00:00:bd';

/** A hub with a device on it, and whoever else a test lets loose on it. */
export interface Besieged {
  hub: DeviceHub;
  /** The frames of a device, oldest first. */
  framesOf: (deviceId: string) => Promise<Frame[]>;
  toolRegistryManager: ToolRegistryManager;
  desk: VisionDesk;
  port: number;
  wsUrl: string;
  good: ScriptedDevice;
  /** Calls the good device's tool: it answers, whatever else goes on. */
  serves: () => Promise<void>;
  /**
   * Waits until all that is left open is what was before the attack, and checks that the good device is still served and
   * nothing was thrown or rejected unheard.
   */
  calm: () => Promise<void>;
  /** Bytes that this process holds, after all garbage is gone. */
  heldBytes: () => number;
}

/** `remote`: all clients after the good device connect from another machine. `requestMs`: the time limit of an HTTP request, in ms. */
export async function besiege({
  remote = false,
  requestMs = 10_000,
  ...options
}: Partial<DeviceHubOptions> & { remote?: boolean; requestMs?: number } = {}): Promise<Besieged> {
  const unheard: unknown[] = [];
  const hear = (reason: unknown): void => void unheard.push(reason);
  process.on('unhandledRejection', hear);
  const desk = new VisionDesk({
    clock: systemClock,
    policy: () => ({ answer: 'canned', cannedText: 'A picture.' }),
    answerPicture: () => undefined,
    onChange: () => {},
  });
  const listener = createListener({ port: 0, onError: hear, headersTimeoutMs: requestMs, requestTimeoutMs: requestMs });
  const toolRegistryManager = createToolRegistryManager();
  let isLocal = true;
  const frames = await openFrameLog({ store: openTestStore().wire, limitMb: 64, onError: hear });
  const hub = createDeviceHub({ listener, toolRegistryManager, frames, isLocal: () => isLocal, ...options });
  hub.takePictures(pictureReceiver({ access: new VisionAccess(), desk }));
  const { port } = await listener.listen();
  onTestFinished(async () => {
    await hub.close();
    frames.close();
    await listener.close();
    process.off('unhandledRejection', hear);
  });
  const wsUrl = `ws://127.0.0.1:${port}/xiaozhi/v1/`;
  const good = await connectScripted(wsUrl, { headers: { 'Device-Id': goodId } });
  good.hello();
  await new Promise<void>((resolve) => {
    const stop = hub.onChange(() => {
      if (hub.device(goodId)?.state !== 'ready') return;
      stop();
      resolve();
    });
  });
  isLocal = !remote;
  // Its timer is a handle, too.
  frames.flush();
  const before = openHandles();
  const serves = async (): Promise<void> => {
    const registry = toolRegistryManager.getAllTools().find(({ source }) => source.id === goodId);
    const output = await registry?.invoke('self.get_device_status', {}, invokeOptions());
    expect(output?.value).toBe('true');
  };
  return {
    hub,
    framesOf: (deviceId) => framesOf(frames.log(deviceId)),
    toolRegistryManager,
    desk,
    port,
    wsUrl,
    good,
    serves,
    calm: async () => {
      while (openHandles() > before) await nextTurn();
      await serves();
      const open = hub
        .devices()
        .filter(({ state }) => state !== 'closed' && state !== 'failed' && state !== 'announced');
      expect(open.map(({ id }) => id)).toEqual([goodId]);
      expect(unheard).toEqual([]);
    },
    heldBytes: () => {
      setFlagsFromString('--expose-gc');
      (runInNewContext('gc') as () => void)();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    },
  };
}

/** Sockets of both ends, connections that are being made, and timers. */
function openHandles(): number {
  return process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP') || name === 'Timeout').length;
}

/** The token that the good device posts pictures with. */
export function visionToken({ good }: Besieged): string {
  const { params } = good.requests.find(({ method }) => method === 'initialize') ?? {};
  return (params as { capabilities: { vision: { token: string } } }).capabilities.vision.token;
}

/** A device beside the good one; what becomes of its socket is no error of the test. */
export async function intrude(
  { wsUrl }: Besieged,
  options: Parameters<typeof connectScripted>[1] = {},
): Promise<ScriptedDevice> {
  const device = await connectScripted(wsUrl, { headers: { 'Device-Id': badId }, ...options });
  device.socket.on('error', () => {});
  return device;
}

/** A JSON value within 100,000 objects. */
export function deep(value: string): string {
  return `${'{"a":'.repeat(100_000)}${value}${'}'.repeat(100_000)}`;
}

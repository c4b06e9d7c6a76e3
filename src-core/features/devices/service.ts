import type { devices } from '../../contract/devices.ts';
import type { Implementation } from '../../contract/implementation.ts';
import type { ListenerInfo } from '../../contract/types.ts';
import type { DeviceHub } from './deviceHub.ts';
import type { VirtualProfile } from './virtual/profile.ts';
import { createVirtualDevice, type VirtualDevice } from './virtual/virtualDevice.ts';
import { createVirtualDeviceOf, virtualProfileIds, virtualProfileOf } from './virtual/profiles.ts';
import { deviceAddresses, deviceUrls } from './listener/deviceAddresses.ts';
import { RequestError } from '../../base/requestError.ts';
import type { EarlierDevices } from './earlierDevices.ts';
import { storedDevice } from './storedDevice.ts';
import type { StoredDevice } from '../../store/frameTypes.ts';
import { readFaults } from './virtual/readFaults.ts';

/** How a virtual device was added. */
type Added = NonNullable<StoredDevice['added']>;

/** Virtual devices at once; each is a real socket and a little state. */
const maxVirtualDevices = 50;

/** Devices on the wire, and those we start ourselves. `close` ends the virtual ones. */
export function createDevicesService(options: {
  hub: DeviceHub;
  earlier: EarlierDevices;
  /** The state of the device listener. */
  info: () => ListenerInfo;
  /** Where devices of other machines connect, if not at the listener's own addresses; empty otherwise. */
  publicUrl: () => string;
  /** Rejects with a `RequestError` if the port cannot be bound. */
  listen: (port: number) => Promise<void>;
}) {
  const { hub, earlier } = options;
  const virtual = createOwnDevices(() => otaUrlOf(options.info()));

  const service = {
    list: () =>
      [...hub.devices(), ...earlier.list()].map((info) => (virtual.has(info.id) ? { ...info, ours: true } : info)),
    addVirtual: ({ profile, name = freeName(profile, hub), faults = [], latencyMs }) =>
      virtual.add({ profile, name, faults, latencyMs }),
    async disconnect({ id }) {
      const device = virtual.running(id);
      if (!device) return hub.disconnect(id);
      virtual.delete(id);
      await device.close();
    },
    pullPlug({ id }) {
      const device = virtual.running(id);
      if (!device) throw new RequestError('Only a virtual device has a power switch here. Use Disconnect.');
      device.pullPlug();
    },
    async press({ id }) {
      const device = virtual.get(id);
      if (device) return device.press();
      const how = earlier.howAdded(id);
      if (!how) throw new RequestError('Only a connected virtual device has a button that you can press here.');
      await virtual.add(how, id);
    },
    // A virtual device stays switched off: if it is restored, it can be powered on.
    forget: ({ id }) => earlier.forget(id),
    forgetDisconnected: () => earlier.forgetAll(),
    refreshTools: ({ id }, signal?) => hub.refreshTools(id, signal),
    approve({ id, clientId }) {
      hub.approve(id, clientId);
      return {};
    },
    refuse({ id }) {
      hub.refuse(id);
      return {};
    },
    send: (input) => hub.send(input),
    connectionFacts: () => ({
      addresses: deviceAddresses(options.info(), options.publicUrl()),
      accessToken: hub.accessToken(),
    }),
    listen: ({ port }) => options.listen(port),
  } satisfies Implementation<typeof devices>;
  return {
    service,
    /** Starts a virtual device of a profile that has no name. */
    startVirtual: (profile: VirtualProfile, name: string) =>
      virtual.start((url) => createVirtualDevice({ url, profile, name })),
    /** What is stored of a device of the hub. */
    describe(id: string): StoredDevice | undefined {
      const info = hub.device(id);
      const added = virtual.howAdded(id);
      return (
        info && {
          ...storedDevice(info, hub.isConnected(id), hub.callFault(id)),
          ...(added !== undefined && { added }),
        }
      );
    },
    /** Says something into the microphone of a virtual device: samples of one channel, 16,000 a second. */
    async say(id: string, pcm: Int16Array, signal?: AbortSignal) {
      const device = virtual.running(id);
      if (!device) throw new RequestError('Only a virtual device can play a file.', { field: 'deviceId' });
      await device.say(pcm, { signal });
    },
    close: virtual.close,
  };
}

const isOff = (device: VirtualDevice): boolean => device.state() === 'closed';

/** @throws {RequestError} If the listener is not open. */
function otaUrlOf({ error, port }: ListenerInfo): string {
  if (error !== undefined) throw new RequestError(`No device can connect: ${error}`);
  return deviceUrls('127.0.0.1', port).otaUrl;
}

/** The virtual devices of the workbench, by Device-Id, which is also their id in the hub. */
function createOwnDevices(otaUrl: () => string) {
  /** One whose connection was lost connects again when its button is pressed. */
  const devices = new Map<string, VirtualDevice>();
  const added = new WeakMap<VirtualDevice, Added>();

  async function start(make: (url: string) => VirtualDevice): Promise<{ deviceId: string }> {
    for (const [id, device] of devices) if (devices.size >= maxVirtualDevices && isOff(device)) devices.delete(id);
    if (devices.size >= maxVirtualDevices)
      throw new RequestError(`${maxVirtualDevices} virtual devices run already. Disconnect one first.`);
    const device = make(otaUrl());
    devices.set(device.deviceId, device);
    try {
      await device.connect();
    } catch (error) {
      devices.delete(device.deviceId);
      throw error;
    }
    return { deviceId: device.deviceId };
  }

  return {
    has: (id: string) => devices.has(id),
    get: (id: string) => devices.get(id),
    running: (id: string) => [devices.get(id)].find((one) => one && !isOff(one)),
    delete: (id: string) => devices.delete(id),
    start,
    /** Starts one; `deviceId` is that of an earlier run. */
    add: (how: Added, deviceId?: string) =>
      start((url) => {
        const { profile, name, faults, latencyMs } = how;
        const device = createVirtualDeviceOf(profile, {
          url,
          faults: readFaults(faults),
          ...(name !== undefined && { name }),
          ...(latencyMs !== undefined && { latencyMs }),
          ...(deviceId !== undefined && { deviceId }),
        });
        added.set(device, how);
        return device;
      }),
    howAdded(id: string): Added | undefined {
      const device = devices.get(id);
      return device && added.get(device);
    },
    async close() {
      await Promise.all([...devices.values()].map((device) => device.close()));
    },
  };
}

/** The board's name, with a number if another device has it. */
function freeName(profile: string | undefined, hub: Pick<DeviceHub, 'devices'>): string | undefined {
  const board = virtualProfileOf(profile ?? virtualProfileIds[0] ?? '')?.board;
  const taken = new Set(hub.devices().map(({ name }) => name));
  if (board === undefined || !taken.has(board)) return undefined;
  let n = 2;
  while (taken.has(`${board} ${n}`)) n += 1;
  return `${board} ${n}`;
}

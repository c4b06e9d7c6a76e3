import type { DeviceHub } from '../devices/deviceHub.ts';
import type { VirtualDevice } from '../devices/virtual/virtualDevice.ts';
import { createVirtualDeviceOf } from '../devices/virtual/profiles.ts';
import { RequestError } from '../tools/requestError.ts';
import type { DevicesService } from './services.ts';

/** Virtual devices at once; each is a real socket and a little state. */
const maxVirtualDevices = 50;

/** Devices on the wire, and those we start ourselves. `close` ends the virtual ones. */
export function createDevicesService(options: {
  hub: DeviceHub;
  /**
   * The OTA address of our own listener, on this machine.
   * @throws RequestError where nothing listens.
   */
  otaUrl: () => string;
}): DevicesService & { close(): Promise<void> } {
  const { hub } = options;
  const virtual = new Map<string, VirtualDevice>();

  const virtualOf = (id: string): VirtualDevice | undefined => {
    const mac = hub.devices().find((device) => device.id === id)?.deviceId;
    return mac === undefined ? undefined : virtual.get(mac);
  };

  return {
    list: () => hub.devices(),
    async addVirtual({ profile, name }) {
      if (virtual.size >= maxVirtualDevices) {
        throw new RequestError(`${maxVirtualDevices} virtual devices run already. Disconnect one first.`);
      }
      const device = createVirtualDeviceOf(profile, {
        url: options.otaUrl(),
        ...(name !== undefined && { name }),
        onState: (state) => {
          if (state === 'closed') virtual.delete(device.deviceId);
        },
      });
      virtual.set(device.deviceId, device);
      try {
        await device.connect();
      } catch (error) {
        virtual.delete(device.deviceId);
        throw error;
      }
      return { deviceId: device.deviceId };
    },
    async disconnect(id) {
      const device = virtualOf(id);
      if (device) await device.close();
      else hub.disconnect(id);
    },
    pullPlug(id) {
      const device = virtualOf(id);
      if (!device) throw new RequestError('Only a virtual device has a plug to pull from here. Use Disconnect.');
      device.pullPlug();
    },
    forget: (id) => hub.forget(id),
    refreshTools: (id) => hub.refreshTools(id),
    frames: ({ id, callId, afterSeq, limit }) =>
      hub.frames({
        limit,
        ...(id !== undefined && { deviceId: id }),
        ...(callId !== undefined && { callId }),
        ...(afterSeq !== undefined && { afterSeq }),
      }),
    async close() {
      await Promise.all([...virtual.values()].map((device) => device.close()));
    },
  };
}

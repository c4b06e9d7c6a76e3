import type { DeviceInfo } from '../api/types.ts';
import type { DeviceHub } from '../devices/deviceHub.ts';
import type { StoredDevice, WireStore } from '../store/frameTypes.ts';
import type { WireRecorder } from './wireRecorder.ts';

/** Devices of earlier runs that the log still knows. */
export interface EarlierDevices {
  /** Those that have not come again, the one last heard of first. */
  list(): DeviceInfo[];
  has(id: string): boolean;
  /** Forgets a device with its log, of this run or an earlier one. */
  forget(id: string): void;
}

/** The most that are listed; the logs of others are kept until the limit lets them go. */
const maxListed = 64;

/** Reads the devices of earlier runs once: those of this run are the hub's. */
export function createEarlierDevices(options: {
  wire: Pick<WireStore, 'devices' | 'forget'>;
  hub: Pick<DeviceHub, 'device'>;
  recorder: Pick<WireRecorder, 'flush'>;
  onChange: () => void;
}): EarlierDevices {
  const { wire, hub, recorder, onChange } = options;
  let earlier = wire.devices().slice(0, maxListed);
  return {
    list: () => earlier.filter(({ id }) => hub.device(id) === undefined).map(toInfo),
    has: (id) => earlier.some((device) => device.id === id),
    forget(id) {
      // What came a moment ago is forgotten, too.
      recorder.flush();
      wire.forget(id);
      earlier = earlier.filter((device) => device.id !== id);
      onChange();
    },
  };
}

function toInfo(device: StoredDevice): DeviceInfo {
  return {
    ...device,
    state: 'closed',
    toolCount: 0,
    remote: false,
    doctor: { steps: [] },
    counters: { framesIn: 0, framesOut: 0, binaryIn: 0, invalidIn: 0 },
  };
}

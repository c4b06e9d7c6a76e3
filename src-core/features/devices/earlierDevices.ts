import type { DeviceHealth, DeviceInfo, DoctorReport, DoctorStep, ForgottenDevices } from '../../contract/types.ts';
import type { DeviceApprovals } from './entry/deviceApprovals.ts';
import type { DeviceHub } from './deviceHub.ts';
import { doctorCauses, frameFaults } from '../../contract/deviceInfo.ts';
import { deviceHealth } from './health/deviceHealth.ts';
import { callFaultCauses, type CallFault } from './wire/rpcPeer.ts';
import { defaultDeviceLimits } from './limits.ts';
import { healthWords } from './health/healthWords.ts';
import type { StoredDevice, StoredLog, WireStore } from '../../store/frameTypes.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import type { RemovedBin } from '../trash/removedBin.ts';
import type { FrameLog } from '../frames/frameLog.ts';

/** Devices of earlier runs that the log still knows. */
export interface EarlierDevices {
  /** The devices that have not connected again, the last seen one first; with the hub's disconnected ones at most `maxGone`. */
  list(): DeviceInfo[];
  /** How a virtual device of the workbench was added. */
  howAdded(id: string): StoredDevice['added'];
  /** What came of its last call. */
  callFault(id: string): CallFault | undefined;
  /** Returns whether another listed device than `id` had the tool id, so that open tabs and saved calls refer to that device. */
  isReserved(registryId: string, id: string): boolean;
  /** Whether another node has the device: its approval stays then. */
  isElsewhere: (id: string) => boolean;
  /** Forgets a device with its log, of this run or an earlier one; both can be restored. */
  forget(id: string): Promise<void>;
  /** Forgets all that have disconnected, also those that are not listed. */
  forgetAll(): Promise<ForgottenDevices>;
}

/** Reads the devices of earlier runs once: those of this run are the hub's. */
export async function createEarlierDevices(options: {
  wire: Pick<WireStore, 'devices' | 'device' | 'drop'>;
  hub: Pick<DeviceHub, 'devices' | 'device' | 'forget'>;
  frames: Pick<FrameLog, 'flush' | 'log' | 'setAside' | 'putBack'>;
  /** By Device-Id, which is the hub's id of a device that names itself. */
  approvals: Pick<DeviceApprovals, 'get' | 'set' | 'delete'>;
  bin: Pick<RemovedBin, 'handle' | 'put'>;
  /** Is told which tools these devices had. */
  toolRegistryManager: Pick<ToolRegistryManager, 'addDeparted'>;
  /** What the user calls the device of this Device-Id. */
  givenName: (deviceId: string) => string | undefined;
  onChange: () => void;
}): Promise<EarlierDevices> {
  const { wire, hub, frames, approvals, bin, toolRegistryManager, givenName, onChange } = options;
  // The logs of the others are kept until the store needs their space.
  const known = (await wire.devices()).slice(0, defaultDeviceLimits.maxGone);
  let earlier = await Promise.all(known.map((device) => withLastFrame(device, frames.log(device.id))));
  for (const { id, deviceId, name, registryId, left, lastSeenAt } of earlier.toReversed()) {
    if (registryId === undefined) continue;
    const source = { kind: 'device' as const, id, label: givenName(deviceId) ?? name };
    toolRegistryManager.addDeparted({ id: registryId, source, leftAt: left?.at ?? lastSeenAt });
  }

  bin.handle('device', {
    async restore({ id: key, of, text: clientId }) {
      await frames.putBack(key, of);
      const device = await wire.device(of);
      if (device !== undefined) earlier = [device, ...earlier.filter(({ id }) => id !== of)];
      if (clientId !== undefined && approvals.get(of) === undefined) approvals.set(of, clientId);
      onChange();
    },
    discard: ({ id: key }) => wire.drop(key),
  });
  const hasLeft = ({ state, leftAt }: DeviceInfo): boolean =>
    state === 'closed' || (state === 'failed' && leftAt !== undefined);
  const devices: EarlierDevices = {
    isElsewhere: () => false,
    list: () =>
      earlier
        .filter(({ id }) => hub.device(id) === undefined)
        .slice(0, Math.max(0, defaultDeviceLimits.maxGone - hub.devices().filter(hasLeft).length))
        .map((device) => toInfo(device, givenName(device.deviceId))),
    howAdded: (id) => earlier.find((device) => device.id === id)?.added,
    isReserved: (registryId, id) => isOfOthers(earlier, { registryId, id }),
    callFault: (id) => faultOf(earlier.find((device) => device.id === id)?.callFault),
    async forget(id) {
      // What came a moment ago is forgotten, too. It is written while the hub still describes the device.
      frames.flush();
      const stored = await wire.device(id);
      if (hub.device(id) !== undefined || stored === undefined) hub.forget(id);
      const clientId = approvals.get(id);
      const name = (stored && (givenName(stored.deviceId) ?? stored.name)) ?? id;
      if ((await frames.log(id).bounds()) !== undefined) {
        const key = bin.put({ kind: 'device', name, of: id, ...(clientId !== undefined && { text: clientId }) });
        await frames.setAside(id, { key, keepFacts: false });
      }
      // A device that is no longer known asks again.
      if (!devices.isElsewhere(id)) approvals.delete(id);
      earlier = earlier.filter((device) => device.id !== id);
      onChange();
    },
    async forgetAll() {
      const stored = (await wire.devices()).filter(({ id }) => hub.device(id) === undefined);
      const outcome: ForgottenDevices = { forgotten: [], failed: [] };
      for (const { id, deviceId, name } of [...hub.devices().filter(hasLeft), ...stored]) {
        try {
          await devices.forget(id);
          outcome.forgotten.push(id);
        } catch (error) {
          outcome.failed.push({
            name: givenName(deviceId) ?? name,
            reason: error instanceof Error ? error.message : String(error),
          });
        }
      }
      return outcome;
    },
  };
  return devices;
}

function isOfOthers(earlier: StoredDevice[], { registryId, id }: { registryId: string; id: string }): boolean {
  const holders = earlier.filter((device) => device.registryId === registryId);
  return holders.length > 0 && holders.every((device) => device.id !== id);
}

/** An engine that was killed has stored the frames of its devices, but not when each was last active. */
async function withLastFrame(device: StoredDevice, log: StoredLog): Promise<StoredDevice> {
  const bounds = device.connected === true ? await log.bounds() : undefined;
  if (bounds === undefined) return device;
  const [last] = await log.rows({ afterSeq: bounds.last - 1, limit: 1 });
  return { ...device, lastSeenAt: Math.max(device.lastSeenAt, last?.at ?? 0) };
}

function toInfo(stored: StoredDevice, given: string | undefined): DeviceInfo {
  const { connected = false, left, error, registryId, doctor, callFault, added, ...device } = stored;
  const name = given ?? device.name;
  // The engine before this one was killed while it was connected.
  const ended = { code: 'toolwire-ended' as const, message: `Toolwire ended while ${name} was connected.` };
  const reason = connected ? ended : error;
  const fault = faultOf(callFault)?.cause;
  // It had come back, and the end of the engine does not change that.
  const wasBack = connected && fault === 'back-after-crash';
  return {
    remote: false,
    ...device,
    name,
    ...(given !== undefined && { ownName: device.name }),
    state: 'closed',
    health: left === undefined ? deviceHealth(wasBack ? 'ready' : 'closed', undefined, fault) : healthOf(left),
    ...(registryId !== undefined && { lastRegistryId: registryId }),
    ...(added !== undefined && { ours: true }),
    ...(left !== undefined && { leftAt: left.at }),
    ...(reason !== undefined && { error: reason }),
    toolCount: 0,
    doctor: reportOf(connected && doctor !== undefined ? { ...doctor, cause: fault ?? 'toolwire-ended' } : doctor),
    counters: { framesIn: 0, framesOut: 0, binaryIn: 0, invalidIn: 0 },
  };
}

/** Another version may have stored a health that this one does not know. */
function healthOf({ health }: NonNullable<StoredDevice['left']>): DeviceHealth {
  return Object.hasOwn(healthWords, health) ? (health as DeviceHealth) : 'closed';
}

function faultOf(stored: StoredDevice['callFault']): CallFault | undefined {
  const cause = callFaultCauses.find((each) => each === stored?.cause);
  if (stored === undefined || cause === undefined) return undefined;
  const { id, tookMs, at } = stored;
  const fault = frameFaults.find((each) => each === stored.fault);
  return { id, cause, tookMs, at, ...(fault !== undefined && { fault }) };
}

/** The last report of its connection, which waits for nothing any more. What only another version knows is left out. */
function reportOf({ steps, cause, faults = [] }: NonNullable<StoredDevice['doctor']> = { steps: [] }): DoctorReport {
  const known = doctorCauses.find((one) => one === cause);
  const knownFaults = frameFaults.filter((one) => faults.includes(one));
  const ended = steps.map((step) => (step.state === 'current' ? { ...step, state: 'open' } : step)) as DoctorStep[];
  return {
    steps: ended,
    ...(known !== undefined && { cause: known }),
    ...(knownFaults.length > 0 && { faults: knownFaults }),
  };
}

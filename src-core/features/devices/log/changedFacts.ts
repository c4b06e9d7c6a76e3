import type { DeviceInfo } from '../../../contract/types.ts';
import type { DeviceHub } from '../deviceHub.ts';
import type { StoredDevice } from '../../../store/frameTypes.ts';

/** Which devices have something new to keep. */
export interface ChangedFacts {
  /** A device may have changed. */
  add(id: string): void;
  /** The facts of those that have, since they were taken last. */
  take(): StoredDevice[];
  /** They were not kept, and are taken again. */
  giveBack(devices: readonly StoredDevice[]): void;
}

/** Gathers what the log keeps of devices. Figures that move every second are no reason to write them again. */
export function createChangedFacts(hub: () => Pick<DeviceHub, 'device' | 'isConnected'> | undefined): ChangedFacts {
  const changed = new Set<string>();
  /** By device: what it was when it was taken last. */
  const kept = new Map<string, string>();

  return {
    add: (id) => void changed.add(id),
    take() {
      const devices: StoredDevice[] = [];
      for (const id of changed) {
        const info = hub()?.device(id);
        if (info === undefined) {
          kept.delete(id);
          continue;
        }
        const { deviceId, name, board, firmware, virtual, connectedAt, lastSeenAt, state, error, doctor } = info;
        const registryId = info.registryId ?? info.lastRegistryId;
        const left = leftOf(info);
        // A second connection of the device may still be open after the one that is shown has ended.
        const connected = left === undefined && hub()?.isConnected(id) === true;
        const facts = [name, board, firmware, virtual, connectedAt, state, connected, left, error, registryId, doctor];
        const key = JSON.stringify(facts);
        if (kept.get(id) === key) continue;
        kept.set(id, key);
        devices.push({
          id,
          deviceId,
          name,
          virtual,
          connectedAt,
          lastSeenAt,
          doctor,
          ...(board !== undefined && { board }),
          ...(firmware !== undefined && { firmware }),
          ...(connected && { connected }),
          ...(left !== undefined && { left }),
          ...(error !== undefined && { error }),
          ...(registryId !== undefined && { registryId }),
        });
      }
      changed.clear();
      return devices;
    },
    giveBack(devices) {
      for (const { id } of devices) {
        kept.delete(id);
        changed.add(id);
      }
    },
  };
}

function leftOf({ leftAt, health }: DeviceInfo): StoredDevice['left'] {
  return leftAt === undefined ? undefined : { at: leftAt, health };
}

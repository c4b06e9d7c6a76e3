import type { DeviceInfo } from '../../../contract/types.ts';
import type { DeviceHub } from '../deviceHub.ts';
import type { StoredDevice } from '../../../store/frameTypes.ts';

/** Which devices have something new to keep. */
export interface ChangedFacts {
  /** A device may have changed. */
  add(id: string): void;
  /** The facts of those that have, since they were kept last. */
  list(): StoredDevice[];
  /** They are kept. */
  keep(devices: readonly StoredDevice[]): void;
}

/** Gathers what the log keeps of devices. Figures that move every second are no reason to write them again. */
export function createChangedFacts(hub: () => Pick<DeviceHub, 'device' | 'isConnected'> | undefined): ChangedFacts {
  const changed = new Set<string>();
  /** By device: what it was when it was kept last. */
  const kept = new Map<string, string>();
  const seen = new Map<string, string>();

  return {
    add: (id) => void changed.add(id),
    list() {
      seen.clear();
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
        seen.set(id, key);
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
      return devices;
    },
    keep(devices) {
      changed.clear();
      for (const { id } of devices) kept.set(id, seen.get(id) ?? '');
    },
  };
}

function leftOf({ leftAt, health }: DeviceInfo): StoredDevice['left'] {
  return leftAt === undefined ? undefined : { at: leftAt, health };
}

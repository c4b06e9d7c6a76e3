import * as z from 'zod';

import { unlessStorageFails } from '../../../store/storageError.ts';
import type { SettingsStore } from '../../../store/types.ts';

const key = 'devices.approvals';
/** Devices, as many as a cluster shares; past this many those approved longest ago ask again. */
const maxApprovals = 10_000;
const pairs = z.array(z.tuple([z.string().max(64), z.string().max(64)])).max(maxApprovals);

/** The approved devices, kept over restarts. What is stored and cannot be read counts as empty and is reported to `onError`. */
export function createKeptApprovals(store: SettingsStore, onError: (error: unknown) => void) {
  let approvals = new Map<string, string>();
  try {
    approvals = new Map(pairs.parse(store.get(key) ?? []));
  } catch (cause) {
    onError(new Error('The list of approved devices is not valid. Each device of the network asks again.', { cause }));
  }
  const keep = (): void => store.set(key, [...approvals]);
  let isHeld = false;
  let isKept = true;
  let notify: (deviceId: string) => void = () => undefined;
  return {
    entries: () => approvals.entries(),
    /** The one listener gets the id of each device that a user approves or no longer approves. Returns the function that removes it. */
    onChange: (listener: (deviceId: string) => void) => {
      notify = listener;
      return () => void (notify = () => undefined);
    },
    get: (deviceId: string) => approvals.get(deviceId),
    set(deviceId: string, clientId: string) {
      approvals.delete(deviceId);
      approvals.set(deviceId, clientId);
      const [oldest] = approvals.keys();
      if (approvals.size > maxApprovals && oldest !== undefined) approvals.delete(oldest);
      // The device may work now, whether or not the approval outlives this run.
      if (isHeld) isKept = false;
      else unlessStorageFails(keep);
      notify(deviceId);
      return approvals;
    },
    /** Those that `work` sets are stored together. */
    together(work: () => void): void {
      isHeld = true;
      try {
        work();
      } finally {
        isHeld = false;
        if (!isKept) unlessStorageFails(keep);
        isKept = true;
      }
    },
    delete(deviceId: string) {
      const wasThere = approvals.delete(deviceId);
      try {
        if (wasThere) keep();
      } finally {
        // It has to ask again in this run, whether or not that is stored.
        if (wasThere) notify(deviceId);
      }
      return wasThere;
    },
  };
}

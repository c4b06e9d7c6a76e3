import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { announceRunning, DataDirInUseError, withdrawRunning } from '../api/runningWorkbench.ts';
import { lockDataDir } from '../store/dataDirLock.ts';
import { openCheckedStore } from '../store/openCheckedStore.ts';
import type { Store } from '../store/types.ts';
import type { ErrorReporter } from '../tools/reportError.ts';

/**
 * Takes ownership of a data directory, creating it if it is missing, and opens its store. Closing the store releases the
 * directory.
 * @throws DataDirInUseError if another workbench owns the directory; Error naming the file if it cannot be opened.
 */
export async function openOwnedStore(options: { dataDir: string; onError: ErrorReporter }): Promise<Store> {
  const { dataDir, onError } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = lockDataDir(dataDir);
  if (lock === undefined) throw new DataDirInUseError(dataDir);
  const release = (): void => {
    withdrawRunning(dataDir);
    lock.release();
  };
  try {
    // A process that finds the directory locked can name this one before it serves.
    announceRunning(dataDir, { pid: process.pid });
    const store = await openCheckedStore({ path: join(dataDir, 'toolwire.db'), onError });
    return {
      ...store,
      close() {
        store.close();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

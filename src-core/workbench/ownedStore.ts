import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { announceRunning, DataDirInUseError, withdrawRunning } from '../api/runningWorkbench.ts';
import { lockDataDir } from '../store/dataDirLock.ts';
import { openCheckedStore } from '../store/openCheckedStore.ts';
import type { StorageFault, StorageState } from '../store/storageState.ts';
import type { Store } from '../store/types.ts';
import type { ErrorReporter } from '../tools/reportError.ts';

/**
 * Takes ownership of a data directory, creating it if it is missing, and opens its store. Closing the store releases the
 * directory. `onError` gets one sentence when writing begins to fail, and one when it works again; `onChange` is called
 * after each change of the store's health.
 * @throws DataDirInUseError if another workbench owns the directory; Error naming the file if it cannot be opened.
 */
export async function openOwnedStore(options: {
  dataDir: string;
  onError: ErrorReporter;
  onChange: () => void;
}): Promise<Store> {
  const { dataDir, onError, onChange } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = lockDataDir(dataDir);
  if (lock === undefined) throw new DataDirInUseError(dataDir);
  const release = (): void => {
    if (lock.isHeld) withdrawRunning(dataDir);
    lock.release();
  };
  try {
    // A process that finds the directory locked can name this one before it serves.
    if (lock.isHeld) announceRunning(dataDir, { pid: process.pid });
    const store = await openCheckedStore({ path: join(dataDir, 'toolwire.db'), onError, mayWrite: lock.isHeld });
    if (store.notice !== undefined) onError(new Error(store.notice), 'the store');
    const report = createStorageReporter(onError);
    store.health.onChange = () => {
      report(store.health.state());
      onChange();
    };
    report(store.health.state());
    return {
      ...store,
      close() {
        try {
          store.close();
        } finally {
          release();
        }
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Returns a function that reports each change of the fault, and the first damaged row, in a sentence for a terminal. */
function createStorageReporter(onError: ErrorReporter): (state: StorageState) => void {
  let reported: StorageFault | undefined;
  let isDamageReported = false;
  return ({ dir, fault, reason = '', unreadable }) => {
    if (fault !== reported) onError(new Error(faultSentence(dir, fault, reason)), 'the store');
    reported = fault;
    if (isDamageReported || Object.keys(unreadable).length === 0) return;
    isDamageReported = true;
    onError(new Error(`Some entries in ${dir} are damaged. They are hidden; everything else is shown.`), 'the store');
  };
}

function faultSentence(dir: string, fault: StorageFault | undefined, reason: string): string {
  const unkept =
    'Calls and devices work, but history and wire logs are not kept, and chats and settings cannot be changed';
  switch (fault) {
    case undefined:
      return `${dir} can be written again.`;
    case 'full':
      return `The disk that holds ${dir} is full. ${unkept} until there is room.`;
    case 'read-only':
      return `${dir} is read-only. ${unkept} until Toolwire may write there.`;
    case 'damaged':
      return `The database in ${dir} is damaged (${reason}). ${unkept} reliably. Start Toolwire again: it is moved aside then.`;
    case 'failed':
      return `${dir} cannot be written (${reason}). ${unkept} until that works.`;
  }
}

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { announceRunning, DataDirInUseError, withdrawRunning } from './rpc/runningWorkbench.ts';
import { lockDataDir } from './store/dataDirLock.ts';
import { connectStore } from './store/connectStore.ts';
import type { StorageState } from './contract/types.ts';
import { openCheckedStore } from './store/openStore.ts';
import type { Store } from './store/types.ts';
import type { ErrorReporter } from './base/reportError.ts';

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
  openTables?: typeof openCheckedStore | undefined;
}): Promise<Store> {
  const { dataDir, onError, onChange, openTables = openCheckedStore } = options;
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
    const path = join(dataDir, 'toolwire.db');
    const store = connectStore(await openTables({ path, onError, mayWrite: lock.isHeld }));
    if (store.notice !== undefined) onError(store.notice, 'the store');
    const report = createStorageReporter(onError);
    store.health.onChange = () => {
      report(store.health.state());
      onChange();
    };
    report(store.health.state());
    return { ...store, close: () => store.close().finally(release) };
  } catch (error) {
    release();
    throw error;
  }
}

/** Returns a function that reports each change of the fault, and the first damaged row, in a sentence for a terminal. */
function createStorageReporter(onError: ErrorReporter): (state: StorageState) => void {
  let reported = '';
  let isDamageReported = false;
  return (state) => {
    const { dir, unreadable } = state;
    const sentence = faultSentence(state);
    // A text, not an Error: where it was noticed says nothing.
    if (sentence !== reported) onError(sentence || `${dir} can be written again.`, 'the store');
    reported = sentence;
    if (isDamageReported || Object.keys(unreadable).length === 0) return;
    isDamageReported = true;
    onError(`Some entries in ${dir} are damaged. They are hidden; everything else is shown.`, 'the store');
  };
}

/** What fails, what is not kept and what helps; empty if nothing fails. */
function faultSentence({ dir, fault, reason = '', untilRestart, isSolved }: StorageState): string {
  const unkept =
    'Calls and devices work, but history and wire logs are not kept, and chats and settings cannot be changed.';
  if (fault === undefined) return '';
  if (isSolved) return `${dir} can be written now. Start Toolwire again: until then nothing is saved.`;
  const end = untilRestart
    ? 'Solve this, then start Toolwire again.'
    : fault === 'full'
      ? 'Free some space: saving then resumes by itself.'
      : 'Saving resumes by itself once the directory can be written.';
  switch (fault) {
    case 'full':
      return `The disk that holds ${dir} is full. ${unkept} ${end}`;
    case 'read-only':
      return `${dir} is read-only. ${unkept} ${end}`;
    case 'damaged':
      return `The database in ${dir} is damaged (${reason}). ${unkept} Start Toolwire again: it is moved aside then.`;
    case 'failed':
      return `${dir} cannot be written (${reason}). ${unkept} ${end}`;
  }
}

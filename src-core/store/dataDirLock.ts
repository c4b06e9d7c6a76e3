import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { codeOf } from './damage.ts';

/** SQLite's result code if another process holds the lock. */
const busy = 5;

/** A data directory that this process owns until it releases it, or ends. */
export interface DataDirLock {
  /** False if the directory cannot be written: no lock is possible, so nothing may be written there. */
  readonly isHeld: boolean;
  /** Safe to call twice. */
  release(): void;
}

/**
 * Takes ownership of a data directory, without waiting. The lock is SQLite's on `toolwire.lock`: the operating system
 * releases it when the process ends, `kill -9` included. Returns undefined if another workbench owns the directory.
 */
export function lockDataDir(dataDir: string): DataDirLock | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(join(dataDir, 'toolwire.lock'));
    // No journal file: nothing is ever written to this database.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    if (database?.isOpen) database.close();
    return codeOf(error) === busy ? undefined : { isHeld: false, release: () => undefined };
  }
  const held = database;
  return {
    isHeld: true,
    release() {
      if (held.isOpen) held.close();
    },
  };
}

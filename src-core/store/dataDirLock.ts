import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { codeOf } from './damage.ts';

/** SQLite's result code if another process holds the lock. */
const busy = 5;

/** The databases that hold a lock. The garbage collector closes a database without references, and so releases its lock. */
const locks = new Set<DatabaseSync>();

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
    const path = join(dataDir, 'toolwire.lock');
    // Readable by its owner only: another user could hold a shared lock on it.
    closeSync(openSync(path, constants.O_CREAT, 0o600));
    database = new DatabaseSync(path);
    // SQLite opens a file that it may not write for reading, and BEGIN EXCLUSIVE then excludes no other process. The write
    // fails in that case. It is never committed, and the journal stays in memory.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE; PRAGMA user_version = 1');
  } catch (error) {
    if (database?.isOpen) database.close();
    return codeOf(error) === busy ? undefined : { isHeld: false, release: () => undefined };
  }
  const held = database;
  locks.add(held);
  return {
    isHeld: true,
    release() {
      if (locks.delete(held)) held.close();
    },
  };
}

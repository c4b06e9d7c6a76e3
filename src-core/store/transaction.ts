import type { DatabaseSync } from 'node:sqlite';

/** Runs changes all or nothing; what they throw comes out again, and nothing is changed. */
export function transaction<T>(database: DatabaseSync, run: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const value = run();
    database.exec('COMMIT');
    return value;
  } catch (error) {
    // SQLite itself has rolled back where the disk is full.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/**
 * The same for what only records what happened: calls, frames, runs. It is written at once and is there after `kill -9`, but
 * does not wait for the disk, which takes ms: a power cut may take the last of it, and damages nothing.
 */
export function logTransaction<T>(database: DatabaseSync, run: () => T): T {
  database.exec('PRAGMA synchronous = NORMAL');
  try {
    return transaction(database, run);
  } finally {
    database.exec('PRAGMA synchronous = FULL');
  }
}

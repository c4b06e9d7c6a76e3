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

import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Runs changes all or nothing. What they throw is thrown again, and nothing is changed. It waits until the disk has them. */
export function transaction<T>(database: DatabaseSync, run: () => T): T {
  database.exec('PRAGMA synchronous = FULL');
  try {
    return logTransaction(database, run);
  } finally {
    database.exec('PRAGMA synchronous = NORMAL');
  }
}

/**
 * The same for records of what happened: calls, frames, runs. They are there after `kill -9`, but the write does not wait for the disk,
 * which takes ms: a power cut may remove the last of them, and damages nothing.
 */
export function logTransaction<T>(database: DatabaseSync, run: () => T): T {
  const { begin, commit } = statementsOf(database);
  begin.run();
  try {
    const value = run();
    commit.run();
    return value;
  } catch (error) {
    // SQLite itself has rolled back if the disk is full.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

interface Statements {
  begin: StatementSync;
  commit: StatementSync;
}

/** Each call is a transaction: to parse the two statements takes a third of its time. */
const prepared = new WeakMap<DatabaseSync, Statements>();

/** Prepares the two statements again: those of before are not watched (`storageHealth.ts`). */
export function forgetStatements(database: DatabaseSync): void {
  prepared.delete(database);
}

function statementsOf(database: DatabaseSync): Statements {
  const known = prepared.get(database);
  if (known !== undefined) return known;
  const statements = { begin: database.prepare('BEGIN IMMEDIATE'), commit: database.prepare('COMMIT') };
  prepared.set(database, statements);
  return statements;
}

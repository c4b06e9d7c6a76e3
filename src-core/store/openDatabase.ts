import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

import { codeOf, isDamage, lookForDamage, suspectSuffix } from './damage.ts';
import { isUpToDate, migrate } from './migrations.ts';

/** Milliseconds that a write waits for another process to finish its own. */
const busyTimeoutMs = 2000;

/** The same while a database is made or brought up to date, which another process may be at: 100,000 calls take seconds. */
const migrationTimeoutMs = 60_000;

/** ms to the next attempt at what SQLite itself does not wait for. */
const retryMs = 20;

const busy = 5;

/**
 * Opens a database for one user only (0600), write-ahead, at this version's schema. A damaged file is moved aside and
 * a new one made; `lookForDamage` reads all of it for that, which takes seconds for hundreds of MB.
 * @throws {Error} Names the file, if it is locked, unreadable, or of a newer version.
 */
export function openDatabase(
  path: string,
  options: { lookForDamage: boolean } = { lookForDamage: false },
): { database: DatabaseSync; notice?: string; movedAside?: string } {
  try {
    return { database: open(path, options) };
  } catch (error) {
    if (!isDamage(error)) throw explained(error, path);
    const aside = `${path}.damaged-${new Date().toISOString().replaceAll(':', '-')}`;
    renameSync(path, aside);
    // What could not be carried over when it was closed.
    if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${aside}-wal`);
    for (const suffix of ['-shm', suspectSuffix]) rmSync(path + suffix, { force: true });
    return {
      database: open(path, { lookForDamage: false }),
      movedAside: aside,
      notice: `${path} was damaged (${messageOf(error)}). It is kept as ${aside}; history and settings start afresh.`,
    };
  }
}

/**
 * Opens a database whose disk cannot be written: as it is, or empty if it cannot be read without writing. Every write to
 * it fails as SQLite's READONLY.
 * @throws Error if a newer Toolwire made it.
 */
export function openUnwritable(path: string): DatabaseSync {
  const database = openImmutable(path);
  if (database !== undefined) {
    if (isUpToDate(database)) return database;
    database.close();
  }
  const empty = new DatabaseSync(':memory:');
  migrate(empty);
  empty.exec('PRAGMA query_only = 1');
  return empty;
}

function openImmutable(path: string): DatabaseSync | undefined {
  // Without its write-ahead log, the file may hold half of a change.
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return undefined;
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  try {
    const database = new DatabaseSync(url, { readOnly: true });
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return database;
  } catch {
    return undefined;
  }
}

function open(path: string, options: { lookForDamage: boolean }): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    if (options.lookForDamage) {
      lookForDamage(database, { logsToo: existsSync(path + suspectSuffix) });
      rmSync(path + suspectSuffix, { force: true });
    }
    // `auto_vacuum` counts for a new database only: pages that get free can go back to the disk (vacuum.ts).
    const patienceMs = isUpToDate(database) ? busyTimeoutMs : migrationTimeoutMs;
    database.exec(`PRAGMA busy_timeout = ${patienceMs}; PRAGMA auto_vacuum = INCREMENTAL`);
    writeAhead(database, patienceMs);
    migrate(database);
    database.exec(`PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = ${busyTimeoutMs}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLite fails at once if two processes switch a new database to WAL: it does not wait while it holds a lock. */
function writeAhead(database: DatabaseSync, patienceMs: number): void {
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (codeOf(error) !== busy || performance.now() > deadline) throw error;
    }
    Atomics.wait(nobody, 0, 0, retryMs);
  }
}

function explained(error: unknown, path: string): Error {
  const why =
    codeOf(error) === busy
      ? 'another process has locked it and keeps it so. End that process, or give another --data-dir.'
      : messageOf(error);
  return new Error(`${path} cannot be opened: ${why}`, { cause: error });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

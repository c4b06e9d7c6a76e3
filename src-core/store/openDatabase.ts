import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { migrate } from './migrations.ts';

/** Milliseconds that a write waits for another process to finish its own. */
const busyTimeoutMs = 2000;

/** The same while a database is made or brought up to date, which another process may be at: 100,000 calls take seconds. */
const migrationTimeoutMs = 60_000;

/** ms to the next attempt at what SQLite itself does not wait for. */
const retryMs = 20;

/** SQLite's result codes for a file that is damaged, and for one that is no database. */
const damaged = new Set([11, 26]);
const busy = 5;

/** Stands beside a database whose logs were found damaged in use. */
const suspectSuffix = '.suspect';

/**
 * Opens a database for one user only (0600), write-ahead, at this version's schema. A damaged file is moved aside and
 * a new one made.
 * @throws Error naming the file where it is locked, unreadable, or of a newer version.
 */
export function openDatabase(path: string): { database: DatabaseSync; notice?: string } {
  try {
    return { database: open(path) };
  } catch (error) {
    if (!damaged.has(codeOf(error))) throw explained(error, path);
    const aside = `${path}.damaged-${new Date().toISOString().replaceAll(':', '-')}`;
    renameSync(path, aside);
    for (const suffix of ['-wal', '-shm', suspectSuffix]) rmSync(path + suffix, { force: true });
    return {
      database: open(path),
      notice: `${path} was damaged (${messageOf(error)}). It is kept as ${aside}; history and settings start afresh.`,
    };
  }
}

/**
 * What went wrong with a database in use. Where it is damaged, the next start looks at all of it and moves it aside.
 */
export function explainUse(error: unknown, path: string): unknown {
  if (!damaged.has(codeOf(error))) return error;
  writeFileSync(path + suspectSuffix, '', { mode: 0o600 });
  return new Error(`${path} is damaged (${messageOf(error)}). Start Toolwire again: it is moved aside then.`, {
    cause: error,
  });
}

/** Looks for damage; in the logs, which may be gigabytes, only where there has been reason to. */
function check(database: DatabaseSync, path: string): void {
  const isSuspect = existsSync(path + suspectSuffix);
  const logs = isSuspect ? [] : ['wire_frames', 'capture_frames'];
  const tables = database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN (SELECT value FROM json_each(?))`)
    .all(JSON.stringify(logs));
  for (const { name } of tables) {
    const found = String(database.prepare(`PRAGMA quick_check("${String(name)}")`).get()?.['quick_check']);
    // One line for every page that is damaged; one of them will do.
    if (found !== 'ok') throw Object.assign(new Error(found.split('\n').at(-1)), { errcode: 11 });
  }
  if (isSuspect) rmSync(path + suspectSuffix);
}

function open(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    check(database, path);
    database.exec(`PRAGMA busy_timeout = ${migrationTimeoutMs}`);
    // Counts for a new database only: pages that get free can go back to the disk (vacuum.ts).
    database.exec('PRAGMA auto_vacuum = INCREMENTAL');
    writeAhead(database);
    migrate(database);
    database.exec(`PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = ${busyTimeoutMs}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLite gives up at once where two processes switch a new database over: it does not wait while it holds a lock. */
function writeAhead(database: DatabaseSync): void {
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  const deadline = performance.now() + migrationTimeoutMs;
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

/** SQLite's primary result code; 0 where the error is none of SQLite's. */
function codeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

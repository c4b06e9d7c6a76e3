import type { DatabaseSync } from 'node:sqlite';

import { systemClock, type Clock } from '../base/clock.ts';
import type { JsonValue } from '../base/json.ts';
import { reportError, type ErrorReporter } from '../base/reportError.ts';
import type { SavedRun } from '../contract/collections.ts';
import { createCaptureStore } from './captures.ts';
import { createChats } from './chats.ts';
import { createChores } from './chores.ts';
import { createHistory } from './history.ts';
import { createHistorySeries } from './historySeries.ts';
import { openDatabase, openUnwritable } from './openDatabase.ts';
import { prepareDatabase, type PreparedDatabase } from './prepareDatabase.ts';
import type { RemovedStore } from './removedTypes.ts';
import type { SavedRunTable } from './savedRunTypes.ts';
import { StorageError, storageErrorOf, unlessStorageFails } from './storageError.ts';
import { createStorageHealth, type StorageHealth } from './storageHealth.ts';
import { logTransaction, transaction } from './transaction.ts';
import type { StoreTables } from './types.ts';
import { createVacuum } from './vacuum.ts';
import { createWireStore } from './wireFrames.ts';

/** How the store of a data directory is opened. */
export interface OpenStoreOptions {
  path: string;
  /** Called with failures that belong to no caller; failures of the disk are in `health` only. */
  onError?: ErrorReporter;
  /** False if another process might own the directory: nothing is written. */
  mayWrite?: boolean;
  /** What the check before the opening found. */
  notice?: string;
  movedAside?: string;
  /** When to try again after the disk failed; real time unless set. */
  clock?: Clock;
  /** For tests only: called with the open database, whose size a test can limit (`PRAGMA max_page_count`). */
  onOpen?: (database: DatabaseSync) => void;
}

/**
 * Opens the store of a data directory, creating it if it is missing. If the disk is full or read-only, the store opens for
 * reading, `health` says why, and every write throws a StorageError. Records of what happened (history, saved runs, wire
 * logs) are dropped instead. Arguments and results may hold secrets: the file is readable by its owner only.
 * @throws Error naming the file if it cannot be opened.
 */
export function openStore(options: OpenStoreOptions): StoreTables {
  const { path, clock = systemClock } = options;
  const reporter = options.onError ?? reportError;
  const onError: ErrorReporter = (error, where) => {
    if (!(error instanceof StorageError)) reporter(error, where);
  };
  const { database, failure, ...opened } = open(options);
  const notice = opened.notice ?? options.notice;
  const movedAside = opened.movedAside ?? options.movedAside;
  const health = createStorageHealth({ path, clock, ...(movedAside !== undefined && { movedAside }) });
  if (failure !== undefined) health.faultUntilRestart(failure);
  health.watch(database);
  options.onOpen?.(database);
  const chores = createChores({ tidy: createVacuum(database), onError });
  const read = database.prepare('SELECT key, value FROM settings');
  const write = database.prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)');
  return {
    settings: {
      all() {
        const values: Record<string, JsonValue> = {};
        for (const { key, value } of read.all())
          health.readable(
            'settings',
            String(key),
            () => (values[String(key)] = JSON.parse(String(value)) as JsonValue),
          );
        return values;
      },
      set: (values) =>
        transaction(database, () => {
          for (const [key, value] of Object.entries(values)) write.run(key, JSON.stringify(value));
        }),
    },
    history: createHistory(database, chores, health),
    series: createHistorySeries(database, health),
    chats: createChats(database, health),
    wire: createWireStore(database, chores, health),
    captures: createCaptureStore(database, chores, health),
    savedRuns: createSavedRuns(database),
    removed: createRemovedStore(database, health),
    health,
    ...(notice !== undefined && { notice }),
    close() {
      chores.stop();
      health.close();
      if (database.isOpen) database.close();
    },
  };
}

/**
 * Opens the store of a data directory (see `openStore`). If it was not closed the last time, looks for damage first, in
 * another thread.
 * @throws {Error} If it cannot be opened. The message names the file.
 */
export async function openCheckedStore(options: OpenStoreOptions): Promise<StoreTables> {
  let prepared: PreparedDatabase = {};
  let failure: Error | undefined;
  if (options.mayWrite !== false) {
    try {
      prepared = await prepareDatabase(options.path);
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
    }
  }
  const store = openStore({ ...options, ...prepared });
  // The check failed because the disk cannot be written. Otherwise the database is not safe to use.
  if (failure === undefined || store.health.state().untilRestart) return store;
  store.close();
  throw failure;
}

function open({ path, mayWrite = true }: OpenStoreOptions): {
  database: DatabaseSync;
  notice?: string;
  movedAside?: string;
  failure?: StorageError;
} {
  if (!mayWrite) {
    const cause = new Error('the lock file toolwire.lock cannot be created');
    const failure = storageErrorOf(Object.assign(cause, { code: 'EROFS' }), path);
    return { database: openUnwritable(path), ...(failure && { failure }) };
  }
  try {
    return openDatabase(path);
  } catch (error) {
    const failure = error instanceof Error ? storageErrorOf(error.cause, path) : undefined;
    if (failure?.fault !== 'full' && failure?.fault !== 'read-only') throw error;
    return { database: openUnwritable(path), failure };
  }
}

/** A row for each thing: a text of megabytes is written once, and read when it comes back. */
function createRemovedStore(database: DatabaseSync, health: Pick<StorageHealth, 'readable'>): RemovedStore {
  const newest = database.prepare('SELECT id, place, ifnull(length(text), 0) AS length FROM removed ORDER BY seq DESC');
  const textOf = database.prepare('SELECT text FROM removed WHERE id = ?');
  const insert = database.prepare('INSERT INTO removed (id, place, text) VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM removed WHERE id IN (SELECT value FROM json_each(?))');
  return {
    list: () =>
      newest.all().flatMap(({ id, place, length }) => {
        const read = health.readable('removed', String(id), () => ({ place: JSON.parse(String(place)) as JsonValue }));
        return read === undefined ? [] : [{ id: String(id), place: read.place, length: Number(length) }];
      }),
    text(id) {
      const text = textOf.get(id)?.['text'];
      return typeof text === 'string' ? text : undefined;
    },
    add: ({ id, place, text }) => void transaction(database, () => insert.run(id, JSON.stringify(place), text ?? null)),
    remove(ids) {
      if (ids.length > 0) transaction(database, () => remove.run(JSON.stringify(ids)));
    },
  };
}

/** Runs kept for one saved call. */
const maxRuns = 100;
/** Runs that passed which are kept at least: a call that fails for long would lose what its time is compared with. */
const maxPassed = 20;

/** Newest first. */
const hasPassed = `verdict = 'passed' AND duration_ms IS NOT NULL ORDER BY seq DESC`;

/** The runs in their table. */
function createSavedRuns(database: DatabaseSync): SavedRunTable {
  const insert = database.prepare(
    'INSERT INTO saved_runs (folder, file, at, verdict, duration_ms, tool) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const prune = database.prepare(
    `DELETE FROM saved_runs WHERE folder = ? AND file = ? AND seq <=
       (SELECT seq FROM saved_runs WHERE folder = ? AND file = ? ORDER BY seq DESC LIMIT 1 OFFSET ${maxRuns})
     AND seq NOT IN (SELECT seq FROM saved_runs WHERE folder = ? AND file = ? AND ${hasPassed} LIMIT ${maxPassed})`,
  );
  const newest = database.prepare(
    'SELECT at, verdict, duration_ms, tool FROM saved_runs WHERE folder = ? AND file = ? ORDER BY seq DESC LIMIT ?',
  );
  const passed = database.prepare(
    `SELECT duration_ms FROM saved_runs WHERE folder = ? AND file = ? AND ${hasPassed} LIMIT ${maxPassed}`,
  );
  const latest = database.prepare(
    `SELECT file, at, verdict, duration_ms, tool FROM saved_runs
     WHERE seq IN (SELECT max(seq) FROM saved_runs WHERE folder = ? GROUP BY file)`,
  );

  return {
    append(folder, file, { at, verdict, durationMs, tool }) {
      const write = (): void => {
        insert.run(folder, file, at, verdict, durationMs ?? null, tool ?? null);
        prune.run(folder, file, folder, file, folder, file);
      };
      unlessStorageFails(() => logTransaction(database, write));
    },
    list: (folder, file, limit) => newest.all(folder, file, limit).map(toRun),
    passedDurations: (folder, file) => passed.all(folder, file).map((row) => Number(row['duration_ms'])),
    latest: (folder) => new Map(latest.all(folder).map((row) => [String(row['file']), toRun(row)])),
  };
}

function toRun(row: Record<string, unknown>): SavedRun {
  const { at, verdict, duration_ms: durationMs, tool } = row;
  return {
    at: Number(at),
    verdict: verdict as SavedRun['verdict'],
    ...(typeof durationMs === 'number' && { durationMs }),
    ...(typeof tool === 'string' && { tool }),
  };
}

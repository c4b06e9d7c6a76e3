import type { DatabaseSync } from 'node:sqlite';

import type { SavedRun } from '../contract/collections.ts';
import type { SavedRunTable } from './savedRunTypes.ts';
import { unlessStorageFails } from './storageError.ts';
import { logTransaction } from './transaction.ts';

/** Runs kept for one saved call. */
const maxRuns = 100;
/** Runs that passed which are kept at least: a call that fails for long would lose what its time is compared with. */
const maxPassed = 20;

/** Newest first. */
const hasPassed = `verdict = 'passed' AND duration_ms IS NOT NULL ORDER BY seq DESC`;

/** The runs in their table. */
export function createSavedRuns(database: DatabaseSync): SavedRunTable {
  const insert = database.prepare(
    'INSERT INTO saved_runs (folder, file, at, verdict, duration_ms) VALUES (?, ?, ?, ?, ?)',
  );
  const prune = database.prepare(
    `DELETE FROM saved_runs WHERE folder = ? AND file = ? AND seq <=
       (SELECT seq FROM saved_runs WHERE folder = ? AND file = ? ORDER BY seq DESC LIMIT 1 OFFSET ${maxRuns})
     AND seq NOT IN (SELECT seq FROM saved_runs WHERE folder = ? AND file = ? AND ${hasPassed} LIMIT ${maxPassed})`,
  );
  const newest = database.prepare(
    'SELECT at, verdict, duration_ms FROM saved_runs WHERE folder = ? AND file = ? ORDER BY seq DESC LIMIT ?',
  );
  const passed = database.prepare(
    `SELECT duration_ms FROM saved_runs WHERE folder = ? AND file = ? AND ${hasPassed} LIMIT ${maxPassed}`,
  );
  const latest = database.prepare(
    `SELECT file, at, verdict, duration_ms FROM saved_runs
     WHERE seq IN (SELECT max(seq) FROM saved_runs WHERE folder = ? GROUP BY file)`,
  );

  return {
    append(folder, file, { at, verdict, durationMs }) {
      const write = (): void => {
        insert.run(folder, file, at, verdict, durationMs ?? null);
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
  const { at, verdict, duration_ms: durationMs } = row;
  return {
    at: Number(at),
    verdict: verdict as SavedRun['verdict'],
    ...(typeof durationMs === 'number' && { durationMs }),
  };
}

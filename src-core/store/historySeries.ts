import type { DatabaseSync } from 'node:sqlite';

import type { HistoryStatus } from '../contract/callRecords.ts';
import type { StorageHealth } from './storageHealth.ts';

/** Calls of a series that are read at once. */
const maxCalls = 5_000;

/** A call of a series: what its figures are made of. */
export interface SeriesCall {
  callId: string;
  /** Epoch ms. */
  startedAt: number;
  /** Epoch ms; absent if it was never sent. */
  wentOutAt?: number;
  durationMs: number;
  status: HistoryStatus;
  errorCode?: string;
}

/** Position of a call in the history: `seq` grows with each. */
export interface CallPlace {
  seq: number;
  callId: string;
}

/** The calls of a history that belong together: those of a series have its id, a dot and a number as theirs. */
export interface HistorySeries {
  /** So many of a method's calls before a `seq` at most, the newest first. */
  before(qualifiedName: string, seq: number, limit: number): CallPlace[];
  /** So many of a method's calls after a `seq` at most, the oldest first. */
  after(qualifiedName: string, seq: number, limit: number): CallPlace[];
  /** The calls of a series after a `seq`, in the order of their ends, 5,000 at most, and the `seq` of the last that was read. */
  calls(seriesId: string, after: number): { calls: SeriesCall[]; last?: number };
}

/** Reads series from the history's table: their figures need no result. */
export function createHistorySeries(database: DatabaseSync, health: Pick<StorageHealth, 'readable'>): HistorySeries {
  const columns = 'SELECT seq, call_id FROM history_calls WHERE qualified_name = ?';
  const before = database.prepare(`${columns} AND seq < ? ORDER BY seq DESC LIMIT ?`);
  const after = database.prepare(`${columns} AND seq > ? ORDER BY seq LIMIT ?`);
  // '/' comes after '.': all that begins with the id and a dot, by the index of ids, which a bare `seq` would lead away from.
  const ofSeries = database.prepare(
    `SELECT seq, call_id, started_at, status, valid, record ->> '$.wentOutAt' AS went_out_at,
       record ->> '$.result.durationMs' AS duration_ms, record ->> '$.result.error.code' AS error_code
     FROM (SELECT seq, call_id, started_at, status, json_valid(record) AS valid,
             iif(json_valid(record), record, '{}') AS record FROM history_calls
           WHERE call_id >= ? || '.' AND call_id < ? || '/' AND +seq > ? ORDER BY +seq LIMIT ${maxCalls})`,
  );
  const toCall = (row: Record<string, unknown>): SeriesCall => {
    if (row['valid'] !== 1 || typeof row['duration_ms'] !== 'number') throw new SyntaxError('The record is damaged.');
    return {
      callId: String(row['call_id']),
      startedAt: Number(row['started_at']),
      ...(row['went_out_at'] !== null && { wentOutAt: Number(row['went_out_at']) }),
      durationMs: Number(row['duration_ms']),
      status: row['status'] as HistoryStatus,
      ...(typeof row['error_code'] === 'string' && { errorCode: row['error_code'] }),
    };
  };
  return {
    before: (qualifiedName, seq, limit) => before.all(qualifiedName, seq, limit).map(toPlace),
    after: (qualifiedName, seq, limit) => after.all(qualifiedName, seq, limit).map(toPlace),
    calls(seriesId, afterSeq) {
      const rows = ofSeries.all(seriesId, seriesId, afterSeq);
      const last = rows.at(-1)?.['seq'];
      const calls = rows.flatMap((row) => health.readable('history', Number(row['seq']), () => toCall(row)) ?? []);
      return { calls, ...(typeof last === 'number' && { last }) };
    },
  };
}

function toPlace(row: Record<string, unknown>): CallPlace {
  return { seq: Number(row['seq']), callId: String(row['call_id']) };
}

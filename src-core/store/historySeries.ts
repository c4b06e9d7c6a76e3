import type { DatabaseSync } from 'node:sqlite';

import type { HistoryStatus } from './historyTypes.ts';

/** A call of a series: what its figures are made of. */
export interface SeriesCall {
  callId: string;
  /** Epoch ms. */
  startedAt: number;
  /** Epoch ms; absent where it never went out. */
  wentOutAt?: number;
  durationMs: number;
  status: HistoryStatus;
  errorCode?: string;
}

/** The calls of a history that belong together: those of a series have its id, a dot and a number as theirs. */
export interface HistorySeries {
  /** The ids of a method's calls, newest first; read as they are asked for. */
  callIds(qualifiedName: string): Generator<string>;
  /** The calls of a series that are kept, in the order of their ends. */
  callsOf(seriesId: string): SeriesCall[];
}

/** Reads series from the history's table: their figures need no result. */
export function createHistorySeries(database: DatabaseSync): HistorySeries {
  const ids = database.prepare('SELECT call_id FROM history_calls WHERE qualified_name = ? ORDER BY seq DESC');
  // '/' comes after '.': all that begins with the id and a dot, by the index of ids.
  const calls = database.prepare(
    `SELECT call_id, started_at, status, record ->> '$.wentOutAt' AS went_out_at,
       record ->> '$.result.durationMs' AS duration_ms, record ->> '$.result.error.code' AS error_code
     FROM history_calls WHERE call_id >= ? || '.' AND call_id < ? || '/' ORDER BY seq`,
  );
  return {
    *callIds(qualifiedName) {
      for (const row of ids.iterate(qualifiedName)) yield String(row['call_id']);
    },
    callsOf: (seriesId) =>
      calls.all(seriesId, seriesId).map((row) => ({
        callId: String(row['call_id']),
        startedAt: Number(row['started_at']),
        ...(row['went_out_at'] !== null && { wentOutAt: Number(row['went_out_at']) }),
        durationMs: Number(row['duration_ms']),
        status: row['status'] as HistoryStatus,
        ...(typeof row['error_code'] === 'string' && { errorCode: row['error_code'] }),
      })),
  };
}

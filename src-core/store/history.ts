import type { DatabaseSync } from 'node:sqlite';

import { boundRow } from './boundRow.ts';
import type { HistoryRow, HistoryStore } from './types.ts';

/** Rows kept; the oldest go first. */
export const maxHistoryRows = 10_000;

/** The history in its table. A row's JSON is the whole truth; the columns beside it are there to search by. */
export function createHistory(database: DatabaseSync): HistoryStore {
  const insert = database.prepare(
    `INSERT OR REPLACE INTO history (call_id, qualified_name, started_at, status, record) VALUES (?, ?, ?, ?, ?)`,
  );
  const prune = database.prepare('DELETE FROM history WHERE seq <= ?');
  const newest = database.prepare('SELECT record FROM history ORDER BY seq DESC LIMIT ?');
  const newestOfMethod = database.prepare(
    'SELECT record FROM history WHERE qualified_name = ? ORDER BY seq DESC LIMIT ?',
  );

  return {
    append(row) {
      const kept = boundRow(row);
      const { lastInsertRowid } = insert.run(
        kept.callId,
        kept.qualifiedName,
        kept.startedAt,
        kept.result.status,
        JSON.stringify(kept),
      );
      prune.run(Number(lastInsertRowid) - maxHistoryRows);
    },
    list({ limit, qualifiedName }) {
      const rows = qualifiedName === undefined ? newest.all(limit) : newestOfMethod.all(qualifiedName, limit);
      return rows.map((row) => JSON.parse(String(row['record'])) as HistoryRow);
    },
  };
}

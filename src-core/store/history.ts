import type { DatabaseSync } from 'node:sqlite';

import { boundRow } from './boundRow.ts';
import { createHistorySchemas } from './historySchemas.ts';
import { createHistorySearch } from './historySearch.ts';
import type { HistoryLimits, HistoryRow, HistoryStatus, HistoryStore } from './historyTypes.ts';
import { transaction } from './transaction.ts';

/** What is kept unless a person sets another limit: 100,000 calls, 256 MB. */
export const defaultHistoryLimits: HistoryLimits = Object.freeze({ calls: 100_000, bytes: 256 * 1024 * 1024 });

/** What a row takes beside its texts. */
const rowBytes = 300;

/** What is let go beyond the limit of bytes, as a part of it, so that not every call has something to let go. */
const slack = 0.01;

const columns = 'args, result, record';

/** The history in its tables. `args` and the result's text stand in columns of their own, to be searched; `record` has the rest. */
export function createHistory(database: DatabaseSync): HistoryStore {
  const schemas = createHistorySchemas(database);
  let limits = defaultHistoryLimits;
  const remove = database.prepare('DELETE FROM history_calls WHERE call_id = ?');
  const insert = database.prepare(
    `INSERT INTO history_calls
       (call_id, qualified_name, source_kind, started_at, status, schema_id, bytes, args, result, record)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const prune = database.prepare('DELETE FROM history_calls WHERE seq <= ?');
  const oldest = database.prepare('SELECT seq, bytes FROM history_calls ORDER BY seq');
  const size = database.prepare('SELECT bytes FROM history_size');
  const count = database.prepare('SELECT count(*) AS calls FROM history_calls');
  const last = database.prepare('SELECT max(seq) AS seq FROM history_calls');
  const one = database.prepare(`SELECT ${columns}, schema_id FROM history_calls WHERE call_id = ?`);
  const newest = database.prepare(`SELECT ${columns} FROM history_calls ORDER BY seq DESC LIMIT ?`);
  const newestOfMethod = database.prepare(
    `SELECT ${columns} FROM history_calls WHERE qualified_name = ? ORDER BY seq DESC LIMIT ?`,
  );
  const names = database.prepare('SELECT DISTINCT qualified_name AS name FROM history_calls ORDER BY name');
  // Calls of earlier runs may have gone, and what they alone were made against.
  schemas.sweep();

  function shrink(lastSeq: number): void {
    prune.run(lastSeq - limits.calls);
    const bytes = Number(size.get()?.['bytes'] ?? 0);
    if (bytes <= limits.bytes) return;
    const wanted = bytes - limits.bytes + limits.bytes * slack;
    let freed = 0;
    let upTo = 0;
    for (const row of oldest.iterate()) {
      // The call that was just made stays, however large it is.
      if (freed >= wanted || Number(row['seq']) === lastSeq) break;
      freed += Number(row['bytes']);
      upTo = Number(row['seq']);
    }
    prune.run(upTo);
  }

  return {
    append(row, inputSchema) {
      const { argsJson, result, ...rest } = boundRow(row);
      const { result: text, ...outcome } = result;
      const record = JSON.stringify({ ...rest, result: outcome });
      const bytes = rowBytes + Buffer.byteLength(argsJson) + Buffer.byteLength(text) + Buffer.byteLength(record);
      transaction(database, () => {
        const schemaId = inputSchema === undefined ? null : schemas.idOf(inputSchema);
        remove.run(row.callId);
        const { lastInsertRowid } = insert.run(
          row.callId,
          row.qualifiedName,
          row.source.kind,
          row.startedAt,
          statusOf(row),
          schemaId,
          bytes,
          argsJson,
          text,
          record,
        );
        shrink(Number(lastInsertRowid));
      });
    },
    list({ limit, qualifiedName }) {
      const rows = qualifiedName === undefined ? newest.all(limit) : newestOfMethod.all(qualifiedName, limit);
      return rows.map(toRow);
    },
    get(callId) {
      const row = one.get(callId);
      if (row === undefined) return undefined;
      const schemaId = row['schema_id'];
      const inputSchema = typeof schemaId === 'number' ? schemas.get(schemaId) : undefined;
      return { ...toRow(row), ...(inputSchema !== undefined && { inputSchema }) };
    },
    search: createHistorySearch(database),
    names: () => names.all().map(({ name }) => String(name)),
    size: () => ({ calls: Number(count.get()?.['calls'] ?? 0), bytes: Number(size.get()?.['bytes'] ?? 0) }),
    setLimits(next) {
      limits = next;
      transaction(database, () => {
        shrink(Number(last.get()?.['seq'] ?? 0));
        schemas.sweep();
      });
    },
  };
}

function statusOf({ result }: HistoryRow): HistoryStatus {
  return result.softFailure === undefined ? result.status : 'soft-failure';
}

function toRow(row: Record<string, unknown>): HistoryRow {
  const rest = JSON.parse(String(row['record'])) as HistoryRow;
  return { ...rest, argsJson: String(row['args']), result: { ...rest.result, result: String(row['result']) } };
}

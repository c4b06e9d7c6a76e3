import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

import { nextSlice } from './nextSlice.ts';
import { requireHistoryRecord } from './historyRecord.ts';
import type { HistoryFound, HistoryQuery } from '../contract/callRecords.ts';
import type { HistoryRow, HistorySlice } from './historyTypes.ts';
import { likeSearch } from './likeText.ts';
import { createStatementCache } from './statementCache.ts';
import type { StorageHealth } from './storageHealth.ts';

/** Characters of arguments and result that a row of a list shows. */
const shownChars = 200;

const columns = `seq, call_id, qualified_name, started_at, status, record,
  substr(args, 1, ${shownChars}) AS args, substr(result, 1, ${shownChars}) AS result`;

/** Looks through the history from the newest call to the oldest. SQLite's own LIKE reads faster than any of ours. */
export function createHistorySearch(
  database: DatabaseSync,
  health: Pick<StorageHealth, 'readable'>,
): (query: HistoryQuery) => HistorySlice {
  const prepare = createStatementCache(database);

  return (query) => {
    const { where, values, meant } = conditions(query);
    // The index of names goes before the order of time: a tool that was called seldom is found at once.
    const ofName = query.qualifiedName === undefined ? '' : 'qualified_name = ? AND ';
    const name = query.qualifiedName === undefined ? [] : [query.qualifiedName];
    const sizes = prepare(`SELECT seq, bytes FROM history_calls WHERE ${ofName} seq < ? ORDER BY seq DESC`);
    const end = query.before ?? Number.MAX_SAFE_INTEGER;
    const start = nextSlice(sizes.iterate(...name, end));
    if (start === undefined) return { found: [] };
    const find = prepare(
      `SELECT ${columns}${meant ? ', args AS all_args, result AS all_result' : ''} FROM history_calls
       WHERE ${ofName} seq < ? AND seq >= ? ${where} ORDER BY seq DESC`,
    );
    const found: HistoryFound[] = [];
    // One row after another: of those that are not meant, no text stays.
    for (const row of find.iterate(...name, end, start, ...values)) {
      if (meant !== undefined && !meant(row)) continue;
      const call = health.readable('history', Number(row['seq']), () => toFound(row));
      if (call !== undefined) found.push(call);
    }
    return { found, next: start };
  };
}

interface Conditions {
  where: string;
  values: SQLInputValue[];
  /** For a text that LIKE alone cannot tell. */
  meant?: (row: Record<string, unknown>) => boolean;
}

function conditions({ text, source, status, from, to }: HistoryQuery): Conditions {
  const parts: string[] = [];
  const values: SQLInputValue[] = [];
  const add = (part: string, ...given: SQLInputValue[]): void => {
    parts.push(`AND ${part}`);
    values.push(...given);
  };
  if (source !== undefined) add('source_kind = ?', source);
  if (status !== undefined) add('status = ?', status);
  if (from !== undefined) add('started_at >= ?', from);
  if (to !== undefined) add('started_at < ?', to);
  if (text === undefined || text === '') return { where: parts.join(' '), values };
  const { patterns, confirm } = likeSearch(text);
  const places = ['qualified_name', 'args', 'result'];
  const like = places.flatMap((place) => patterns.map(() => `${place} LIKE ? ESCAPE '\\'`));
  add(`(${like.join(' OR ')})`, ...places.flatMap(() => patterns));
  const where = parts.join(' ');
  if (confirm === undefined) return { where, values };
  const meant: Conditions['meant'] = (row) =>
    [row['qualified_name'], row['all_args'], row['all_result']].some((held) => confirm(String(held)));
  return { where, values, meant };
}

function toFound(row: Record<string, unknown>): HistoryFound {
  const record = JSON.parse(String(row['record'])) as Omit<HistoryRow, 'argsJson'>;
  requireHistoryRecord(record);
  const { source, origin, rules, result } = record;
  return {
    seq: Number(row['seq']),
    callId: String(row['call_id']),
    qualifiedName: String(row['qualified_name']),
    source,
    origin,
    ...(rules !== undefined && { rules }),
    startedAt: Number(row['started_at']),
    durationMs: result.durationMs,
    status: row['status'] as HistoryFound['status'],
    ...(result.error !== undefined && { errorCode: result.error.code }),
    args: String(row['args']),
    result: String(row['result']),
  };
}

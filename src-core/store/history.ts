import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

import type { ToolErrorInfo } from '../base/errors.ts';
import type { HistoryFound, HistoryQuery } from '../contract/callRecords.ts';
import type { Chores } from './chores.ts';
import { requireBegunRecord, requireHistoryRecord } from './historyRecord.ts';
import type {
  CallTexts,
  HistoryLimits,
  HistoryRow,
  HistorySlice,
  HistoryTable,
  StoredBegun,
  StoredCall,
} from './historyTypes.ts';
import { createHistorySchemas, type HistorySchemas } from './historySchemas.ts';
import { likeSearch } from './likeText.ts';
import { nextSlice } from './nextSlice.ts';
import { createStatementCache } from './statementCache.ts';
import { unlessStorageFails } from './storageError.ts';
import type { StorageHealth } from './storageHealth.ts';
import { logTransaction } from './transaction.ts';

/** The default limits: 100,000 calls, 256 MB. */
const defaultHistoryLimits: HistoryLimits = Object.freeze({ calls: 100_000, bytes: 256 * 1024 * 1024 });

/** What a row takes beside its texts. */
const rowBytes = 300;

/** What is let go beyond the limit of bytes, as a part of it, so that not every call has something to let go. */
const slack = 0.01;

const columns = 'seq, args, result, record';

/** Bytes of the rows that one list reads. A usual call has 1 kB; with a picture, up to 3 MB. */
const maxListBytes = 32 * 1024 * 1024;

/** The most that one step evicts, within some ms. The rest is evicted later, as a chore. */
const maxDropped = 200;
const maxDroppedBytes = 4_000_000;

/** The history in its tables. `args` and the result's text are in separate columns, for the search; `record` has the rest. */
export function createHistory(
  database: DatabaseSync,
  chores: Pick<Chores, 'add'>,
  health: Pick<StorageHealth, 'readable'>,
): HistoryTable {
  const schemas = createHistorySchemas(database);
  const begunCalls = createBegunCalls(database, health);
  const sums = database.prepare('SELECT count(*) AS calls, ifnull(sum(bytes), 0) AS bytes FROM history_calls');
  const size = (): { calls: number; bytes: number } => sums.get() as { calls: number; bytes: number };
  const eviction = createEviction(database, size);
  const insert = database.prepare(
    `INSERT OR REPLACE INTO history_calls
       (call_id, qualified_name, source_kind, started_at, status, schema_id, bytes, args, result, record)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const sent = database.prepare(
    `SELECT 1 FROM history_calls WHERE call_id = ? AND iif(json_valid(record), record ->> '$.wentOutAt', 1) IS NOT NULL`,
  );
  const names = database.prepare('SELECT DISTINCT qualified_name AS name FROM history_calls ORDER BY name');
  const sweep = (): boolean => logTransaction(database, () => schemas.sweep());
  const tidy = (): boolean => {
    let isMore: boolean | undefined;
    try {
      isMore = logTransaction(database, () => eviction.step());
    } finally {
      if (isMore === undefined) eviction.forget();
    }
    return isMore || sweep();
  };
  // Calls of earlier runs may have gone, and what they alone were made against.
  chores.add(sweep);

  return {
    begin: begunCalls.begin,
    begun: begunCalls.begun,
    append(calls) {
      const keep = (call: StoredCall): void => {
        const { callId, qualifiedName, sourceKind, startedAt, status, args, result, record, schema } = call;
        const bytes = rowBytes + Buffer.byteLength(args) + Buffer.byteLength(result) + Buffer.byteLength(record);
        const schemaId = schema === undefined ? null : schemas.idOf(schema);
        begunCalls.end(callId);
        insert.run(callId, qualifiedName, sourceKind, startedAt, status, schemaId, bytes, args, result, record);
        eviction.count(bytes);
      };
      const write = (): boolean => {
        calls.forEach(keep);
        return eviction.step();
      };
      let isWritten = false;
      try {
        const isMore = unlessStorageFails(() => logTransaction(database, write));
        isWritten = isMore !== undefined;
        if (isMore) chores.add(tidy);
      } finally {
        if (isWritten) begunCalls.ended(calls);
        else {
          schemas.forget();
          eviction.forget();
        }
      }
    },
    ...createReaders(database, schemas, health),
    search: createHistorySearch(database, health),
    wentOut(callId) {
      let isSent = false;
      unlessStorageFails(() => (isSent = sent.get(callId) !== undefined));
      return isSent;
    },
    names: () => names.all().map(({ name }) => String(name)),
    size,
    setLimits(next) {
      eviction.setLimits(next);
      chores.add(tidy);
    },
  };
}

/** Calls that have begun and not ended. */
function createBegunCalls(database: DatabaseSync, health: Pick<StorageHealth, 'readable'>) {
  const begin = database.prepare('INSERT OR REPLACE INTO begun_calls (call_id, args, record) VALUES (?, ?, ?)');
  const begun = database.prepare('SELECT call_id, args, record FROM begun_calls');
  const end = database.prepare('DELETE FROM begun_calls WHERE call_id = ?');
  /** Ids of the rows that were written or read: most calls have none. */
  const ids = new Set<string>();

  return {
    end(callId: string) {
      if (ids.has(callId)) end.run(callId);
    },
    /** The transaction that ended the calls is committed. */
    ended(calls: readonly StoredCall[]) {
      for (const { callId } of calls) ids.delete(callId);
    },
    begin({ callId, args, record }) {
      ids.add(callId);
      const write = (): unknown => begin.run(callId, args, record);
      unlessStorageFails(() => logTransaction(database, write));
    },
    begun: () =>
      begun
        .all()
        .map((row) => {
          const callId = String(row['call_id']);
          ids.add(callId);
          const call = health.readable('history', `begun ${callId}`, () => toBegun(row));
          // A row that cannot be read never will be, and is counted now.
          if (call === undefined) unlessStorageFails(() => end.run(callId));
          return call;
        })
        .filter((call) => call !== undefined),
  } satisfies Partial<HistoryTable> & Record<string, unknown>;
}

/** Reads calls with their texts. */
function createReaders(
  database: DatabaseSync,
  schemas: HistorySchemas,
  health: Pick<StorageHealth, 'readable'>,
): Pick<HistoryTable, 'list' | 'get'> {
  const one = database.prepare(`SELECT ${columns}, schema_id FROM history_calls WHERE call_id = ?`);
  const newest = database.prepare(`SELECT ${columns}, bytes FROM history_calls ORDER BY seq DESC LIMIT ?`);
  const newestOfMethod = database.prepare(
    `SELECT ${columns}, bytes FROM history_calls WHERE qualified_name = ? ORDER BY seq DESC LIMIT ?`,
  );
  const read = (row: Record<string, unknown>): CallTexts | undefined =>
    health.readable('history', Number(row['seq']), () => toTexts(row));

  return {
    list({ limit, qualifiedName }) {
      const rows = qualifiedName === undefined ? newest.iterate(limit) : newestOfMethod.iterate(qualifiedName, limit);
      const calls: CallTexts[] = [];
      let bytes = 0;
      for (const row of rows) {
        const call = read(row);
        if (call !== undefined) calls.push(call);
        bytes += Number(row['bytes']);
        if (bytes > maxListBytes) break;
      }
      return calls;
    },
    get(callId) {
      const row = one.get(callId);
      if (row === undefined) return undefined;
      const schemaId = row['schema_id'];
      const schema =
        typeof schemaId === 'number'
          ? health.readable('history', `schema ${schemaId}`, () => checked(schemas.get(schemaId)))
          : undefined;
      const call = read(row);
      return call && { ...call, ...(schema !== undefined && { schema }) };
    },
  };
}

/** Keeps the history within its limits. */
function createEviction(database: DatabaseSync, size: () => { bytes: number }) {
  const prune = database.prepare('DELETE FROM history_calls WHERE seq <= ?');
  const oldest = database.prepare('SELECT seq, bytes FROM history_calls ORDER BY seq');
  const ends = database.prepare(
    'SELECT (SELECT min(seq) FROM history_calls) AS first, (SELECT max(seq) FROM history_calls) AS last',
  );
  let limits = defaultHistoryLimits;
  /** What can be added, at least, before anything has to be evicted. */
  const room = { calls: 0, bytes: 0 };
  /** Whether `room.bytes` is exact although it is used up. */
  let isMore = false;

  return {
    setLimits(next: HistoryLimits): void {
      limits = next;
      this.forget();
    },
    /** Counts again: the changes of a transaction were undone. */
    forget(): void {
      room.bytes = 0;
      isMore = false;
    },
    /** A call of so many bytes was added. */
    count(bytes: number): void {
      room.calls -= 1;
      room.bytes -= bytes;
    },
    /** Evicts some of the oldest calls; true if more have to be evicted. */
    step(): boolean {
      if (room.calls > 0 && room.bytes > 0) return false;
      // A call that was replaced is counted twice until then.
      if (room.bytes <= 0 && !isMore) room.bytes = limits.bytes - size().bytes;
      const row = ends.get();
      const lastSeq = Number(row?.['last'] ?? 0);
      room.calls = Number(row?.['first'] ?? 0) - (lastSeq - limits.calls);
      isMore = false;
      if (room.bytes >= 0 && room.calls > 0) return false;
      const wanted = room.bytes < 0 ? limits.bytes * slack - room.bytes : 0;
      let dropped = 0;
      let freed = 0;
      let upTo = 0;
      for (const call of oldest.iterate()) {
        const seq = Number(call['seq']);
        // The call that was just made stays, however large it is.
        if (seq === lastSeq || (seq > lastSeq - limits.calls && freed >= wanted)) break;
        isMore = dropped === maxDropped || freed >= maxDroppedBytes;
        if (isMore) break;
        dropped += 1;
        freed += Number(call['bytes']);
        upTo = seq;
      }
      if (dropped > 0) prune.run(upTo);
      room.bytes += freed;
      return isMore;
    },
  };
}

/** @throws {SyntaxError} If it is not JSON. */
function checked(json: string | undefined): string | undefined {
  if (json !== undefined) JSON.parse(json);
  return json;
}

function toBegun(row: Record<string, unknown>): StoredBegun {
  const record = String(row['record']);
  requireBegunRecord(JSON.parse(record) as object);
  return { callId: String(row['call_id']), args: String(row['args']), record };
}

function toTexts(row: Record<string, unknown>): CallTexts {
  const record = String(row['record']);
  requireHistoryRecord(JSON.parse(record) as object);
  return { args: String(row['args']), result: String(row['result']), record };
}

/** Characters of arguments and result that a row of a list shows. */
const shownChars = 200;

/** The longest detail of an error that such a row has. */
const maxFactChars = 256;

const searchedColumns = `seq, call_id, qualified_name, started_at, status, record,
  substr(args, 1, ${shownChars}) AS args, substr(result, 1, ${shownChars}) AS result`;

/** Looks through the history from the newest call to the oldest. SQLite's own LIKE reads faster than any of ours. */
function createHistorySearch(
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
      `SELECT ${searchedColumns}${meant ? ', args AS all_args, result AS all_result' : ''} FROM history_calls
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
  const { source, origin, host, rules, result } = record;
  return {
    seq: Number(row['seq']),
    callId: String(row['call_id']),
    qualifiedName: String(row['qualified_name']),
    source,
    origin,
    ...(host !== undefined && { host }),
    ...(rules !== undefined && { rules }),
    startedAt: Number(row['started_at']),
    durationMs: result.durationMs,
    status: row['status'] as HistoryFound['status'],
    ...(result.error !== undefined && { errorCode: result.error.code, ...factsOf(result.error) }),
    args: String(row['args']),
    result: String(row['result']),
  };
}

/** The details of an error that are short enough for a row of a list. */
function factsOf({ details = {} }: ToolErrorInfo): Pick<HistoryFound, 'errorFacts'> {
  const short = Object.entries(details).filter((entry): entry is [string, string | number | boolean] =>
    typeof entry[1] === 'string' ? entry[1].length <= maxFactChars : ['number', 'boolean'].includes(typeof entry[1]),
  );
  return short.length === 0 ? {} : { errorFacts: Object.fromEntries(short) };
}

/**
 * 100,000 calls kept: what it costs to keep one, and how fast they are searched. The floor of a search is SQLite reading the
 * same texts from the first row to the last (`sum(length)`), which no search without an index can undercut; the peer of
 * keeping is the bare insert of the same texts, found by id and by name. Both in the same run, in a database of its own, the best of several rounds.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { HistoryQuery } from '../../src-core/contract/callRecords.ts';
import type { HistoryRow } from '../../src-core/store/historyTypes.ts';
import { openStore } from '../helpers/testStore.ts';
import { searchHistory } from '../../src-core/features/cluster/searchHistory.ts';

const kept = 100_000;
const rounds = 7;

/** ms that one page may take, whatever is looked for: a person types on. */
const pageMs = 1_000;
/** The whole history looked through for what is not there, by the floor. */
const maxToFloor = 4;
/** A call kept, by the bare insert. */
const maxToInsert = 4;

const schema = {
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`field${i}`, { type: 'string', maxLength: i }])),
};

function row(i: number): HistoryRow {
  const qualifiedName = `lab_method${i % 50}`;
  return {
    callId: `call-${i}`,
    toolId: 'lab',
    methodName: `method${i % 50}`,
    qualifiedName,
    source: { kind: 'device', id: 'd1', label: 'Lab' },
    origin: 'executor',
    argsJson: JSON.stringify({ volume: i % 100, text: `argument ${i} of the run`, on: true }),
    startedAt: 1_700_000_000_000 + i * 1_000,
    timeoutMs: 30_000,
    result: {
      requestId: `call-${i}`,
      toolName: qualifiedName,
      status: 'success',
      durationMs: 3,
      result: JSON.stringify({
        success: true,
        state: { level: i, words: 'the lamp is on and the radio plays '.repeat(4) },
      }),
    },
  };
}

const best = (times: number[]): number => Math.min(...times);

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function bestOf(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) times.push(await timed(work));
  return best(times);
}

/** The rows of the table, and whether every figure holds. */
export async function run() {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-bench-history-'));
  const path = join(dir, 'toolwire.db');
  const store = openStore({ path });
  const bare = new DatabaseSync(join(dir, 'bare.db'));
  bare.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
     CREATE TABLE t (seq INTEGER PRIMARY KEY, call_id TEXT UNIQUE, name TEXT, record TEXT) STRICT;
     CREATE INDEX t_by_name ON t (name, seq)`,
  );
  const insert = bare.prepare('INSERT INTO t (call_id, name, record) VALUES (?, ?, ?)');
  const insertRow = (call: HistoryRow): void => void insert.run(call.callId, call.qualifiedName, JSON.stringify(call));
  const rows: Record<string, string | number>[] = [];
  let pass = true;
  const line = (what: string, ms: number, floor: number, most: number): void => {
    const holds = ms / floor <= most;
    pass &&= holds;
    rows.push({ what, ms: ms.toFixed(3), floor: floor.toFixed(3), ratio: (ms / floor).toFixed(2), 'at most': most });
  };
  try {
    const slices = 20;
    const perSlice = kept / slices;
    const keeping: number[] = [];
    const inserting: number[] = [];
    for (let slice = 0; slice < slices; slice++) {
      const at = slice * perSlice;
      keeping.push(await timed(() => repeat(perSlice, (i) => store.history.append(row(at + i), schema))));
      inserting.push(await timed(() => repeat(perSlice, (i) => insertRow(row(at + i)))));
    }
    line('keep one call, beside a bare insert', best(keeping) / perSlice, best(inserting) / perSlice, maxToInsert);

    const reader = new DatabaseSync(path, { readOnly: true });
    const whole = reader.prepare(
      'SELECT sum(length(qualified_name) + instr(args, char(7)) + instr(result, char(7))) FROM history_calls',
    );
    const floor = await bestOf(() => whole.get());
    const search = (query: HistoryQuery) => bestOf(() => searchHistory(store.history, { ...query, limit: 100 }));
    line('nothing found: all of them looked through', await search({ text: 'no such words' }), floor, maxToFloor);
    line('a word that only the oldest has', await search({ text: 'argument 7 of' }), floor, maxToFloor);
    line('letters beyond ASCII, none there', await search({ text: 'öffne' }), floor, 2 * maxToFloor);
    const quick: [string, HistoryQuery][] = [
      ['a word that every call has, a page of 100', { text: 'radio' }],
      ['one tool, a page', { qualifiedName: 'lab_method7' }],
      ['failed ones, none there', { status: 'error' }],
      ['a time window of an hour', { from: 1_700_000_000_000, to: 1_700_003_600_000 }],
    ];
    for (const [what, query] of quick) line(what, await search(query), pageMs, 1);
    rows.push({
      what: `on disk, MB, of ${kept.toLocaleString('en')} calls`,
      ms: (statSync(path).size / 1e6).toFixed(1),
    });
    reader.close();
  } finally {
    await store.close();
    bare.close();
    rmSync(dir, { recursive: true, force: true });
  }
  return { title: `History: ${kept.toLocaleString('en')} calls kept and searched`, rows, pass };
}

function repeat(times: number, work: (i: number) => void): void {
  for (let i = 0; i < times; i++) work(i);
}

import { setImmediate as nextTurn } from 'node:timers/promises';

import type { JsonValue } from '../base/json.ts';
import type { Frame } from '../contract/frames.ts';
import type { FrameReader, StoredLog } from './frameTypes.ts';
import { createSchemaWriter, readBegun, readCall, writeBegun, writeCall } from './historyRows.ts';
import type { HistoryStore, HistoryTable, StoredCall } from './historyTypes.ts';
import { parseIntegersExactly } from '../base/exactNumber.ts';
import type { JsonSchema } from '../base/json.ts';
import type { Remote } from './remote.ts';
import type { KeyValueStore, Store, StoreTables } from './types.ts';

/** Frames that a search returns at most. */
export const maxFound = 100_000;

/** The store as features use it. What is written is durable once its promise resolves. */
export function connectStore(tables: StoreTables): Store {
  const { chats, removed, health, notice } = tables;
  const { reserve, release, write } = tables.wire;
  const endedCalls = batchOfTurn(tables.history.append);
  return {
    settings: createSettings(tables.settings),
    history: createHistoryStore(tables.history, endedCalls),
    series: remote(tables.series),
    chats,
    wire: { ...withLogs(tables.wire), reserve, release, write },
    captures: withLogs(tables.captures),
    savedRuns: remote(tables.savedRuns),
    removed,
    health,
    ...(notice !== undefined && { notice }),
    async close() {
      endedCalls.flush();
      tables.close();
    },
  };
}

/**
 * The methods of a table. They run at once; their promises resolve in a later turn of the event loop, so that a series of calls
 * lets other work run in between.
 */
function remote<T extends object>(table: T): Remote<T> {
  const methods = table as Record<string, (...args: unknown[]) => unknown>;
  const later = Object.keys(table).map((name) => [
    name,
    async (...args: unknown[]) => nextTurn(methods[name]?.(...args)),
  ]);
  return Object.fromEntries(later) as Remote<T>;
}

/** The same for a table of logs. */
function withLogs<T extends { log: (...names: A) => FrameReader }, A extends never[]>(
  table: T,
): Omit<Remote<T>, 'log'> & { log: (...names: Parameters<T['log']>) => StoredLog } {
  return { ...remote(table), log: (...names: A) => createStoredLog(() => remote(table.log(...names))) };
}

function createSettings(table: StoreTables['settings']): KeyValueStore {
  const known = new Map(Object.entries(table.all()));
  let gathered: Map<string, JsonValue> | undefined;
  function write(changes: Map<string, JsonValue>): void {
    table.set(Object.fromEntries(changes));
    for (const [key, value] of changes) known.set(key, structuredClone(value));
  }
  return {
    get: (key) => structuredClone(gathered?.get(key) ?? known.get(key)),
    set(key, value) {
      if (gathered === undefined) write(new Map([[key, value]]));
      else gathered.set(key, value);
    },
    atomically(change) {
      gathered = new Map();
      try {
        change();
        write(gathered);
      } finally {
        gathered = undefined;
      }
    },
  };
}

function createHistoryStore(history: HistoryTable, ended: ReturnType<typeof batchOfTurn<StoredCall>>): HistoryStore {
  const schemaOf = createSchemaWriter();
  const table = remote(history);
  return {
    ...table,
    wentOut: (callId) => history.wentOut(callId),
    begin: async (begun) => table.begin(writeBegun(begun)),
    begun: async () => (await table.begun()).map(readBegun),
    append: async (row, schema) => ended.add(writeCall(row, schema && schemaOf(schema))),
    list: async (filter) => (await table.list(filter)).map(readCall),
    async get(callId) {
      const found = await table.get(callId);
      if (found === undefined) return undefined;
      const inputSchema = found.schema === undefined ? undefined : (parseIntegersExactly(found.schema) as JsonSchema);
      return { ...readCall(found), ...(inputSchema !== undefined && { inputSchema }) };
    },
  };
}

/** Writes what is added in one turn of the event loop together, as a transaction takes longer than a row. */
function batchOfTurn<T>(write: (items: T[]) => void) {
  let items: T[] = [];
  let written: Promise<void> | undefined;
  const flush = (): void => {
    const batch = items;
    items = [];
    written = undefined;
    if (batch.length > 0) write(batch);
  };
  return {
    flush,
    add(item: T): Promise<void> {
      items.push(item);
      written ??= nextTurn().then(flush);
      return written;
    },
  };
}

/** `read` finds the log again for each read: it may not have had a frame before. */
function createStoredLog(read: () => Remote<FrameReader>): StoredLog {
  return {
    rows: (page) => read().rows(page),
    frame: (seq) => read().frame(seq),
    bounds: () => read().bounds(),
    async *frames({ afterSeq = -1, ...filter } = {}): AsyncGenerator<Frame> {
      for (let after: number | undefined = afterSeq; after !== undefined;) {
        const page: Frame[] = await read().frames({ ...filter, afterSeq: after });
        yield* page;
        after = page.at(-1)?.seq;
      }
    },
    async search(text, { afterSeq, signal }) {
      const seqs: number[] = [];
      for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined && seqs.length < maxFound;) {
        // Requests of others, and the cancelling of this one, come between two parts.
        signal?.throwIfAborted();
        const { seqs: found, next } = await read().search(text, { before, afterSeq });
        for (const seq of found) seqs.push(seq);
        before = next;
      }
      return seqs.slice(0, maxFound).reverse();
    },
  };
}

import type { JsonValue } from '../base/json.ts';
import type { ChatStore } from './chatTypes.ts';
import type { Frame } from '../contract/frames.ts';
import type { FrameReader, StoredLog } from './frameTypes.ts';
import { createSchemaWriter, readBegun, readCall, writeBegun, writeCall } from './historyRows.ts';
import type { HistoryStore, HistoryTable } from './historyTypes.ts';
import { parseIntegersExactly } from '../base/exactNumber.ts';
import type { JsonSchema } from '../base/json.ts';
import type { Remote } from './remote.ts';
import type { StoreChannel } from './storeChannel.ts';
import { restoreError, type StoreReply, type StoreRequest, type TableName } from './storeServer.ts';
import type { KeyValueStore, Store, StoreTables } from './types.ts';

/** Frames that a search returns at most. */
export const maxFound = 100_000;

/** The store as features use it. What is written is durable once its promise resolves. */
export function connectStore(channel: StoreChannel): Store {
  let state = channel.opened.health;
  let isClosed = false;
  const health: Store['health'] = { onChange: () => undefined, state: () => state };
  const { notice } = channel.opened;

  function changed(next: typeof state): void {
    state = next;
    health.onChange();
  }
  channel.onHealth = changed;

  function read(reply: StoreReply): unknown {
    if ('value' in reply) return reply.value;
    // A request after closing says nothing about the disk.
    if (!isClosed && JSON.stringify(reply.health) !== JSON.stringify(state)) changed(reply.health);
    throw restoreError(reply.error);
  }
  const call = async (request: StoreRequest): Promise<unknown> => read(await channel.call(request));
  const callSync = (request: StoreRequest): unknown => read(channel.callSync(request));

  /** An object whose methods send requests. */
  const remote = <T>(table: TableName, log?: StoreRequest['log']): Remote<T> =>
    withMethods(
      (method) =>
        (...args) =>
          call({ table, ...(log && { log }), method, args }),
    );
  const withLogs = <T>(table: TableName): T =>
    withMethods((method) =>
      method === 'log'
        ? (...log) => createStoredLog(remote<FrameReader>(table, log as string[]))
        : (...args) => call({ table, method, args }),
    );
  /** The same without promises. */
  const waited = <T>(table: TableName): T =>
    withMethods(
      (method) =>
        (...args) =>
          callSync({ table, method, args }),
    );

  return {
    settings: createSettings(channel.opened.settings, waited<StoreTables['settings']>('settings')),
    history: createHistoryStore(remote<HistoryTable>('history')),
    series: remote('series'),
    chats: createChats(waited<StoreTables['chats']>('chats')),
    wire: withLogs('wire'),
    captures: withLogs('captures'),
    savedRuns: remote('savedRuns'),
    removed: waited('removed'),
    health,
    ...(notice !== undefined && { notice }),
    close() {
      isClosed = true;
      return channel.close();
    },
  };
}

function createSettings(values: Record<string, JsonValue>, table: StoreTables['settings']): KeyValueStore {
  const known = new Map(Object.entries(values));
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

function createChats(table: StoreTables['chats']): ChatStore {
  let depth = 0;
  function together<T>(work: () => T): T {
    if (depth > 0) return work();
    table.beginTogether();
    depth += 1;
    let isDone = false;
    try {
      const value = work();
      isDone = true;
      return value;
    } finally {
      depth -= 1;
      table.endTogether(isDone);
    }
  }
  return Object.assign(table as unknown as ChatStore, { together });
}

function createHistoryStore(table: Remote<HistoryTable>): HistoryStore {
  const schemaOf = createSchemaWriter();
  return {
    begin: async (begun) => table.begin(writeBegun(begun)),
    begun: async () => (await table.begun()).map(readBegun),
    append: async (row, schema) => table.append(writeCall(row, schema && schemaOf(schema))),
    list: async (filter) => (await table.list(filter)).map(readCall),
    async get(callId) {
      const found = await table.get(callId);
      if (found === undefined) return undefined;
      const inputSchema = found.schema === undefined ? undefined : (parseIntegersExactly(found.schema) as JsonSchema);
      return { ...readCall(found), ...(inputSchema !== undefined && { inputSchema }) };
    },
    search: (query) => table.search(query),
    names: () => table.names(),
    size: () => table.size(),
    setLimits: (limits) => table.setLimits(limits),
  };
}

function createStoredLog(reader: Remote<FrameReader>): StoredLog {
  return {
    rows: (page) => reader.rows(page),
    frame: (seq) => reader.frame(seq),
    bounds: () => reader.bounds(),
    async *frames({ afterSeq = -1, ...filter } = {}): AsyncGenerator<Frame> {
      for (let after: number | undefined = afterSeq; after !== undefined;) {
        const page: Frame[] = await reader.frames({ ...filter, afterSeq: after });
        yield* page;
        after = page.at(-1)?.seq;
      }
    },
    async search(text, signal) {
      const seqs: number[] = [];
      for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined && seqs.length < maxFound;) {
        // Requests of others, and the cancelling of this one, come between two parts.
        signal?.throwIfAborted();
        const { seqs: found, next } = await reader.search(text, before);
        for (const seq of found) seqs.push(seq);
        before = next;
      }
      return seqs.slice(0, maxFound).reverse();
    },
  };
}

/** An object that makes each of its methods when it is first named. */
function withMethods<T>(make: (method: string) => (...args: unknown[]) => unknown): T {
  return new Proxy<Record<string, unknown>>(
    {},
    {
      // A promise that resolves to it looks for `then`.
      get: (made, name) => (typeof name === 'symbol' || name === 'then' ? undefined : (made[name] ??= make(name))),
    },
  ) as T;
}

/** The tables of a store as its thread has them, with calls and settings one by one. */
import type { JsonSchema, JsonValue } from '../../../src-core/base/json.ts';
import { parseIntegersExactly } from '../../../src-core/base/exactNumber.ts';
import type { Frame } from '../../../src-core/contract/frames.ts';
import type { FrameFilter } from '../../../src-core/store/frameTypes.ts';
import { createSchemaWriter, readBegun, readCall, writeBegun, writeCall } from '../../../src-core/store/historyRows.ts';
import type { BegunCall, HistoryRow } from '../../../src-core/store/historyTypes.ts';
import type { HistoryFound, HistoryQuery } from '../../../src-core/contract/callRecords.ts';
import { openCheckedStore as openChecked } from '../../../src-core/store/openStore.ts';
import { openStore as open, type OpenStoreOptions } from '../../../src-core/store/openStore.ts';
import type { StoreTables } from '../../../src-core/store/types.ts';

export type Tables = ReturnType<typeof tablesOf>;

export const openStore = (options: OpenStoreOptions): Tables => tablesOf(open(options));
export const openCheckedStore = async (options: OpenStoreOptions): Promise<Tables> =>
  tablesOf(await openChecked(options));

function tablesOf(store: StoreTables) {
  const { history, settings, chats, wire, captures } = store;
  const schemaOf = createSchemaWriter();
  const logOf = (reader: ReturnType<StoreTables['wire']['log']>) => ({
    ...reader,
    *frames({ afterSeq = -1, ...filter }: FrameFilter = {}): Generator<Frame> {
      for (let after: number | undefined = afterSeq; after !== undefined;) {
        const page = reader.frames({ ...filter, afterSeq: after });
        yield* page;
        after = page.at(-1)?.seq;
      }
    },
    *search(text: string): Generator<number[]> {
      for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined;) {
        const { seqs, next } = reader.search(text, { before, afterSeq: -1 });
        yield seqs;
        before = next;
      }
    },
  });
  return {
    ...store,
    history: {
      ...history,
      begin: (call: BegunCall) => history.begin(writeBegun(call)),
      begun: () => history.begun().map(readBegun),
      append: (row: HistoryRow, schema?: JsonSchema) => history.append([writeCall(row, schema && schemaOf(schema))]),
      list: (filter: Parameters<typeof history.list>[0]) => history.list(filter).map(readCall),
      get(callId: string): (HistoryRow & { inputSchema?: JsonSchema }) | undefined {
        const found = history.get(callId);
        if (found === undefined) return undefined;
        const { schema } = found;
        return {
          ...readCall(found),
          ...(schema !== undefined && { inputSchema: parseIntegersExactly(schema) as JsonSchema }),
        };
      },
      *search(query: HistoryQuery): Generator<HistoryFound[]> {
        for (let before = query.before ?? Number.MAX_SAFE_INTEGER; ;) {
          const { found, next } = history.search({ ...query, before });
          yield found;
          if (next === undefined) return;
          before = next;
        }
      },
    },
    settings: {
      get: (key: string): JsonValue | undefined => settings.all()[key],
      set: (key: string, value: JsonValue) => settings.set({ [key]: value }),
    },
    wire: { ...wire, log: (id?: string, peer?: string) => logOf(wire.log(id, peer)) },
    captures: { ...captures, log: (id: string, peer?: string) => logOf(captures.log(id, peer)) },
    chats,
  };
}

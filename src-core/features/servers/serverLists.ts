import type { JsonObject } from '../../base/json.ts';
import type { ListedTool, ListFault, ListKind, McpConnection } from '../../mcp/types.ts';
import { noneIfUnknown, type ServerLists } from './readLists.ts';

/** Reads the lists of one connection, each once at a time. A change that is announced meanwhile leads to one further reading. */
export interface ListReader {
  tools(): Promise<void>;
  all(): Promise<void>;
}

/** Reads a list again whenever the server announces that it has changed. */
export function createListReader(options: {
  connection: McpConnection;
  signal: AbortSignal;
  onTools: (list: { tools: ListedTool[]; faults: ListFault[] }) => void;
  /** A list is being read. */
  onList: (kind: keyof ServerLists, items: Promise<JsonObject[]>) => void;
  /** A list could not be read. */
  onError: (error: unknown) => void;
}): ListReader {
  const { connection, signal, onTools, onList, onError } = options;
  const track = async (kind: keyof ServerLists, items: Promise<JsonObject[]>): Promise<void> => {
    onList(kind, items);
    await items;
  };
  const readers: Record<ListKind, () => Promise<void>> = {
    tools: onceAtATime(async () => onTools(await connection.listTools(signal))),
    prompts: onceAtATime(() => track('prompts', connection.listPrompts(signal))),
    resources: onceAtATime(async () => {
      await Promise.all([
        track('resources', connection.listResources(signal)),
        track('templates', connection.listResourceTemplates(signal).catch(noneIfUnknown)),
      ]);
    }),
  };
  connection.onListChanged((kind) => void readers[kind]().catch(onError));
  return {
    tools: readers.tools,
    async all() {
      await Promise.all(Object.values(readers).map((read) => read()));
    },
  };
}

function onceAtATime(read: () => Promise<void>): () => Promise<void> {
  let isStale = false;
  let reading: Promise<void> | undefined;
  const readAll = async (): Promise<void> => {
    try {
      do {
        isStale = false;
        await read();
      } while (isStale);
    } finally {
      reading = undefined;
    }
  };
  return () => {
    isStale = true;
    reading ??= readAll();
    return reading;
  };
}

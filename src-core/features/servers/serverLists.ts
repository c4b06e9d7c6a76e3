import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ListedTool, ListFault, ListKind, McpConnection } from '../../mcp/types.ts';
import { noneIfUnknown, type ServerLists } from './readLists.ts';

/** Reads all lists of one connection; each promise is of one of them. */
export type ListReader = () => Record<ListKind, Promise<void>>;

/** ms between the readings of a list whose changes are announced without pause. */
const shortestPauseMs = 100;
const longestPauseMs = 5_000;

/** Reads a list again whenever the server announces that it has changed. */
export function createListReader(options: {
  connection: Pick<
    McpConnection,
    'listTools' | 'listPrompts' | 'listResources' | 'listResourceTemplates' | 'onListChanged'
  >;
  signal: AbortSignal;
  clock: Pick<Clock, 'now' | 'after'>;
  onTools: (list: { tools: ListedTool[]; faults: ListFault[] }) => void;
  /** A list is being read. */
  onList: (kind: keyof ServerLists, items: Promise<JsonObject[]>) => void;
  /** A list could not be read. */
  onError: (error: unknown) => void;
}): ListReader {
  const { connection, signal, clock, onTools, onList, onError } = options;
  const track = async (kind: keyof ServerLists, items: Promise<JsonObject[]>): Promise<void> => {
    onList(kind, items);
    await items;
  };
  const readers = {
    tools: onceAtATime(async () => onTools(await connection.listTools(signal))),
    prompts: onceAtATime(() => track('prompts', connection.listPrompts(signal))),
    resources: onceAtATime(async () => {
      await Promise.all([
        track('resources', connection.listResources(signal)),
        track('templates', connection.listResourceTemplates(signal).catch(noneIfUnknown)),
      ]);
    }),
  };
  const again = (kind: ListKind): (() => void) => withPauses(() => readers[kind]().catch(onError), { clock, signal });
  const changed = { tools: again('tools'), prompts: again('prompts'), resources: again('resources') };
  connection.onListChanged((kind) => changed[kind]());
  return () => ({ tools: readers.tools(), prompts: readers.prompts(), resources: readers.resources() });
}

/** A reading that is requested while another one runs follows it. */
function onceAtATime(read: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    next = undefined;
    running = read().finally(() => (running = undefined));
    return running;
  };
  return () => {
    if (running === undefined) return begin();
    next ??= running.then(begin, begin);
    return next;
  };
}

/** Runs at each call, but with longer and longer pauses if calls come while it runs, or soon after it. */
function withPauses(
  run: () => Promise<void>,
  { clock, signal }: { clock: Pick<Clock, 'now' | 'after'>; signal: AbortSignal },
): () => void {
  let isDue = false;
  let pauseMs = 0;
  let endedAt = -Infinity;
  const runNow = async (): Promise<void> => {
    isDue = false;
    endedAt = Infinity;
    await run();
    endedAt = clock.now();
  };
  return () => {
    if (isDue) return;
    const isSoon = clock.now() - endedAt < longestPauseMs;
    pauseMs = isSoon ? Math.min(Math.max(2 * pauseMs, shortestPauseMs), longestPauseMs) : 0;
    if (pauseMs === 0) return void runNow();
    isDue = true;
    const cancel = clock.after(pauseMs, () => {
      signal.removeEventListener('abort', cancel);
      void runNow();
    });
    signal.addEventListener('abort', cancel, { once: true });
  };
}

import type { Clock } from '../../base/clock.ts';
import { RequestError } from '../../base/requestError.ts';
import type {
  Frame,
  FrameBatch,
  FramePage,
  FrameRow,
  frames as framesContract,
  LogName,
} from '../../contract/frames.ts';
import type { Implementation } from '../../contract/implementation.ts';
import { gatewayLogId, logIdOf, type StoredLog } from '../../store/frameTypes.ts';
import type { FeatureContext } from '../context.ts';
import type { HeldLimits } from './heldFrames.ts';
import type { Store } from '../../store/types.ts';
import type { Trash } from '../trash/open.ts';
import { type FrameListener, openFrameLog } from './frameLog.ts';
import { rowOf } from './withUnwritten.ts';

/** Frames of a call that are returned at most, and the characters of their texts. */
const mostOfCall = { limit: 2_000, characters: 2_000_000 };

/** The kinds of cleared logs in the trash, and the ids of the logs that they are restored to. */
const clearedLogs = {
  log: (deviceId: string) => deviceId,
  serverLog: (serverId: string) => logIdOf({ source: 'mcp', connection: serverId }),
  gatewayLog: () => gatewayLogId,
};

type Context = Pick<FeatureContext, 'events' | 'settings' | 'clock' | 'onError'> & {
  store: Pick<Store, 'wire'>;
  trash: { bin: Pick<Trash['bin'], 'handle' | 'put'>; captures: Pick<Trash['captures'], 'get' | 'log'> };
  held?: HeldLimits;
};

/** Opens the log of all frames, and reads it and the captures imported from such logs. */
export async function openFrames(context: Context) {
  const { events, settings, clock } = context;
  const { wire } = context.store;
  const { bin, captures } = context.trash;
  const log = await openFrameLog({ ...context, store: wire, limitMb: settings().captureLimitMb });
  events.on('settingsChanged', ({ next }) => log.setLimit(next.captureLimitMb));
  /** A log was emptied or restored. */
  const onChange = (): void => void events.emit('changed', 'gateway');

  for (const [kind, idOf] of Object.entries(clearedLogs) as [keyof typeof clearedLogs, (of: string) => string][])
    bin.handle(kind, {
      async restore({ id: key, of }) {
        await log.putBack(key, idOf(of));
        onChange();
      },
      discard: ({ id: key }) => wire.drop(key),
    });

  async function logOf({ source, connection, captureId }: LogName): Promise<StoredLog> {
    if ((source === undefined) === (captureId === undefined))
      throw new RequestError('Name a source or a capture, and only one of them.', { field: 'captureId' });
    if (captureId === undefined) return log.log(...placeOf(source, connection));
    if ((await captures.get(captureId)) === undefined)
      throw new RequestError(`There is no capture "${captureId}".`, { field: 'captureId' });
    return captures.log(captureId, connection);
  }

  async function page({ afterSeq, limit, ...name }: LogName & Part): Promise<FramePage> {
    const found = await logOf(name);
    const upcoming = log.upcomingSeq;
    const rows = await found.rows({ afterSeq, limit });
    const { first, last } = (await found.bounds()) ?? { first: upcoming, last: upcoming - 1 };
    return { rows, firstSeq: first, lastSeq: last };
  }

  const ofCall = async (callId: string): Promise<Frame[]> => (await log.callFrames(callId, mostOfCall)).reverse();

  async function pageOfCall(callId: string, { afterSeq, limit }: Part): Promise<FramePage> {
    const rows = (await ofCall(callId)).filter(({ seq }) => seq > afterSeq).map(rowOf);
    return { rows: rows.slice(0, limit), firstSeq: 0, lastSeq: rows.at(-1)?.seq ?? 0 };
  }

  const service = {
    follow: ({ afterSeq = -1, callId, ...name }, signal?) =>
      followLog({
        page: (part) => (callId === undefined ? page({ ...name, ...part }) : pageOfCall(callId, part)),
        listen: (listener) => log.listen(listener),
        isOf: (frame) => (callId === undefined ? isOf(frame, name) : frame.callId === callId),
        afterSeq,
        clock,
        signal,
      }),
    page: ({ afterSeq = -1, ...part }) => page({ ...part, afterSeq }),
    async frame({ seq, ...name }) {
      const frame = await (await logOf(name)).frame(seq);
      if (frame !== undefined) return frame;
      throw new RequestError(`Frame ${seq} is not in the log. It was deleted, by the limit for logs or by a user.`, {
        field: 'seq',
      });
    },
    search: async ({ text, afterSeq = -1, ...name }, signal?) => ({
      seqs: await (await logOf(name)).search(text, { afterSeq, signal }),
    }),
    ofCall: ({ callId }) => ofCall(callId),
    async clear(name) {
      const of = name.source === 'gateway' ? 'gateway' : name.connection;
      const kind = ({ device: 'log', mcp: 'serverLog', gateway: 'gatewayLog' } as const)[name.source];
      const id = clearedLogs[kind](of);
      if ((await log.log(id).bounds()) === undefined) return;
      const label = name.source === 'gateway' ? 'Gateway' : ((await wire.device(id))?.name ?? of);
      const key = bin.put({ kind, name: label, of });
      await log.setAside(id, { key, keepFacts: true });
      onChange();
    },
  } satisfies Implementation<typeof framesContract>;
  return { service, log, close: () => log.close() };
}

interface Part {
  afterSeq: number;
  limit: number;
}

function placeOf(
  source: LogName['source'],
  connection: string | undefined,
): [id?: string | undefined, connection?: string | undefined] {
  if (source === 'gateway') return [gatewayLogId, connection];
  if (source === 'realtime' && connection === undefined)
    throw new RequestError('Name a conversation: each has a log of its own.', { field: 'connection' });
  if (source === 'mcp' && connection === undefined)
    throw new RequestError('Name an MCP server: each has a log of its own.', { field: 'connection' });
  if (source === 'host' && connection === undefined)
    throw new RequestError('Name an MCP host: each has a log of its own.', { field: 'connection' });
  return connection === undefined ? [] : [logIdOf({ source: source ?? 'device', connection })];
}

function isOf(frame: Frame, { source, connection }: LogName): boolean {
  return frame.source === source && (connection === undefined || frame.connection === connection);
}

/** Rows of a page: some 200 kB, which a window reads in a few milliseconds. */
const pageRows = 1_000;
/** ms over which rows are gathered: about two frames of a screen. */
const gatherMs = 32;

/**
 * Yields the rows of a log after `afterSeq`, then each new one that `isOf` the log. Ends when `signal` aborts. New rows come
 * from memory; a page is read only at the beginning, after an eviction, and if more than a page of rows came at once.
 */
async function* followLog(options: {
  page: (part: { afterSeq: number; limit: number }) => Promise<FramePage>;
  listen: (listener: FrameListener) => () => void;
  isOf: (frame: Frame) => boolean;
  afterSeq: number;
  clock: Clock;
  signal: AbortSignal | undefined;
}): AsyncGenerator<FrameBatch, void, void> {
  const { page, isOf, clock, signal } = options;
  let rows: FrameRow[] = [];
  let { afterSeq } = options;
  let firstSeq = 0;
  let mustRead = true;
  let wake = (): void => undefined;
  const isAborted = (): boolean => signal?.aborted === true;
  const stopListening = options.listen((frame) => {
    if (frame === undefined) mustRead = true;
    else if (!isOf(frame)) return;
    else if (rows.length < pageRows) rows.push(rowOf(frame));
    else mustRead = true;
    wake();
  });
  const onAbort = (): void => wake();
  signal?.addEventListener('abort', onAbort);
  try {
    while (!isAborted()) {
      if (mustRead) {
        mustRead = false;
        // They are in the page.
        rows = [];
        const found = await page({ afterSeq, limit: pageRows });
        mustRead ||= found.rows.length === pageRows;
        afterSeq = found.rows.at(-1)?.seq ?? afterSeq;
        ({ firstSeq } = found);
        yield { ...found, more: mustRead };
      } else if (rows.length > 0) {
        await pause(clock, gatherMs);
        const fresh = rows.filter(({ seq }) => seq > afterSeq);
        if (mustRead || isAborted()) continue;
        rows = [];
        afterSeq = fresh.at(-1)?.seq ?? afterSeq;
        if (fresh.length > 0) yield { rows: fresh, firstSeq, lastSeq: afterSeq, more: false };
      } else {
        await new Promise<void>((resolve) => (wake = resolve));
      }
    }
  } finally {
    stopListening();
    signal?.removeEventListener('abort', onAbort);
  }
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}

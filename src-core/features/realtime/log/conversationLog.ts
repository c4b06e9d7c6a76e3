import type {
  RealtimeEventRow,
  RealtimeSessionInfo,
  RealtimeTimelineItem,
  RealtimeTranscriptEntry,
  RealtimeUpdate,
} from '../../../contract/types/realtime.ts';
import type {
  CaptureStore,
  FrameLog,
  StoredDevice,
  StoredFrame,
  StoredRow,
  WireStore,
} from '../../../store/frameTypes.ts';
import { StorageError } from '../../../store/storageError.ts';
import type { Clock } from '../../../base/clock.ts';
import { RequestError } from '../../../base/requestError.ts';
import type { RemovedBin } from '../../trash/removedBin.ts';
import { putLogBack } from '../../trash/removedLogs.ts';
import type { WireRecorder } from '../../devices/log/wireRecorder.ts';
import { conversationLogId, ConversationKeeper, type KeptConversation } from './conversationKeeper.ts';

/** Conversations that are kept; the oldest are dropped. */
const maxKept = 50;
/** Frames, and characters of their notes, of one answer. */
const pageFrames = 2_000;
const pageLength = 2_000_000;

/** A conversation that has ended, or an imported one. Exactly one of them. */
export interface ConversationSource {
  id?: string | undefined;
  captureId?: string | undefined;
}

/** Realtime conversations, each in a separate log beside those of devices, under the same limit. */
export interface ConversationLog {
  /** Numbers the events of all conversations. */
  nextSeq(): number;
  /** Drops the oldest conversations if there are more than 50. */
  dropOldest(): Promise<void>;
  /** Keeps a new conversation. */
  begin(conversation: KeptConversation): ConversationKeeper;
  /** The ended ones, the most recently started first. */
  list(): Promise<RealtimeSessionInfo[]>;
  /** One that has ended; undefined if there is no such log. */
  info(id: string): Promise<RealtimeSessionInfo | undefined>;
  /** The changes after the frame `revision`. Rejects with a `RequestError` if there is no such log or capture. */
  updates(source: ConversationSource & { revision: number }): Promise<RealtimeUpdate>;
  event(source: ConversationSource & { seq: number }): Promise<{ seq: number; text: string }>;
  remove(id: string): Promise<void>;
}

/** Keeps conversations in the store that keeps the logs of devices. */
export function createConversationLog(options: {
  wire: Pick<WireStore, 'log' | 'device' | 'sharedLogs' | 'setAside' | 'putBack' | 'drop'>;
  captures: Pick<CaptureStore, 'get' | 'log'>;
  recorder: Pick<WireRecorder, 'nextSeq' | 'keep' | 'flush'>;
  bin: Pick<RemovedBin, 'handle' | 'put'>;
  clock: Clock;
  onChange: () => void;
}): ConversationLog {
  const { wire, captures, recorder, bin, clock, onChange } = options;
  /** Ids of logs of open conversations. */
  const open = new Set<string>();
  /** Infos of ended conversations, by the id of the log. */
  const known = new Map<string, RealtimeSessionInfo>();

  bin.handle('realtime', {
    async restore({ id: key, of }) {
      await putLogBack(wire, key, conversationLogId(of));
      onChange();
    },
    discard: ({ id: key }) => wire.drop(key),
  });

  async function endedLogs(): Promise<string[]> {
    recorder.flush();
    return (await wire.sharedLogs('realtime')).filter((logId) => !open.has(logId));
  }

  async function infoOf(logId: string): Promise<RealtimeSessionInfo | undefined> {
    if (open.has(logId)) return undefined;
    const found = known.get(logId) ?? endedInfo(await wire.device(logId));
    if (found !== undefined) known.set(logId, found);
    return found;
  }

  async function forget(logId: string, { key, isGone }: { key: string; isGone: boolean }): Promise<void> {
    await wire.setAside(logId, { key, keepFacts: false });
    if (isGone) await wire.drop(key);
    known.delete(logId);
  }

  async function sourceOf({ id = '', captureId }: ConversationSource): Promise<{
    session: RealtimeSessionInfo;
    log: FrameLog;
  }> {
    if (captureId !== undefined) {
      const capture = await captures.get(captureId);
      if (capture?.origin !== 'realtime')
        throw new RequestError(`There is no capture "${captureId}" of a conversation.`, { field: 'captureId' });
      // It was checked when it was imported.
      const session = capture.about as unknown as RealtimeSessionInfo;
      return {
        session: ended(session, capture.lastAt ?? session.startedAt),
        log: captures.log(captureId),
      };
    }
    recorder.flush();
    const session = await infoOf(conversationLogId(id));
    if (session === undefined)
      throw new RequestError('This conversation is not there any more. Begin another.', { field: 'id' });
    return { session, log: wire.log(conversationLogId(id)) };
  }

  return {
    nextSeq: recorder.nextSeq,
    async dropOldest() {
      try {
        for (const oldest of (await endedLogs()).slice(maxKept)) await forget(oldest, { key: oldest, isGone: true });
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
      }
    },
    begin(conversation) {
      const logId = conversationLogId(conversation.id);
      open.add(logId);
      return new ConversationKeeper(conversation, {
        recorder,
        clock,
        onEnd: () => open.delete(logId),
      });
    },
    async list() {
      const logs = await endedLogs();
      for (const logId of known.keys()) if (!logs.includes(logId)) known.delete(logId);
      return (await Promise.all(logs.map(infoOf))).filter((info) => info !== undefined);
    },
    async info(id) {
      recorder.flush();
      return infoOf(conversationLogId(id));
    },
    async updates({ revision, ...source }) {
      const { session, log } = await sourceOf(source);
      const endedAt = session.closedAt ?? session.startedAt;
      // A capture may begin with the frame 0.
      return {
        session,
        kept: true,
        ...(await readPage(log, { afterSeq: revision === 0 ? -1 : revision, endedAt })),
      };
    },
    async event({ seq, ...source }) {
      const { log } = await sourceOf(source);
      const { text } = (await log.frame(seq)) ?? {};
      if (text !== undefined) return { seq, text };
      throw new RequestError(`The event ${seq} is not in the log. Its limit has let it go.`, { field: 'seq' });
    },
    async remove(id) {
      recorder.flush();
      const name = (await infoOf(conversationLogId(id)))?.label;
      if (name === undefined) return;
      await forget(conversationLogId(id), {
        key: bin.put({ kind: 'realtime', name, of: id }),
        isGone: false,
      });
      onChange();
    },
  };
}

/** The last stored state of a conversation that has ended. */
function endedInfo(device: StoredDevice | undefined): RealtimeSessionInfo | undefined {
  if (device?.about === undefined) return undefined;
  return ended(device.about as unknown as RealtimeSessionInfo, device.lastSeenAt);
}

/** A conversation in its ended state. After a crash, and in an export made before the end, the end is missing. */
function ended(session: RealtimeSessionInfo, lastAt: number): RealtimeSessionInfo {
  if (session.state === 'closed') return session;
  return {
    ...session,
    state: 'closed',
    closedAt: Math.max(lastAt, session.startedAt),
    reason: 'The log does not hold the end of this conversation.',
    speaking: { bot: false, user: false },
  };
}

type Page = Omit<RealtimeUpdate, 'session'>;

async function readPage(log: FrameLog, { afterSeq, endedAt }: { afterSeq: number; endedAt: number }): Promise<Page> {
  const page: Page = {
    transcript: [],
    timeline: [],
    events: [],
    revision: Math.max(0, afterSeq),
    more: false,
  };
  const rows = await log.rows({ afterSeq, limit: pageFrames });
  let length = 0;
  for (const row of rows) {
    if (length > pageLength) break;
    page.revision = row.seq;
    if (row.kind === 'text') page.events.push(eventOf(row));
    else if (row.kind === 'note') {
      const frame = await log.frame(row.seq);
      length += frame?.text?.length ?? 0;
      if (frame !== undefined) addNote(page, frame, endedAt);
    }
  }
  page.more = rows.length === pageFrames || page.revision < (rows.at(-1)?.seq ?? 0);
  return page;
}

/**
 * Notes were written by the keeper, or come from a capture, which was checked when it was imported. An item without an
 * end ended with the conversation.
 */
function addNote({ transcript, timeline }: Page, { type, text = '' }: StoredFrame, endedAt: number): void {
  if (type === 'transcript') {
    const entry = JSON.parse(text) as RealtimeTranscriptEntry;
    transcript.push(entry.partial ? { ...entry, partial: false, interrupted: true } : entry);
  } else if (type === 'timeline') {
    const item = JSON.parse(text) as RealtimeTimelineItem;
    timeline.push(item.to === undefined ? { ...item, to: Math.max(endedAt, item.from), state: 'interrupted' } : item);
  }
}

function eventOf({ seq, at, direction, type, summary, method, callId, bytes, failed }: StoredRow): RealtimeEventRow {
  return {
    seq,
    at,
    direction: direction as RealtimeEventRow['direction'],
    type,
    bytes,
    ...(failed === true && type !== 'invalid' && { unknown: true }),
    ...(method !== undefined && { responseId: method }),
    ...(summary !== '' && { itemId: summary }),
    ...(callId !== undefined && { callId }),
  };
}

import type {
  RealtimeSessionInfo,
  RealtimeTimelineItem,
  RealtimeTranscriptEntry,
  RealtimeUpdate,
} from '../../../contract/types/realtime.ts';
import type { Frame } from '../../../contract/types.ts';
import type { CaptureStore, StoredDevice, StoredLog, WireStore } from '../../../store/frameTypes.ts';
import { StorageError } from '../../../store/storageError.ts';
import type { Clock } from '../../../base/clock.ts';
import { RequestError } from '../../../base/requestError.ts';
import type { RemovedBin } from '../../trash/removedBin.ts';
import type { FrameLog } from '../../frames/frameLog.ts';
import { conversationLogId, ConversationKeeper, type KeptConversation } from './conversationKeeper.ts';

/** Conversations that are kept; the oldest are dropped. */
const maxKept = 50;
/** Characters of the notes of one answer. */
const pageLength = 2_000_000;

/** A conversation that has ended, or an imported one. Exactly one of them. */
export interface ConversationSource {
  id?: string | undefined;
  captureId?: string | undefined;
}

interface LoggedConversation {
  session: RealtimeSessionInfo;
  log: StoredLog;
}

/** Realtime conversations, each in a separate log beside those of devices, under the same limit. */
export interface ConversationLog {
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
  remove(id: string): Promise<void>;
}

/** Keeps conversations in the store that keeps the logs of devices. */
export function createConversationLog(options: {
  wire: Pick<WireStore, 'device' | 'conversations' | 'drop'>;
  captures: Pick<CaptureStore, 'get' | 'log'>;
  frames: FrameLog;
  bin: Pick<RemovedBin, 'handle' | 'put'>;
  clock: Clock;
  onChange: () => void;
}): ConversationLog {
  const { wire, captures, frames, bin, clock, onChange } = options;
  const logs = createLogs(wire, frames);

  bin.handle('realtime', {
    async restore({ id: key, of }) {
      await frames.putBack(key, conversationLogId(of));
      onChange();
    },
    discard: ({ id: key }) => wire.drop(key),
  });

  async function sourceOf({ id = '', captureId }: ConversationSource): Promise<LoggedConversation> {
    if (captureId !== undefined) return importedSource(captures, captureId);
    const session = await logs.info(conversationLogId(id));
    if (session === undefined)
      throw new RequestError('This conversation no longer exists. Start another one.', { field: 'id' });
    return { session, log: frames.log(conversationLogId(id)) };
  }

  return {
    async dropOldest() {
      try {
        for (const oldest of (await logs.ended()).slice(maxKept))
          await logs.forget(oldest, { key: oldest, isGone: true });
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
      }
    },
    begin(conversation) {
      const logId = conversationLogId(conversation.id);
      logs.open.add(logId);
      return new ConversationKeeper(conversation, { frames, clock, onEnd: () => logs.open.delete(logId) });
    },
    list: logs.list,
    info: (id) => logs.info(conversationLogId(id)),
    async updates({ revision, ...source }) {
      const { session, log } = await sourceOf(source);
      const endedAt = session.closedAt ?? session.startedAt;
      // A capture may begin with the frame 0.
      return { session, kept: true, ...(await readPage(log, { afterSeq: revision === 0 ? -1 : revision, endedAt })) };
    },
    async remove(id) {
      const name = (await logs.info(conversationLogId(id)))?.label;
      if (name === undefined) return;
      await logs.forget(conversationLogId(id), { key: bin.put({ kind: 'realtime', name, of: id }), isGone: false });
      onChange();
    },
  };
}

/** Which conversations have ended, and what is known of them. */
function createLogs(wire: Pick<WireStore, 'device' | 'conversations' | 'drop'>, frames: FrameLog) {
  /** Ids of logs of open conversations. */
  const open = new Set<string>();
  /** Infos of ended conversations, by the id of the log. */
  const known = new Map<string, RealtimeSessionInfo>();

  async function ended(): Promise<string[]> {
    return (await wire.conversations()).filter((logId) => !open.has(logId));
  }

  async function info(logId: string): Promise<RealtimeSessionInfo | undefined> {
    if (open.has(logId)) return undefined;
    const found = known.get(logId) ?? endedInfo(await wire.device(logId));
    if (found !== undefined) known.set(logId, found);
    return found;
  }

  async function forget(logId: string, { key, isGone }: { key: string; isGone: boolean }): Promise<void> {
    await frames.setAside(logId, { key, keepFacts: false });
    if (isGone) await wire.drop(key);
    known.delete(logId);
  }

  async function list(): Promise<RealtimeSessionInfo[]> {
    const logs = await ended();
    for (const logId of known.keys()) if (!logs.includes(logId)) known.delete(logId);
    return (await Promise.all(logs.map(info))).filter((info) => info !== undefined);
  }

  return { open, ended, info, forget, list };
}

async function importedSource(
  captures: Pick<CaptureStore, 'get' | 'log'>,
  captureId: string,
): Promise<LoggedConversation> {
  const capture = await captures.get(captureId);
  if (capture?.origin !== 'realtime')
    throw new RequestError(`There is no capture "${captureId}" of a conversation.`, { field: 'captureId' });
  // It was checked when it was imported.
  const session = capture.about as unknown as RealtimeSessionInfo;
  return { session: ended(session, capture.lastAt ?? session.startedAt), log: captures.log(captureId) };
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

async function readPage(log: StoredLog, { afterSeq, endedAt }: { afterSeq: number; endedAt: number }): Promise<Page> {
  const page: Page = { transcript: [], timeline: [], revision: Math.max(0, afterSeq), more: false };
  let length = 0;
  for await (const frame of log.frames({ afterSeq, only: { kind: 'note' } })) {
    page.more = length > pageLength;
    if (page.more) break;
    page.revision = frame.seq;
    length += frame.text?.length ?? 0;
    addNote(page, frame, endedAt);
  }
  return page;
}

/**
 * Notes were written by the keeper, or come from a capture, which was checked when it was imported. An item without an
 * end ended with the conversation.
 */
function addNote({ transcript, timeline }: Page, { type, text = '' }: Frame, endedAt: number): void {
  if (type === 'transcript') {
    const entry = JSON.parse(text) as RealtimeTranscriptEntry;
    transcript.push(entry.partial ? { ...entry, partial: false, interrupted: true } : entry);
  } else if (type === 'timeline') {
    const item = JSON.parse(text) as RealtimeTimelineItem;
    timeline.push(item.to === undefined ? { ...item, to: Math.max(endedAt, item.from), state: 'interrupted' } : item);
  }
}

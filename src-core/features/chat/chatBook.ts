import type { ChatRow, ChatTable, ReadEntryRow } from '../../store/chatTypes.ts';
import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import type { ChatAssistantEntry, ChatEntry, ChatSession, ChatStep, ChatUserEntry } from '../../contract/chat.ts';

/** The stored fields of a chat; the rest follows from its rows. */
export type ChatRecord = Omit<ChatSession, 'id' | 'updatedAt' | 'revision' | 'entryCount' | 'running'>;

/** An entry that has no place yet. */
export type NewEntry = Omit<ChatUserEntry, 'position' | 'revision'> | Omit<ChatAssistantEntry, 'position' | 'revision'>;

/** An entry as JSON text, without `position` and `revision`. */
export interface EntryRecord {
  id: string;
  record: string;
}

/** Entries that one chat may have. */
const maxEntries = 10_000;
/** Characters of an imported entry's record. The entries of one request are read in one turn of the event loop. */
export const maxRecordLength = 3_000_000;
/** Bytes of the records of a chat that is sent to a model: about 500,000 tokens. */
const maxSentBytes = 2_000_000;
const oneDigit = { maximumFractionDigits: 1 };
/** Characters of the records that are read at once, unless one has more. */
const pageLength = 200_000;

/** The chats as the store keeps them; every change is written at once. Unknown ids throw a `RequestError`. */
export interface ChatBook {
  list(): ChatSession[];
  get(sessionId: string): ChatSession;
  create(id: string, record: ChatRecord): ChatSession;
  change(
    sessionId: string,
    change: Partial<Pick<ChatSession, 'title' | 'options' | 'approved' | 'running'>>,
  ): ChatSession;
  /** With its entries and steps. */
  remove(sessionId: string): void;
  /** The last entries before a position, in their order; fewer than `limit` if they are long. */
  page(sessionId: string, page: { before?: number | undefined; limit: number }): ChatEntry[];
  /** Entries that changed after a revision, in the order of their last change; fewer than `limit` if they are long. */
  changes(sessionId: string, page: { after: number; limit: number }): ChatEntry[];
  /** Whether an entry changed after a revision. */
  hasChanges(sessionId: string, after: number): boolean;
  /** Records of entries after a position, in their order, and the position of the last of them. */
  records(sessionId: string, page: { after: number; upTo: number }): { records: string[]; last: number | undefined };
  /** Every entry, in their order. */
  entries(sessionId: string): ChatEntry[];
  /** Throws a `RequestError` if the entries up to a position, or all, are too large to be sent to a model. */
  checkSize(sessionId: string, upTo?: number): void;
  entry(sessionId: string, entryId: string): ChatEntry;
  /** Adds an entry at the end. Throws a `RequestError` if the chat is full. */
  append<E extends NewEntry>(sessionId: string, entry: E): E & Pick<ChatEntry, 'position' | 'revision'>;
  /** Writes an entry as it now is, and sets its revision. */
  save(sessionId: string, entry: ChatEntry): void;
  /** Adds a chat that only these functions see until it is finished. */
  begin(id: string, record: ChatRecord): void;
  appendUnfinished(sessionId: string, entries: readonly EntryRecord[]): void;
  finish(sessionId: string): void;
  /** Removes one, or all that an earlier process left. */
  removeUnfinished(sessionId?: string): void;
  /** Copies the entries of another chat, up to a position, to a chat without entries. */
  copyEntries(copy: { from: string; to: string; upTo: number }): void;
  /** A step of the same id is replaced. */
  keepStep(step: ChatStep): void;
  step(stepId: string): ChatStep;
  /** Runs several of these as one transaction; none of them takes effect if `work` throws. */
  together<T>(work: () => T): T;
}

/** Reads and writes chats in a store. `onChange` is called after each change is written. */
export function createChatBook(options: { store: ChatTable; now: () => number; onChange: () => void }): ChatBook {
  const { store, now, onChange } = options;

  function rowOf(sessionId: string): ChatRow {
    const row = store.get(sessionId);
    if (row !== undefined) return row;
    throw new RequestError(localize('chat.gone'), { field: 'sessionId' });
  }
  function put(id: string, running: boolean, record: ChatRecord): ChatSession {
    const row = store.put({ id, running, updatedAt: now(), record: JSON.stringify(record) });
    onChange();
    return toSession(row);
  }

  return {
    list: () => store.list().map(toSession),
    get: (sessionId) => toSession(rowOf(sessionId)),
    create: (id, record) => put(id, false, record),
    change(sessionId, { running, ...change }) {
      const row = rowOf(sessionId);
      return put(sessionId, running ?? row.running, { ...recordOf(row), ...change });
    },
    remove(sessionId) {
      rowOf(sessionId);
      store.remove(sessionId);
      onChange();
    },
    page: (sessionId, page) => store.entries(rowOf(sessionId).id, { ...page, characters: pageLength }).map(toEntry),
    changes: (sessionId, page) => store.changes(rowOf(sessionId).id, { ...page, characters: pageLength }).map(toEntry),
    hasChanges: (sessionId, after) => store.hasChanges(sessionId, after),
    records(sessionId, page) {
      const rows = store.records(rowOf(sessionId).id, { ...page, characters: pageLength });
      return { records: rows.map(({ record }) => record), last: rows.at(-1)?.position };
    },
    entries: (sessionId) => store.entries(rowOf(sessionId).id, { limit: maxEntries }).map(toEntry),
    checkSize(sessionId, upTo) {
      const size = store.size(rowOf(sessionId).id, upTo);
      if (size > maxSentBytes) throw tooLarge(size);
    },
    entry(sessionId, entryId) {
      const row = store.entry(rowOf(sessionId).id, entryId);
      if (row === undefined) throw new RequestError(localize('chat.noMessage'), { field: 'entryId' });
      return toEntry(row);
    },
    append(sessionId, entry) {
      if (rowOf(sessionId).entryCount >= maxEntries)
        throw new RequestError(localize('chat.full', { entries: maxEntries }));
      const { id } = entry;
      const row = store.putEntry({ chatId: sessionId, id, record: JSON.stringify(entry), updatedAt: now() });
      onChange();
      return { ...entry, position: row.position, revision: row.revision };
    },
    save(sessionId, entry) {
      const record = JSON.stringify(entry);
      entry.revision = store.putEntry({ chatId: sessionId, id: entry.id, record, updatedAt: now() }).revision;
      onChange();
    },
    begin(id, record) {
      store.begin({ id, updatedAt: now(), record: JSON.stringify(record) });
    },
    appendUnfinished(sessionId, entries) {
      store.together(() => {
        for (const { id, record } of entries) store.putEntry({ chatId: sessionId, id, record, updatedAt: now() });
      });
    },
    finish(sessionId) {
      store.finish(sessionId);
      onChange();
    },
    removeUnfinished: (sessionId) => store.removeUnfinished(sessionId),
    copyEntries: (copy) => store.copyEntries(copy),
    keepStep: (step) => store.putStep({ id: step.id, chatId: step.sessionId, record: JSON.stringify(step) }),
    step(stepId) {
      const row = store.step(stepId);
      if (row !== undefined) return JSON.parse(row.record) as ChatStep;
      throw new RequestError(localize('chat.exchangeGone'), { field: 'id' });
    },
    together: (work) => store.together(work),
  };
}

function recordOf({ record }: ChatRow): ChatRecord {
  return JSON.parse(record) as ChatRecord;
}

function toSession(row: ChatRow): ChatSession {
  const { id, updatedAt, revision, entryCount, running } = row;
  return { ...recordOf(row), id, updatedAt, revision, entryCount, running };
}

function tooLarge(size: number): RequestError {
  const inMegabytes = (bytes: number): string => (bytes / 1_000_000).toLocaleString('en', oneDigit);
  const params = { megabytes: inMegabytes(size), most: inMegabytes(maxSentBytes) };
  return new RequestError(localize('chat.tooLarge', params), { field: 'sessionId' });
}

/** The columns override the position and revision in the record. */
function toEntry({ value, position, revision }: ReadEntryRow): ChatEntry {
  return { ...(value as ChatEntry), position, revision };
}

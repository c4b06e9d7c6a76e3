/** A chat as it is kept. `record` is JSON text; the columns beside it are there to order and to search by. */
export interface ChatRow {
  id: string;
  /** Epoch ms. */
  updatedAt: number;
  /** A turn runs, or ran when the process ended. */
  running: boolean;
  /** Counts every change of the chat and of its entries. */
  revision: number;
  /** Entries it has. */
  entryCount: number;
  record: string;
}

/** One entry of a chat. `record` is JSON text. */
export interface ChatEntryRow {
  id: string;
  /** From 1, without gaps. */
  position: number;
  /** The chat's revision at its last change. */
  revision: number;
  record: string;
}

/** One that was read. */
export interface ReadEntryRow extends ChatEntryRow {
  /** What `record` says. */
  value: object;
}

/** What was asked of a model in one step, and what came back. `record` is JSON text. */
export interface ChatStepRow {
  id: string;
  chatId: string;
  record: string;
}

/** How much of a chat is read at once: one entry at least. */
export interface EntryPage {
  limit: number;
  /** Maximum characters of the records; no further entry is read beyond. */
  characters?: number | undefined;
}

/** Chats, their entries, and the newest 200 steps of all chats. What is written is there after `kill -9`. */
export interface ChatTable {
  /** Changed last first. */
  list(): ChatRow[];
  get(id: string): ChatRow | undefined;
  /** Adds a chat that only `putEntry`, `finish` and `removeUnfinished` know until it is finished. */
  begin(row: Pick<ChatRow, 'id' | 'updatedAt' | 'record'>): void;
  finish(id: string): void;
  /** Removes one that is not finished, or all of them. */
  removeUnfinished(id?: string): void;
  /** Adds a chat, or changes it, which counts its revision up. */
  put(row: Pick<ChatRow, 'id' | 'updatedAt' | 'running' | 'record'>): ChatRow;
  /** With its entries and steps. False if there is none. */
  remove(id: string): boolean;
  /** The last entries before a position, in their order. */
  entries(chatId: string, page: EntryPage & { before?: number | undefined }): ReadEntryRow[];
  /** Entries that changed after a revision, in the order of their last change. */
  changes(chatId: string, page: EntryPage & { after: number }): ReadEntryRow[];
  /** Whether an entry changed after a revision, be it readable or not. */
  hasChanges(chatId: string, after: number): boolean;
  /** The first entries after a position, in their order. */
  records(chatId: string, page: Omit<EntryPage, 'limit'> & { after: number; upTo: number }): ReadEntryRow[];
  /** Bytes of the records of the entries up to a position, or of all. */
  size(chatId: string, upTo?: number): number;
  entry(chatId: string, entryId: string): ReadEntryRow | undefined;
  /** Adds an entry at the end, or changes the one of that id; the chat's revision counts up and is the entry's. */
  putEntry(entry: { chatId: string; id: string; record: string; updatedAt: number }): ChatEntryRow;
  /** Gives another chat, that has no entries yet, the entries up to a position. */
  copyEntries(copy: { from: string; to: string; upTo: number }): void;
  /** Keeps a step, or changes the one of that id; the oldest beyond 200 go. */
  putStep(step: ChatStepRow): void;
  step(id: string): ChatStepRow | undefined;
  /** Makes several changes in one transaction; none of them if `work` throws. */
  together<T>(work: () => T): T;
}

import type { JsonValue } from '../base/json.ts';
import type { ChatStore } from './chatTypes.ts';
import type { CaptureStore, WireStore } from './frameTypes.ts';
import type { HistorySeries } from './historySeries.ts';
import type { HistoryStore } from './historyTypes.ts';
import type { RemovedStore } from './removedTypes.ts';
import type { SavedRunStore } from './savedRunTypes.ts';
import type { StorageHealth } from './storageHealth.ts';

export type { HistoryRow, HistoryStore } from './historyTypes.ts';

/** JSON values by key. */
export interface KeyValueStore {
  /** Undefined if nothing is stored, or the stored text is damaged. */
  get(key: string): JsonValue | undefined;
  /** @throws StorageError if the disk refuses; the old value stays. */
  set(key: string, value: JsonValue): void;
  /** Runs `change`, reads and writes, as one step, all or nothing: no other process writes in between. */
  atomically(change: () => void): void;
}

/** The one database of a data folder. */
export interface Store {
  readonly settings: KeyValueStore;
  readonly history: HistoryStore;
  readonly series: HistorySeries;
  readonly chats: ChatStore;
  readonly wire: WireStore;
  readonly captures: CaptureStore;
  readonly savedRuns: SavedRunStore;
  readonly removed: RemovedStore;
  /** Whether what is written reaches the disk, and which rows cannot be read. */
  readonly health: StorageHealth;
  /** Set if the file on disk was damaged and had to be moved aside: says from where to where. */
  readonly notice?: string;
  /** Safe to call twice. Nothing that was appended or set is lost without it. */
  close(): void;
}

import type { JsonValue } from '../base/json.ts';
import type { ChatTable } from './chatTypes.ts';
import type { CaptureStore, CaptureTable, WireStore, WireTable } from './frameTypes.ts';
import type { HistorySeries } from './historySeries.ts';
import type { HistoryStore, HistoryTable } from './historyTypes.ts';
import type { Remote } from './remote.ts';
import type { RemovedStore } from './removedTypes.ts';
import type { SavedRunTable } from './savedRunTypes.ts';
import type { StorageHealth } from './storageHealth.ts';
import type { StorageState } from '../contract/types.ts';

export type { HistoryRow, HistoryStore } from './historyTypes.ts';

/** JSON values by key. */
export interface SettingsTable {
  /** Damaged ones are left out. */
  all(): Record<string, JsonValue>;
  /** All or nothing. @throws StorageError if the disk refuses; the old values stay. */
  set(values: Record<string, JsonValue>): void;
}

/** JSON values by key. They are in memory too, so that reading waits for nothing. */
export interface KeyValueStore {
  /** Undefined if nothing is stored, or the stored text is damaged. */
  get(key: string): JsonValue | undefined;
  /** @throws StorageError if the disk refuses; the old value stays. */
  set(key: string, value: JsonValue): void;
  /** Writes what `change` sets as one step, all or nothing. */
  atomically(change: () => void): void;
}

/** Part of it, for whoever changes one key at a time. */
export type SettingsStore = Pick<KeyValueStore, 'get' | 'set'>;

/** The one database of a data folder*/
export interface StoreTables {
  readonly settings: SettingsTable;
  readonly history: HistoryTable;
  readonly series: HistorySeries;
  readonly chats: ChatTable;
  readonly wire: WireTable;
  readonly captures: CaptureTable;
  readonly savedRuns: SavedRunTable;
  readonly removed: RemovedStore;
  /** Whether what is written reaches the disk, and which rows cannot be read. */
  readonly health: StorageHealth;
  /** Set if the file on disk was damaged and had to be moved aside: says from where to where. */
  readonly notice?: string;
  /** Safe to call twice. Nothing that was appended or set is lost without it. */
  close(): void;
}

/** The one database of a data folder, as the engine's thread uses it. */
export interface Store {
  readonly settings: KeyValueStore;
  readonly history: HistoryStore;
  readonly series: Remote<HistorySeries>;
  readonly chats: ChatTable;
  readonly wire: WireStore;
  readonly captures: CaptureStore;
  readonly savedRuns: Remote<SavedRunTable>;
  readonly removed: RemovedStore;
  readonly health: {
    state(): StorageState;
    /** Called after each change of the state. */
    onChange: () => void;
  };
  /** Set if the file on disk was damaged and had to be moved aside: says from where to where. */
  readonly notice?: string;
  /** Resolves when everything is written. Safe to call twice. */
  close(): Promise<void>;
}

/** Why the data directory cannot be written. */
export type StorageFault = 'full' | 'read-only' | 'damaged' | 'failed';

/** What a damaged row belongs to. */
export type UnreadableKind = 'history' | 'chats' | 'captures' | 'devices' | 'removed' | 'settings';

/** Whether what Toolwire keeps reaches the disk. */
export interface StorageState {
  /** The data directory. */
  dir: string;
  /** Why nothing is written at the moment; absent if writing works. */
  fault?: StorageFault;
  /** The words of SQLite or of the operating system for `fault`. */
  reason?: string;
  /** Nothing is written until Toolwire starts again. */
  untilRestart?: true;
  /** With `untilRestart`: the disk can be written by now. */
  isSolved?: true;
  /** The file to which a damaged database was moved at the start. */
  movedAside?: string;
  /** Damaged rows that are hidden, by what they belong to. */
  unreadable: Partial<Record<UnreadableKind, number>>;
}

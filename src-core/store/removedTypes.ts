import type { JsonValue } from '../base/json.ts';

/** Something that was removed: how it comes back, but for its text. */
export interface StoredRemoved {
  id: string;
  place: JsonValue;
  /** Characters of its text. */
  length: number;
}

/** What was removed and can be brought back, over all runs. */
export interface RemovedStore {
  /** Newest first. @throws {SyntaxError} If another program wrote invalid JSON. */
  list(): StoredRemoved[];
  /** Undefined if there is none. */
  text(id: string): string | undefined;
  add(thing: { id: string; place: JsonValue; text?: string | undefined }): void;
  remove(ids: readonly string[]): void;
}

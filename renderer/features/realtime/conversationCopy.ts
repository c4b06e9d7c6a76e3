import type {
  RealtimeTimelineItem,
  RealtimeTranscriptEntry,
  RealtimeUpdate,
} from '../../../src-core/contract/types.ts';

/** The same limits as in the engine. */
const limits = { entries: 2_000, items: 5_000 };

/** The window's copy of one conversation, kept current by updates. An update may repeat entries. */
export class ConversationCopy {
  readonly #entries = new Map<string, RealtimeTranscriptEntry>();
  readonly #items = new Map<number, RealtimeTimelineItem>();
  /** Revision for the next request. */
  revision = 0;
  #isKept = false;

  /** Applies an update. Returns true if there is more to request. */
  take({ transcript, timeline, revision, more, kept }: Omit<RealtimeUpdate, 'session'>): boolean {
    for (const entry of transcript) this.#entries.set(entry.id, entry);
    for (const item of timeline) this.#items.set(item.seq, item);
    cut(this.#entries, limits.entries);
    cut(this.#items, limits.items);
    // The conversation has ended and is now read from the log, in which the requested revision is not valid.
    const isOver = kept === true && !this.#isKept && this.revision !== 0;
    this.#isKept = kept === true;
    this.revision = isOver ? 0 : revision;
    return more || isOver;
  }

  transcript(): RealtimeTranscriptEntry[] {
    return [...this.#entries.values()];
  }

  items(): RealtimeTimelineItem[] {
    return [...this.#items.values()];
  }
}

/** Removes the oldest. */
function cut<K>(kept: Map<K, unknown>, most: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= most) return;
    kept.delete(key);
  }
}

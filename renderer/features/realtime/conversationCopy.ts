import type {
  RealtimeEventRow,
  RealtimeTimelineItem,
  RealtimeTranscriptEntry,
  RealtimeUpdate,
} from '../../../src-core/contract/types.ts';

/** As many as the engine keeps. */
const limits = { entries: 2_000, items: 5_000, events: 20_000 };

/** What the window knows of one conversation, kept in step by updates; each of them may bring a thing once more. */
export class ConversationCopy {
  readonly #entries = new Map<string, RealtimeTranscriptEntry>();
  readonly #items = new Map<number, RealtimeTimelineItem>();
  #events: RealtimeEventRow[] = [];
  /** To ask on with. */
  revision = 0;
  #isKept = false;

  /** True if there is more to ask for. */
  take({ transcript, timeline, events, revision, more, kept }: Omit<RealtimeUpdate, 'session'>): boolean {
    for (const entry of transcript) this.#entries.set(entry.id, entry);
    for (const item of timeline) this.#items.set(item.seq, item);
    const last = this.#events.at(-1)?.seq ?? 0;
    const fresh = events.filter(({ seq }) => seq > last);
    if (fresh.length > 0) this.#events = [...this.#events, ...fresh].slice(-limits.events);
    cut(this.#entries, limits.entries);
    cut(this.#items, limits.items);
    // It has ended and is read from the log, where the revision asked for was another place.
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

  /** Another array whenever there is another event. */
  events(): readonly RealtimeEventRow[] {
    return this.#events;
  }
}

/** The oldest go. */
function cut<K>(kept: Map<K, unknown>, most: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= most) return;
    kept.delete(key);
  }
}

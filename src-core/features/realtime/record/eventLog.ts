import type { RealtimeEventRow } from '../../../contract/types/realtime.ts';
import type { RealtimeWireEvent } from '../../../base/realtimeTypes.ts';
import { RequestError } from '../../../base/requestError.ts';
import type { Revisions } from './revisedList.ts';

/** Limits of the wire log of one conversation. */
export interface EventLogLimits {
  events: number;
  /** Characters of all texts together. */
  characters: number;
}

export const defaultEventLogLimits: EventLogLimits = Object.freeze({ events: 20_000, characters: 8 * 1024 * 1024 });

/** Rows of one answer. */
const pageSize = 2_000;

interface KeptEvent {
  row: RealtimeEventRow;
  text: string;
  revision: number;
}

/** The wire of one conversation; the oldest events are dropped if there are too many. */
export class EventLog {
  readonly #revisions: Revisions;
  readonly #limits: EventLogLimits;
  readonly #nextSeq: () => number;
  #events: KeptEvent[] = [];
  /** Events at the front that are dropped; they are removed from the array a thousand at a time. */
  #gone = 0;
  #characters = 0;
  #count = 0;

  /** `nextSeq` numbers the events in ascending order. */
  constructor(options: { revisions: Revisions; limits: EventLogLimits; nextSeq: () => number }) {
    this.#revisions = options.revisions;
    this.#limits = options.limits;
    this.#nextSeq = options.nextSeq;
  }

  /** The number of all events, including dropped ones. */
  get count(): number {
    return this.#count;
  }

  /** Returns its number. */
  add({ text, ...event }: RealtimeWireEvent): number {
    const seq = this.#nextSeq();
    this.#count += 1;
    this.#events.push({ row: { ...event, seq }, text, revision: this.#revisions.next() });
    this.#characters += text.length;
    while (this.#events.length - this.#gone > this.#limits.events || this.#characters > this.#limits.characters) {
      this.#characters -= this.#events[this.#gone]?.text.length ?? 0;
      this.#gone += 1;
    }
    if (this.#gone >= 1_000) {
      this.#events = this.#events.slice(this.#gone);
      this.#gone = 0;
    }
    return seq;
  }

  /** The rows after a revision, the oldest first; `upTo` is the revision of the last of them if more follow. */
  since(revision: number): { rows: RealtimeEventRow[]; upTo?: number } {
    const start = this.#firstAfter((event) => event.revision > revision);
    const page = this.#events.slice(start, start + pageSize);
    const rows = page.map(({ row }) => row);
    const last = page.at(-1);
    return last !== undefined && start + pageSize < this.#events.length ? { rows, upTo: last.revision } : { rows };
  }

  /** @throws {RequestError} If the event was dropped. */
  get(seq: number): { seq: number; text: string } {
    const found = this.#events[this.#firstAfter(({ row }) => row.seq >= seq)];
    if (found?.row.seq !== seq)
      throw new RequestError(`The event ${seq} is not in the log. Its limit has let it go.`, { field: 'seq' });
    return { seq, text: found.text };
  }

  /** The index of the first event that `isAfter`; numbers and revisions are ascending. */
  #firstAfter(isAfter: (event: KeptEvent) => boolean): number {
    let low = this.#gone;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const event = this.#events[middle];
      if (event === undefined || isAfter(event)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

import type { RealtimeEventRow } from '../../../api/types/realtime.ts';
import type { RealtimeWireEvent } from '../../../realtime/realtimeWireEvent.ts';
import { RequestError } from '../../../tools/requestError.ts';
import type { Revisions } from './revisedList.ts';

/** What one conversation may keep of its wire. */
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

/** The wire of one conversation; the oldest events go where there are too many. */
export class EventLog {
  readonly #revisions: Revisions;
  readonly #limits: EventLogLimits;
  #events: KeptEvent[] = [];
  /** Events at the front that are let go of; they are cut off a thousand at a time. */
  #gone = 0;
  #characters = 0;
  #count = 0;

  constructor(options: { revisions: Revisions; limits: EventLogLimits }) {
    this.#revisions = options.revisions;
    this.#limits = options.limits;
  }

  /** All that ever came. */
  get count(): number {
    return this.#count;
  }

  /** Gives its number. */
  add({ text, ...event }: RealtimeWireEvent): number {
    this.#count += 1;
    this.#events.push({ row: { ...event, seq: this.#count }, text, revision: this.#revisions.next() });
    this.#characters += text.length;
    while (this.#events.length - this.#gone > this.#limits.events || this.#characters > this.#limits.characters) {
      this.#characters -= this.#events[this.#gone]?.text.length ?? 0;
      this.#gone += 1;
    }
    if (this.#gone >= 1_000) {
      this.#events = this.#events.slice(this.#gone);
      this.#gone = 0;
    }
    return this.#count;
  }

  /** The rows after a revision, the oldest first; `upTo` is the revision of the last of them where more follow. */
  since(revision: number): { rows: RealtimeEventRow[]; upTo?: number } {
    const start = Math.max(this.#gone, this.#firstAfter(revision));
    const page = this.#events.slice(start, start + pageSize);
    const rows = page.map(({ row }) => row);
    const last = page.at(-1);
    return last !== undefined && start + pageSize < this.#events.length ? { rows, upTo: last.revision } : { rows };
  }

  /** @throws RequestError where it is not there any more. */
  get(seq: number): { seq: number; text: string } {
    const first = this.#events[this.#gone]?.row.seq ?? 1;
    const found = seq < first ? undefined : this.#events[this.#gone + seq - first];
    if (found === undefined)
      throw new RequestError(`The event ${seq} is not in the log. Its limit has let it go.`, { field: 'seq' });
    return { seq, text: found.text };
  }

  /** Where the first event with a later revision stands: revisions only rise. */
  #firstAfter(revision: number): number {
    let low = this.#gone;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.revision ?? Infinity) > revision) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

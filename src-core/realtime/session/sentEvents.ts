import { realtimeLimits } from '../limits.ts';

/** What an event of ours was for. */
export type EventPurpose =
  | { kind: 'session.update' }
  | { kind: 'response.create' }
  | { kind: 'response.cancel' }
  | { kind: 'truncate' }
  | { kind: 'commit' }
  | { kind: 'text' }
  | { kind: 'image' }
  | { kind: 'history' }
  | { kind: 'output'; callId: string };

/** Ids of the events that went out, to match `error.event_id` to its cause. The oldest are forgotten. */
export class SentEvents {
  readonly #purposes = new Map<string, EventPurpose>();
  #last = 0;

  /** An id for an event of this purpose. */
  add(purpose: EventPurpose): string {
    this.#last += 1;
    const eventId = `event_${this.#last}`;
    this.#purposes.set(eventId, purpose);
    for (const oldest of this.#purposes.keys()) {
      if (this.#purposes.size <= realtimeLimits.rememberedEvents) break;
      this.#purposes.delete(oldest);
    }
    return eventId;
  }

  purposeOf(eventId: string | undefined): EventPurpose | undefined {
    return eventId === undefined ? undefined : this.#purposes.get(eventId);
  }
}

import type { EventId, EventStore, StreamId } from '@modelcontextprotocol/server';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';

/** Messages of one session that can be sent again; a stream that broke off is resumed within moments. */
const maxEvents = 512;
/** Characters of the JSON of one session's messages. */
const maxLength = 8 * 1024 * 1024;
/** Characters of the JSON of all sessions' messages. */
const maxTotalLength = 64 * 1024 * 1024;

interface StoredEvent {
  number: number;
  streamId: StreamId;
  message: JSONRPCMessage;
  length: number;
}

/** The messages of all sessions. If they are too long together, the oldest ones are dropped. */
export class KeptEvents {
  /** Each message with its session, the oldest first. */
  readonly #all = new Map<StoredEvent, SessionEvents>();
  #length = 0;

  add(event: StoredEvent, session: SessionEvents): void {
    this.#all.set(event, session);
    this.#length += event.length;
    for (const oldest of this.#all.values()) {
      if (this.#length <= maxTotalLength) return;
      oldest.dropFirst();
    }
  }

  remove(event: StoredEvent): void {
    this.#all.delete(event);
    this.#length -= event.length;
  }
}

/** The last messages of a session, for a host that reconnects with `Last-Event-ID`. */
export class SessionEvents implements EventStore {
  readonly #events: StoredEvent[] = [];
  readonly #kept: KeptEvents;
  #count = 0;
  #length = 0;

  constructor(kept: KeptEvents) {
    this.#kept = kept;
  }

  storeEvent(streamId: StreamId, message: JSONRPCMessage): Promise<EventId> {
    const number = (this.#count += 1);
    // An event without a message only marks the beginning of a stream.
    if (Object.keys(message).length > 0) {
      const event = { number, streamId, message, length: JSON.stringify(message).length };
      this.#events.push(event);
      this.#length += event.length;
      this.#kept.add(event, this);
      while (this.#events.length > maxEvents || this.#length > maxLength) this.dropFirst();
    }
    return Promise.resolve(`${number}_${streamId}`);
  }

  dropFirst(): void {
    const event = this.#events.shift();
    if (event === undefined) return;
    this.#length -= event.length;
    this.#kept.remove(event);
  }

  /** Drops all of them: the session has ended. */
  clear(): void {
    while (this.#events.length > 0) this.dropFirst();
  }

  getStreamIdForEventId(eventId: EventId): Promise<StreamId | undefined> {
    return Promise.resolve(/^\d{1,15}_(.+)$/.exec(eventId)?.[1]);
  }

  async replayEventsAfter(
    lastEventId: EventId,
    { send }: { send: (eventId: EventId, message: JSONRPCMessage) => Promise<void> },
  ): Promise<StreamId> {
    const streamId = (await this.getStreamIdForEventId(lastEventId)) ?? '';
    const last = Number.parseInt(lastEventId, 10);
    for (const event of [...this.#events]) {
      if (event.streamId === streamId && event.number > last) await send(`${event.number}_${streamId}`, event.message);
    }
    return streamId;
  }
}

import type { EventId, EventStore, StreamId } from '@modelcontextprotocol/server';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';

/** Messages of one session that can be sent again; a stream that broke off is resumed within moments. */
const maxEvents = 512;
/** Characters of their JSON. */
const maxLength = 8 * 1024 * 1024;

interface StoredEvent {
  number: number;
  streamId: StreamId;
  message: JSONRPCMessage;
  length: number;
}

/** The last messages of a session, for a host that reconnects with `Last-Event-ID`. */
export class SessionEvents implements EventStore {
  readonly #events: StoredEvent[] = [];
  #count = 0;
  #length = 0;

  storeEvent(streamId: StreamId, message: JSONRPCMessage): Promise<EventId> {
    const number = (this.#count += 1);
    // An event without a message only marks the beginning of a stream.
    if (Object.keys(message).length > 0) {
      const { length } = JSON.stringify(message);
      this.#events.push({ number, streamId, message, length });
      this.#length += length;
      while (this.#events.length > maxEvents || this.#length > maxLength)
        this.#length -= this.#events.shift()?.length ?? 0;
    }
    return Promise.resolve(`${number}_${streamId}`);
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

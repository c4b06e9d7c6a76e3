import type { Bus, BusMessage } from './bus.ts';

/** Answers to what this node asks: each question has a subject of its own below one subscription. */
export interface Inbox {
  /**
   * Publishes a question. `hear` gets every answer, and `undefined` at once if nobody listens or the broker is away.
   * Returns the function that ends the wait.
   */
  ask(subject: string, data: object, hear: (answer: BusMessage | undefined) => void): () => void;
}

export function createInbox(bus: Bus, node: string): Inbox {
  const open = new Map<string, (answer: BusMessage | undefined) => void>();
  let asked = 0;
  bus.subscribe(`n.${node}.r.*`, (message) => {
    open.get(message.topic)?.(message.isUndelivered ? undefined : message);
  });
  return {
    ask(subject, data, hear) {
      const key = String((asked += 1));
      open.set(key, hear);
      if (!bus.publish(subject, data, `n.${node}.r.${key}`)) hear(undefined);
      return () => void open.delete(key);
    },
  };
}

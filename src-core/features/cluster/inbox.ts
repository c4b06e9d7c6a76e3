import type { Clock } from '../../base/clock.ts';
import type { Bus, BusMessage, Published } from './bus.ts';
import { wireVersion } from './messages.ts';

/** Why a question was not delivered. */
export type Unsent = 'no-subscriber' | Exclude<Published, 'sent'>;

/** Answers to what this node asks: each question has a subject of its own below one subscription. */
export interface Inbox {
  /**
   * Publishes a question. `onAnswer` gets every answer, and why there is none if the question was not delivered.
   * Returns the function that ends the wait.
   */
  ask(subject: string, data: object, onAnswer: (answer: BusMessage | Unsent) => void): () => void;
  /** The same for a subject that is not relative to the cluster. */
  askOutside(
    subject: string,
    question: { data: object; headers?: Record<string, string> },
    onAnswer: (answer: BusMessage | Unsent) => void,
  ): () => void;
  /** Asks the node for further pages of an answer, by the topic of its messages. */
  askForMore(node: string, topic: string): void;
}

/**
 * The first answer to a question that `ask` sends, or why it was not delivered; `silent` if there is none after `ms`, or once the signal
 * aborts.
 */
export function firstAnswer(
  ask: (onAnswer: (answer: BusMessage | Unsent) => void) => () => void,
  { clock, ms, signal }: { clock: Clock; ms: number; signal?: AbortSignal },
): Promise<BusMessage | Unsent | 'silent'> {
  return new Promise((resolve) => {
    const end = (answer: BusMessage | Unsent | 'silent'): void => {
      stop();
      stopTimer();
      signal?.removeEventListener('abort', giveUp);
      resolve(answer);
    };
    const giveUp = (): void => end('silent');
    const stop = ask(end);
    const stopTimer = clock.after(ms, giveUp);
    signal?.addEventListener('abort', giveUp);
  });
}

export function createInbox(bus: Bus, node: string): Inbox {
  const open = new Map<string, (answer: BusMessage | Unsent) => void>();
  let asked = 0;
  bus.subscribe(`n.${node}.r.*`, (message) => {
    open.get(message.topic)?.(message.isUndelivered ? 'no-subscriber' : message);
  });
  function ask(publish: (reply: string) => Published, onAnswer: (answer: BusMessage | Unsent) => void): () => void {
    const key = String((asked += 1));
    open.set(key, onAnswer);
    const published = publish(`n.${node}.r.${key}`);
    // The caller has the function that ends the wait by then.
    if (published !== 'sent') queueMicrotask(() => open.get(key)?.(published));
    return () => void open.delete(key);
  }
  return {
    ask: (subject, data, onAnswer) => ask((reply) => bus.publish(subject, data, reply), onAnswer),
    askOutside: (subject, { data, headers = {} }, onAnswer) =>
      ask((reply) => bus.publishOutside(subject, data, { reply, headers }), onAnswer),
    askForMore: (owner, topic) => void bus.publish(`n.${owner}.more`, { v: wireVersion, to: `n.${node}.r.${topic}` }),
  };
}

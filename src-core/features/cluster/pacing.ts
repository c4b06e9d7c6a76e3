import type { Clock } from '../../base/clock.ts';
import type { Bus } from './bus.ts';
import { more, pagesAhead } from './messages.ts';

/** ms that the receiver may take to ask for further pages. */
const moreMs = 10_000;

/** Sends answers of many messages no faster than their receivers take them. */
export class Pacing {
  readonly #deps: { bus: Bus; clock: Clock };
  readonly #continuing = new Map<string, (isAsked: boolean) => void>();
  readonly #end: () => void;

  constructor(deps: { bus: Bus; node: string; clock: Clock }) {
    this.#deps = deps;
    this.#end = deps.bus.subscribe(`n.${deps.node}.more`, ({ data }) => {
      const read = more.safeParse(data);
      if (read.success) this.#continuing.get(read.data.to)?.(true);
    });
  }

  /**
   * Ends early if a message cannot be sent, the receiver does not ask for more, or `signal` is aborted. `instead` returns what is sent
   * for a message that is too large.
   */
  async send<T extends object>(
    reply: string,
    messages: Iterable<T>,
    { instead, signal }: { instead?: (message: T) => object; signal?: AbortSignal } = {},
  ): Promise<void> {
    let sent = 0;
    let asked: Promise<boolean> | undefined;
    for (const message of messages) {
      if (asked !== undefined && !(await asked)) return;
      sent += 1;
      // Prepared before the message is sent: the receiver may ask for more at once.
      asked = sent % pagesAhead === 0 ? this.#untilAskedForMore(reply) : undefined;
      while (this.#deps.bus.isLoaded) await this.#deps.bus.untilTaken();
      if (signal?.aborted === true) break;
      let published = this.#deps.bus.publish(reply, message);
      if (published === 'large' && instead !== undefined) published = this.#deps.bus.publish(reply, instead(message));
      if (published !== 'sent') break;
    }
    this.#continuing.get(reply)?.(false);
  }

  close(): void {
    this.#end();
    for (const end of this.#continuing.values()) end(false);
  }

  /** False if the receiver does not ask. */
  #untilAskedForMore(reply: string): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isAsked: boolean): void => {
        this.#continuing.delete(reply);
        stopTimer();
        resolve(isAsked);
      };
      const stopTimer = this.#deps.clock.after(moreMs, () => end(false));
      this.#continuing.set(reply, end);
    });
  }
}

import { ToolError } from '../tools/errors.ts';
import { abortError } from './rpcPeer.ts';

interface Waiting {
  enter: () => void;
  fail: (error: Error) => void;
}

/**
 * Lets so many calls out at a time, the rest wait in order. A firmware device runs one after the other and answers a
 * batch together (spec/xiaozhi.md §1.4, Timing), so its limit is 1.
 */
export class CallQueue {
  readonly #maxQueued: number;
  readonly #waiting = new Set<Waiting>();
  #running = 0;
  /** Calls at once. */
  concurrency: number;

  constructor(options: { concurrency: number; maxQueued: number }) {
    this.concurrency = options.concurrency;
    this.#maxQueued = options.maxQueued;
  }

  /**
   * Takes a place: at once where one is free (`undefined`), else when its turn comes. Rejects when the signal aborts
   * before. Whoever got a place calls `leave` once.
   */
  enter(signal: AbortSignal | undefined): Promise<void> | undefined {
    if (this.#running >= this.concurrency) return this.#turn(signal);
    this.#running += 1;
    return undefined;
  }

  /** Gives a place back. */
  leave(): void {
    this.#running -= 1;
    for (const next of this.#waiting) {
      if (this.#running >= this.concurrency) return;
      next.enter();
    }
  }

  /** Rejects whatever waits. What runs goes on. */
  failWaiting(error: Error): void {
    for (const entry of [...this.#waiting]) entry.fail(error);
  }

  /** Waits for a place; the place is taken when it resolves. */
  #turn(signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiting.size >= this.#maxQueued) {
      return Promise.reject(
        new ToolError(
          'tool-error',
          `${this.#maxQueued} calls wait for this device already. Try again when some are done.`,
        ),
      );
    }
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(abortError(signal));
      const stopWaiting = () => {
        this.#waiting.delete(entry);
        signal?.removeEventListener('abort', onAbort);
      };
      const entry: Waiting = {
        enter: () => {
          stopWaiting();
          this.#running += 1;
          resolve();
        },
        fail: (error) => {
          stopWaiting();
          reject(error);
        },
      };
      const onAbort = () => entry.fail(abortError(signal));
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(entry);
    });
  }
}

import { ToolError } from '../tools/errors.ts';
import { abortError } from './rpcPeer.ts';

interface Waiting {
  start: () => void;
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

  /** Runs the task when its turn comes. Rejects without running it when the signal aborts before. */
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#running < this.concurrency) return this.#run(task);
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
      const leave = () => {
        this.#waiting.delete(entry);
        signal?.removeEventListener('abort', onAbort);
      };
      const entry: Waiting = {
        start: () => {
          leave();
          this.#run(task).then(resolve, reject);
        },
        fail: (error) => {
          leave();
          reject(error);
        },
      };
      const onAbort = () => entry.fail(abortError(signal));
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(entry);
    });
  }

  /** Rejects whatever waits. What runs goes on. */
  failWaiting(error: Error): void {
    for (const entry of [...this.#waiting]) entry.fail(error);
  }

  async #run<T>(task: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await task();
    } finally {
      this.#running -= 1;
      if (this.#running < this.concurrency) {
        for (const next of this.#waiting) {
          next.start();
          break;
        }
      }
    }
  }
}

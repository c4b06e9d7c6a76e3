import { ToolError } from '../../../base/errors.ts';
import { abortError } from './rpcPeer.ts';

/** A call that waits for its turn. */
export interface QueuedCall {
  /** Its turn has come, and its place is taken. */
  start: () => void;
  /** It will not come. */
  fail: (error: Error) => void;
  /** Takes the call out of the queue. */
  signal: AbortSignal | undefined;
}

/**
 * Lets so many calls out at a time, the rest wait in order. A firmware device runs one after the other and answers a
 * batch together (docs/protocols/device-mcp.md, Timing), so its limit is 1.
 */
export class CallQueue {
  readonly #maxQueued: number;
  readonly #waiting = new Set<QueuedCall>();
  #running = 0;
  /** Calls at once. */
  concurrency: number;

  constructor(options: { concurrency: number; maxQueued: number }) {
    this.concurrency = options.concurrency;
    this.#maxQueued = options.maxQueued;
  }

  /** Takes a place if one is free and none waits for it. The holder of a place leaves once. */
  enter(): boolean {
    if (this.#running >= this.concurrency || this.#waiting.size > 0) return false;
    this.#running += 1;
    return true;
  }

  /** Starts a call when its turn comes. */
  wait({ start, fail, signal }: QueuedCall): void {
    if (this.#waiting.size >= this.#maxQueued) {
      return fail(
        new ToolError(
          'tool-error',
          `${this.#maxQueued} calls wait for this device already. Try again when some are done.`,
        ),
      );
    }
    if (signal?.aborted === true) return fail(abortError(signal));
    const stopWaiting = (): void => {
      this.#waiting.delete(waiting);
      signal?.removeEventListener('abort', onAbort);
    };
    const waiting: QueuedCall = {
      start: () => {
        stopWaiting();
        start();
      },
      fail: (error) => {
        stopWaiting();
        fail(error);
      },
      signal,
    };
    const onAbort = (): void => waiting.fail(abortError(signal));
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#waiting.add(waiting);
  }

  /** Gives a place back. The next call starts when what runs now is through: an answer is logged before it. */
  leave(): void {
    this.#running -= 1;
    if (this.#waiting.size > 0) queueMicrotask(() => this.#startNext());
  }

  /** Rejects whatever waits. What runs goes on. */
  failWaiting(error: Error): void {
    for (const { fail } of [...this.#waiting]) fail(error);
  }

  #startNext(): void {
    for (const { start } of this.#waiting) {
      if (this.#running >= this.concurrency) return;
      this.#running += 1;
      start();
    }
  }
}

/** What a queue of results works on. */
export interface ResultQueueOptions<T> {
  /** Results that may wait before nothing more is read. */
  size: number;
  deliver: (result: T) => void;
  /** Stops and resumes reading from the client. */
  pause: () => void;
  resume: () => void;
}

/**
 * Results that came and have not been read yet: one is handed over each turn of the event loop, so that a client with
 * many does not hold up the others. While `size` wait, nothing more is read from the client; none is dropped
 * (CLIENT_TOOL_RESULT_QUEUE_SIZE, docs/protocols/gateway.md#limits).
 */
export class ResultQueue<T> {
  readonly #options: ResultQueueOptions<T>;
  readonly #waiting: T[] = [];
  #paused = false;
  #next: NodeJS.Immediate | undefined;

  constructor(options: ResultQueueOptions<T>) {
    this.#options = options;
  }

  add(result: T): void {
    this.#waiting.push(result);
    if (!this.#paused && this.#waiting.length >= this.#options.size) {
      this.#paused = true;
      this.#options.pause();
    }
    this.#next ??= setImmediate(() => this.#handOver());
  }

  /** Hands over all at once: the client is gone, and what it said still counts. */
  flush(): void {
    clearImmediate(this.#next);
    this.#next = undefined;
    for (const result of this.#waiting.splice(0)) this.#options.deliver(result);
  }

  #handOver(): void {
    this.#next = undefined;
    const [result] = this.#waiting.splice(0, 1);
    if (result !== undefined) this.#options.deliver(result);
    if (this.#waiting.length > 0) this.#next ??= setImmediate(() => this.#handOver());
    if (!this.#paused || this.#waiting.length >= this.#options.size) return;
    this.#paused = false;
    this.#options.resume();
  }
}

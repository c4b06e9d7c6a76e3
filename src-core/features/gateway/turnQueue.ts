interface TurnQueueOptions<T> {
  /** Must not reject. */
  run: (item: T) => Promise<void>;
  maxWaiting: number;
  sizeOf: (item: T) => number;
  /** Of the sum of `sizeOf` of the waiting items; a single one may be larger. */
  maxSize: number;
}

/** Runs items one after the other, in the order they were added, each to its end. */
export class TurnQueue<T> {
  readonly #options: TurnQueueOptions<T>;
  readonly #waiting: T[] = [];
  #size = 0;
  #running = false;

  constructor(options: TurnQueueOptions<T>) {
    this.#options = options;
  }

  /** The number of waiting and running items. */
  get length(): number {
    return this.#waiting.length + (this.#running ? 1 : 0);
  }

  /** Adds an item. Returns false, without adding it, if too many wait already. */
  add(item: T): boolean {
    const { sizeOf, maxWaiting, maxSize } = this.#options;
    const size = this.#size + sizeOf(item);
    if (this.#waiting.length >= maxWaiting || (size > maxSize && this.#waiting.length > 0)) return false;
    this.#waiting.push(item);
    this.#size = size;
    if (!this.#running) void this.#work();
    return true;
  }

  /** Drops the waiting items. The running one continues. */
  clear(): void {
    this.#waiting.length = 0;
    this.#size = 0;
  }

  async #work(): Promise<void> {
    this.#running = true;
    for (let item = this.#waiting.shift(); item !== undefined; item = this.#waiting.shift()) {
      this.#size -= this.#options.sizeOf(item);
      await this.#options.run(item);
    }
    this.#running = false;
  }
}

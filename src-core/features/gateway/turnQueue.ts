/** Runs items one after the other, in the order they were added, each to its end. */
export class TurnQueue<T> {
  readonly #run: (item: T) => Promise<void>;
  readonly #sizeOf: (item: T) => number;
  readonly #maxWaiting: number;
  readonly #maxSize: number;
  readonly #waiting: T[] = [];
  #size = 0;
  #running = false;

  /** `run` must not reject. `maxSize` bounds the sum of `sizeOf` of the waiting items; a single one may be larger. */
  constructor(options: {
    run: (item: T) => Promise<void>;
    maxWaiting: number;
    sizeOf: (item: T) => number;
    maxSize: number;
  }) {
    this.#run = options.run;
    this.#maxWaiting = options.maxWaiting;
    this.#sizeOf = options.sizeOf;
    this.#maxSize = options.maxSize;
  }

  /** The number of waiting and running items. */
  get length(): number {
    return this.#waiting.length + (this.#running ? 1 : 0);
  }

  /** Adds an item. Returns false, without adding it, if too many wait already. */
  add(item: T): boolean {
    const size = this.#size + this.#sizeOf(item);
    if (this.#waiting.length >= this.#maxWaiting || (size > this.#maxSize && this.#waiting.length > 0)) return false;
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
      this.#size -= this.#sizeOf(item);
      await this.#run(item);
    }
    this.#running = false;
  }
}

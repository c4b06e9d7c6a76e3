/** Runs one thing after the other, in the order they came, each to its end. */
export class TurnQueue<T> {
  readonly #run: (item: T) => Promise<void>;
  readonly #maxWaiting: number;
  readonly #waiting: T[] = [];
  #running = false;

  /** `run` must not reject. */
  constructor(options: { run: (item: T) => Promise<void>; maxWaiting: number }) {
    this.#run = options.run;
    this.#maxWaiting = options.maxWaiting;
  }

  /** What waits, and what runs. */
  get length(): number {
    return this.#waiting.length + (this.#running ? 1 : 0);
  }

  /** False where too many wait already: then it is not taken. */
  add(item: T): boolean {
    if (this.#waiting.length >= this.#maxWaiting) return false;
    this.#waiting.push(item);
    if (!this.#running) void this.#work();
    return true;
  }

  /** Drops what waits. What runs goes on. */
  clear(): void {
    this.#waiting.length = 0;
  }

  async #work(): Promise<void> {
    this.#running = true;
    for (let item = this.#waiting.shift(); item !== undefined; item = this.#waiting.shift()) await this.#run(item);
    this.#running = false;
  }
}

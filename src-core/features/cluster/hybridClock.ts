/** A moment by a hybrid logical clock: later events have later stamps, also at nodes whose clocks differ. */
export interface Stamp {
  /** Epoch ms. */
  ms: number;
  count: number;
}

/** Stamps are as late as the machine's clock, and later than every stamp that was made or observed here. */
export class HybridClock {
  readonly #wall: () => number;
  #last: Stamp = { ms: 0, count: 0 };

  constructor(wall: () => number) {
    this.#wall = wall;
  }

  /** The stamp of an event. */
  tick(): Stamp {
    const ms = Math.floor(this.#wall());
    const last = this.#last;
    this.#last = ms > last.ms ? { ms, count: 0 } : { ms: last.ms, count: last.count + 1 };
    return this.#last;
  }

  /** The latest stamp. */
  get last(): Stamp {
    return this.#last;
  }

  /** A stamp of another node arrived. */
  observe(stamp: Stamp): void {
    if (compareStamps(stamp, this.#last) > 0) this.#last = stamp;
  }
}

/** Whether one event came after another. Equal stamps are ordered by their nodes, the same everywhere. */
export function isAfter(one: Stamp & { node: string }, other: Stamp & { node: string }): boolean {
  return (compareStamps(one, other) || (one.node > other.node ? 1 : -1)) > 0;
}

/** Negative if the first is earlier. */
export function compareStamps(one: Stamp, other: Stamp): number {
  return one.ms - other.ms || one.count - other.count;
}

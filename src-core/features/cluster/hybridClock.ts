/** A moment by a hybrid logical clock: later events have later stamps, also at nodes whose clocks differ. */
export interface Stamp {
  /** Epoch ms. */
  ms: number;
  count: number;
}

/** Stamps of one ms. */
export const maxCount = 1_000_000;
/** ms that a stamp may be ahead of the machine's clock. */
const maxAheadMs = 86_400_000;
/** A machine whose clock shows less has not set it yet: it takes the stamps of the others. */
const unsetBeforeMs = Date.UTC(2026, 0);

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
    const { last } = this;
    this.#last = ms > last.ms ? { ms, count: 0 } : nextOf(last);
    return this.#last;
  }

  /** The latest stamp. It starts again from the machine's clock once that clock, which was far ahead, has been corrected. */
  get last(): Stamp {
    return (this.#last = this.countOf(this.#last));
  }

  /** A stamp of another node arrived. Returns false if it is of the future, and must not count. */
  observe({ ms, count }: Stamp): boolean {
    if (this.isOfFuture({ ms })) return false;
    if (compareStamps({ ms, count }, this.last) > 0) this.#last = { ms, count };
    return true;
  }

  /** What a stamp counts as: one of the future must not win. */
  countOf(stamp: Stamp): Stamp {
    return this.isOfFuture(stamp) ? { ms: 0, count: 0 } : stamp;
  }

  isOfFuture({ ms }: Pick<Stamp, 'ms'>): boolean {
    const wall = this.#wall();
    return ms > wall + maxAheadMs && wall >= unsetBeforeMs;
  }
}

function nextOf({ ms, count }: Stamp): Stamp {
  return count < maxCount ? { ms, count: count + 1 } : { ms: ms + 1, count: 0 };
}

/** Whether one event came after another. Equal stamps are ordered by their nodes, the same everywhere. */
export function isAfter(one: Stamp & { node: string }, other: Stamp & { node: string }): boolean {
  return (compareStamps(one, other) || (one.node > other.node ? 1 : -1)) > 0;
}

/** Negative if the first is earlier. */
export function compareStamps(one: Stamp, other: Stamp): number {
  return one.ms - other.ms || one.count - other.count;
}

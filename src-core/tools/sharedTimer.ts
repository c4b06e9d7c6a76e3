interface Waiting {
  /** By `performance.now()`. */
  due: number;
  run: () => void;
}

/** What waits equally long, under one timer: whatever began first ends first. */
class Lane {
  readonly #ms: number;
  readonly #waiting = new Set<Waiting>();
  #timer: NodeJS.Timeout;

  constructor(ms: number) {
    this.#ms = ms;
    this.#timer = this.#arm(ms);
  }

  add(run: () => void): () => void {
    const waiting = { due: performance.now() + this.#ms, run };
    if (this.#waiting.size === 0) this.#timer.ref();
    this.#waiting.add(waiting);
    return () => {
      if (this.#waiting.delete(waiting) && this.#waiting.size === 0) this.#timer.unref();
    };
  }

  #arm(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#fire(), ms);
  }

  #fire(): void {
    const now = performance.now();
    for (const waiting of this.#waiting) {
      if (waiting.due > now) {
        this.#timer = this.#arm(waiting.due - now);
        return;
      }
      this.#waiting.delete(waiting);
      waiting.run();
    }
    lanes.delete(this.#ms);
  }
}

const lanes = new Map<number, Lane>();

/**
 * Runs once after so many ms, as `systemClock.after` does, with one timer for all that wait equally long: nearly every
 * call ends long before its limit, and to set a timer and call it off costs as much as to check its arguments. Where
 * nothing waits, the timer keeps no process alive. `run` must not throw.
 */
export function afterShared(ms: number, run: () => void): () => void {
  let lane = lanes.get(ms);
  if (lane === undefined) lanes.set(ms, (lane = new Lane(ms)));
  return lane.add(run);
}

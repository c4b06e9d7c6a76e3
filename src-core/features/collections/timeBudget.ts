import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long the checks of one call may block all other work, in total. */
export interface TimeBudget {
  /** ms that the next piece of work may take: the rest, at most `most`. @throws {Error} If nothing is left. */
  left(most: number): number;
  /** Yields to other work, whose time does not count. */
  turn(): Promise<void>;
  /** Waits for work of another process, whose time does not count. */
  wait<T>(work: Promise<T>): Promise<T>;
}

/** Starts a budget of that many ms. `now` is in ms. */
export function createTimeBudget(ms: number, now: () => number = () => performance.now()): TimeBudget {
  let end = now() + ms;
  async function wait<T>(work: Promise<T>): Promise<T> {
    const before = now();
    try {
      return await work;
    } finally {
      end += now() - before;
    }
  }

  return {
    left(most) {
      const left = Math.floor(end - now());
      if (left < 1) throw tookTooLong(ms);
      return Math.min(left, most);
    },
    turn: () => wait(nextTurn()),
    wait,
  };
}

/** The error for checks that have used up their ms. */
export function tookTooLong(ms: number): Error {
  return new Error(`The checks of this call took more than ${ms} ms together.`);
}

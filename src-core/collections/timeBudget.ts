import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long the checks of one call may hold up everything else, together. */
export interface TimeBudget {
  /** ms that the next piece of work may take: what is left, at most `most`. @throws Error where nothing is. */
  left(most: number): number;
  /** Lets others have their turn, whose time does not count. */
  turn(): Promise<void>;
}

/** Starts a budget of that many ms. `now` is in ms. */
export function createTimeBudget(ms: number, now: () => number = () => performance.now()): TimeBudget {
  let end = now() + ms;
  return {
    left(most) {
      const left = Math.floor(end - now());
      if (left < 1) throw new Error(`The checks of this call took more than ${ms} ms together.`);
      return Math.min(left, most);
    },
    async turn() {
      const before = now();
      await nextTurn();
      end += now() - before;
    },
  };
}

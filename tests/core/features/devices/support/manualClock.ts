import type { Clock } from '../../../../../src-core/base/clock.ts';

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /** Moves time and runs whatever falls due, in order. */
  advance: (ms: number) => void;
}

export function createManualClock(): ManualClock {
  let time = 0;
  const due = new Set<{ at: number; run: () => void }>();
  return {
    wall: () => 1_700_000_000_000 + time,
    now: () => time,
    after: (ms, run) => {
      const entry = { at: time + ms, run };
      due.add(entry);
      return () => void due.delete(entry);
    },
    advance: (ms) => {
      const end = time + ms;
      for (;;) {
        const next = [...due].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
        if (next === undefined) break;
        due.delete(next);
        time = next.at;
        next.run();
      }
      time = end;
    },
  };
}

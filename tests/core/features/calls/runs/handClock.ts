import type { Clock } from '../../../../../src-core/base/clock.ts';

/** A clock that the test moves. */
export function handClock(): Clock & { move(ms: number): void; pending(): number } {
  let time = 1_000;
  const timers = new Map<() => void, number>();
  return {
    wall: () => time,
    now: () => time,
    after(ms, run) {
      const timer = (): void => run();
      timers.set(timer, time + ms);
      return () => void timers.delete(timer);
    },
    move(ms) {
      time += ms;
      for (const [run, at] of timers) if (at <= time && timers.delete(run)) run();
    },
    pending: () => timers.size,
  };
}

import { systemClock, type Clock } from '../base/clock.ts';
import type { ErrorReporter } from '../base/reportError.ts';

/** ms between two steps: whatever else the process does has at least as much of it. */
const restMs = 10;

/** Work on the database that can wait, a step of some ms at a time: the window and the devices have the same thread. */
export interface Chores {
  /** Runs `step` until it says that nothing is left to do; once, however often it is asked for. */
  add(step: () => boolean): void;
  /** Schedules `tidy`, for rows that were removed without a step. */
  tidy(): void;
  /** Stops; the remaining work is left to the next start. */
  stop(): void;
}

/** `tidy` comes after all others. A step that throws is reported to `onError`, and is not retried until it is added again. */
export function createChores(options: { tidy: () => boolean; onError: ErrorReporter; clock?: Clock }): Chores {
  const { tidy, onError, clock = systemClock } = options;
  const steps = new Set<() => boolean>();
  let stopTimer: (() => void) | undefined;

  function turn(): void {
    stopTimer = undefined;
    const step = [...steps].find((each) => each !== tidy) ?? tidy;
    try {
      if (!step()) steps.delete(step);
    } catch (error) {
      steps.delete(step);
      onError(error, 'the tidying of the database');
    }
    rest();
  }

  function rest(): void {
    if (steps.size > 0) stopTimer ??= clock.after(restMs, turn);
  }

  return {
    add(step) {
      steps.add(step).add(tidy);
      rest();
    },
    tidy() {
      steps.add(tidy);
      rest();
    },
    stop() {
      steps.clear();
      stopTimer?.();
      stopTimer = undefined;
    },
  };
}

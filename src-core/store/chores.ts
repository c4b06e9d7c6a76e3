import type { ErrorReporter } from '../base/reportError.ts';

/** Work on the database that can wait, a step of some ms at a time: requests are answered between two steps. */
export interface Chores {
  /** Runs `step` until it says that nothing is left to do; once, however often it is asked for. */
  add(step: () => boolean): void;
  /** Schedules `tidy`, for rows that were removed without a step. */
  tidy(): void;
  /** Stops; the remaining work is left to the next start. */
  stop(): void;
}

/**
 * `tidy` comes after all others. A step that throws is reported to `onError`, and is not retried until it is added
 * again.
 */
export function createChores({
  tidy,
  isBusy,
  onError,
}: {
  tidy: () => boolean;
  /** True while a transaction over several requests is open: a step waits for its end. */
  isBusy: () => boolean;
  onError: ErrorReporter;
}): Chores {
  const steps = new Set<() => boolean>();
  let immediate: NodeJS.Immediate | undefined;

  function turn(): void {
    immediate = undefined;
    if (isBusy()) return schedule();
    const step = [...steps].find((each) => each !== tidy) ?? tidy;
    try {
      if (!step()) steps.delete(step);
    } catch (error) {
      steps.delete(step);
      onError(error, 'the tidying of the database');
    }
    schedule();
  }

  function schedule(): void {
    if (steps.size > 0) immediate ??= setImmediate(turn);
  }

  return {
    add(step) {
      steps.add(step).add(tidy);
      schedule();
    },
    tidy() {
      steps.add(tidy);
      schedule();
    },
    stop() {
      steps.clear();
      clearImmediate(immediate);
      immediate = undefined;
    },
  };
}

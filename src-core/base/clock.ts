/** Time as code with long limits needs it; passed in, so that a test moves it by hand. */
export interface Clock {
  /** Epoch ms, for the user to read. */
  wall: () => number;
  /** ms that never jump, for durations. */
  now: () => number;
  /** Runs once after so many ms; the returned function calls it off. */
  after: (ms: number, run: () => void) => () => void;
}

/** ms: Node's timers take no more. */
export const maximumDelay = 2_147_483_647;

/** The machine's own time. */
export const systemClock: Clock = {
  wall: () => Date.now(),
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

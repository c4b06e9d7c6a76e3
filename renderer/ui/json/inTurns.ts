/** ms of work before the window has its turn. */
const turnMs = 10;

/**
 * Does long work a part at a time: `step` works until its argument says that it is time, and returns `undefined` while there is
 * more to do. What is short is done at once, before this returns; nothing is done any more once `signal` aborts.
 */
export function inTurns<T>(
  step: (isTime: () => boolean) => T | undefined,
  done: (value: T) => void,
  signal: AbortSignal,
): void {
  const turn = (): void => {
    if (signal.aborted) return;
    const until = performance.now() + turnMs;
    const value = step(() => performance.now() >= until);
    if (value === undefined) setTimeout(turn);
    else done(value);
  };
  turn();
}

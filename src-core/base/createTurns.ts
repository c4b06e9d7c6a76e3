import { setImmediate as nextTurn } from 'node:timers/promises';

/** ms of work before whatever else waits gets its turn. */
const turnMs = 10;
/** Rows after which it does in any case. */
const turnRows = 1_000;

/** Call it after so many rows or calls; if the turn has been long enough, the devices and the windows have theirs. */
export function createTurns(): (rows: number) => Promise<void> {
  let began = performance.now();
  let read = 0;
  return async (rows) => {
    read += rows;
    if (read < turnRows && performance.now() - began < turnMs) return;
    await nextTurn();
    began = performance.now();
    read = 0;
  };
}

import type { CallScheduler } from '../../../../deviceSide/client/callScheduler.ts';

/**
 * The firmware's one main task (docs/protocols/device-mcp.md, timing): it takes all that is due as a batch, calls and
 * answers alike, and works it off in order. So an answer waits behind every call that arrived before it was ready.
 */
export function createMainTask(): CallScheduler {
  let due: (() => unknown)[] = [];
  let working = false;

  async function work(): Promise<void> {
    working = true;
    while (due.length > 0) {
      const batch = due;
      due = [];
      for (const task of batch) await task();
    }
    working = false;
  }

  function schedule(task: () => unknown): void {
    due.push(task);
    if (!working) void work();
  }

  return {
    runCall: (run) =>
      new Promise((resolve, reject) => {
        // The task goes on when a call has failed; whoever waits for the call is told.
        schedule(() => run().then(resolve, reject));
      }),
    sendAnswer: schedule,
  };
}

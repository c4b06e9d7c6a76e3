import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import { onTestFinished } from 'vitest';

/** The child processes that a test starts, as Node counts them. */
export interface ProcessCount {
  started: number;
  live: number;
  /** The most that lived at once. */
  most: number;
  /** The one that was started last. */
  last?: ChildProcess;
}

/** Counts the child processes that this process starts from here on, until the test ends. */
export function countProcesses(): ProcessCount {
  const count: ProcessCount = { started: 0, live: 0, most: 0 };
  const onProcess = (message: unknown): void => {
    const { process } = message as { process: ChildProcess };
    count.started += 1;
    count.live += 1;
    count.last = process;
    count.most = Math.max(count.most, count.live);
    process.once('exit', () => (count.live -= 1));
  };
  subscribe('child_process', onProcess);
  onTestFinished(() => void unsubscribe('child_process', onProcess));
  return count;
}

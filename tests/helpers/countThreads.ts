import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Worker } from 'node:worker_threads';

import { onTestFinished } from 'vitest';

/** The threads that a test starts, as Node counts them. */
export interface ThreadCount {
  started: number;
  live: number;
  /** The most that lived at once. */
  most: number;
}

/** Counts the worker threads of this process from here on, until the test ends. */
export function countThreads(): ThreadCount {
  const count: ThreadCount = { started: 0, live: 0, most: 0 };
  const onThread = (message: unknown): void => {
    const { worker } = message as { worker: Worker };
    count.started += 1;
    count.live += 1;
    count.most = Math.max(count.most, count.live);
    worker.once('exit', () => (count.live -= 1));
  };
  subscribe('worker_threads', onThread);
  onTestFinished(() => void unsubscribe('worker_threads', onThread));
  return count;
}

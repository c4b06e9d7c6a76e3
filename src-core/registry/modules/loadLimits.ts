import type { Worker } from 'node:worker_threads';

import type { ModuleLimits, ModuleProblem } from './types.ts';

const lookEveryMs = 250;

/**
 * Watches a thread while its module loads, and tells `onExceeded` once if it takes too much. The thread's own processor time
 * counts, not the time that passes: on a busy machine a sound module takes long. Returns the function that ends the watch.
 */
export function watchLoad(
  worker: Partial<Pick<Worker, 'cpuUsage'>>,
  { loadCpuMs, loadWaitMs }: Pick<ModuleLimits, 'loadCpuMs' | 'loadWaitMs'>,
  onExceeded: (problem: ModuleProblem) => void,
): () => void {
  let watched = true;
  const waiting = setTimeout(() => {
    exceeded({
      message: `did not finish loading within ${loadWaitMs / 1000} s`,
      fix: 'Look for a long wait at its top level; work belongs into handlers.',
    });
  }, loadWaitMs);
  const looking = setInterval(() => void look(), lookEveryMs);

  async function look(): Promise<void> {
    // Node 22 and older do not measure one thread; there, only the wait is limited.
    const usage = await worker.cpuUsage?.().catch(() => undefined); // A thread that has ended has no usage.
    if (usage === undefined || (usage.user + usage.system) / 1000 < loadCpuMs) return;
    exceeded({
      message: `used ${loadCpuMs / 1000} s of processor time and did not finish loading`,
      fix: 'Look for an endless loop at its top level; work belongs into handlers.',
    });
  }

  function exceeded(problem: ModuleProblem): void {
    if (!watched) return;
    stop();
    onExceeded(problem);
  }

  function stop(): void {
    watched = false;
    clearTimeout(waiting);
    clearInterval(looking);
  }
  return stop;
}

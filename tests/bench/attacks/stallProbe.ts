import type { Inspector } from '../../helpers/inspectProcess.ts';

/**
 * Measures the processor time of each turn of the event loop of the inspected process. A turn that takes long is a stall:
 * nothing else runs on that thread meanwhile. Time that the thread waits for a core does not count.
 */
const probe = `(() => {
  const processorMs = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000; };
  let [longest, last] = [0, processorMs()];
  const turn = () => {
    const now = processorMs();
    longest = Math.max(longest, now - last);
    last = now;
    setImmediate(turn);
  };
  setImmediate(turn);
  // The inspector interrupts a turn, so the current one counts as far as it came.
  globalThis.toolwireLongestStall = () => Math.max(longest, processorMs() - last);
})()`;

/** Starts the probe; the returned function resolves to the longest turn until now, in ms of processor time. */
export async function startStallProbe({ evaluate }: Inspector): Promise<() => Promise<number>> {
  await evaluate(probe);
  return () => evaluate<number>('toolwireLongestStall()');
}

/** Milliseconds of processor time that `JSON.parse` of a benign message of that size takes in the process: the best of 5. */
export function measureFloor({ evaluate }: Inspector, bytes: number): Promise<number> {
  return evaluate<number>(`(() => {
    const item = { type: 'text', text: 'The lamp in the kitchen is on.', volume: 40 };
    const count = Math.max(1, Math.ceil(${bytes} / JSON.stringify(item).length));
    const text = JSON.stringify(Array.from({ length: count }, () => item));
    let best = Infinity;
    for (let round = 0; round < 5; round++) {
      const before = process.threadCpuUsage();
      JSON.parse(text);
      const { user, system } = process.threadCpuUsage(before);
      best = Math.min(best, (user + system) / 1000);
    }
    return best;
  })()`);
}

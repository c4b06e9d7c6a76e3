import { Worker } from 'node:worker_threads';

import { allowed, literals } from '../regularExpressionLiterals.ts';
import type { LiteralTime } from './regularExpressionWorker.ts';

/** ms without an answer after which a literal is stopped. */
const silence = 10_000;
/** A linear literal takes 16 times as long for 16 times the text, a quadratic one 256 times. */
const mostGrowth = 64;
/** ms below which the clock is too coarse to judge growth. */
const clockStep = 1;

/** Runs every regular expression of the sources over repeated units of 64 kB to 1 MB. */
export async function run(): Promise<{
  title: string;
  note: string;
  rows: Record<string, string | number>[];
  pass: boolean;
}> {
  const all = [...literals().keys()].filter((literal) => !(allowed.get(literal) ?? '').includes('last 20 characters'));
  const times = await measureAll(all);
  const judged = all.map((literal) => ({ literal, time: times.get(literal), slow: isSlow(times.get(literal)) }));
  const slow = judged.filter((each) => each.slow);
  const shown = judged.toSorted((a, b) => last(b.time) - last(a.time)).slice(0, 10);
  return {
    title: `Regular expressions over repeated units (growth from 64 kB to 1 MB at most ${String(mostGrowth)}, linear is 16)`,
    note:
      `${String(all.length)} literals of src-core, electron and renderer, each over its own characters and common ones, with ` +
      'and without a tail that does not match. The ten slowest and every one that fails. The floor reads each character once.',
    rows: [...new Set([...slow, ...shown])].map(({ literal, time, slow: fails }) => ({
      expression: `\`${literal
        .replaceAll('|', String.raw`\|`)
        .replaceAll('`', '´')
        .slice(0, 80)}\``,
      unit: (time?.text ?? '').replaceAll('|', String.raw`\|`).slice(0, 40),
      '64 kB, ms': time?.ms[0]?.toFixed(1) ?? 'stopped',
      '1 MB, ms': time?.ms[4]?.toFixed(1) ?? 'stopped',
      'floor at 1 MB, ms': time?.floor.toFixed(1) ?? '',
      verdict: fails ? 'FAILS' : 'holds',
    })),
    pass: slow.length === 0,
  };
}

function last(time: LiteralTime | undefined): number {
  return time?.ms[4] ?? Infinity;
}

function isSlow(time: LiteralTime | undefined): boolean {
  const [first, , , , longest] = time?.ms ?? [];
  if (first === undefined || longest === undefined) return true;
  return longest > mostGrowth * Math.max(first, clockStep);
}

/** Those that did not end are absent. */
async function measureAll(all: readonly string[]): Promise<Map<string, LiteralTime>> {
  const times = new Map<string, LiteralTime>();
  let left = [...all];
  while (left.length > 0) {
    const measured = await measureUntilStopped(left, times);
    // The next one did not end.
    left = left.slice(measured + 1);
  }
  return times;
}

function measureUntilStopped(left: readonly string[], times: Map<string, LiteralTime>): Promise<number> {
  const worker = new Worker(new URL('regularExpressionWorker.ts', import.meta.url), { workerData: left });
  return new Promise((resolve, reject) => {
    let measured = 0;
    const timer = setTimeout(() => void worker.terminate(), silence);
    worker.on('message', (time: LiteralTime) => {
      times.set(time.literal, time);
      measured += 1;
      timer.refresh();
    });
    worker.once('error', reject);
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve(measured);
    });
  });
}

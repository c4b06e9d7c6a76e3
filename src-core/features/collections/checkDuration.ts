import type { Assertion } from './format.ts';
import type { Verdict } from './verdict.ts';

/** Runs that there must have been before the median of them says anything. */
const minRunsForMedian = 5;

/** Compares how long a call took with a limit, or with the median of its own earlier runs. All in ms. */
export function checkDuration(
  { atMostMs, atMostTimesMedian = 1 }: Extract<Assertion, { check: 'duration' }>,
  durationMs: number,
  earlier: readonly number[],
): Omit<Verdict, 'assertion'> {
  if (atMostMs === undefined && earlier.length < minRunsForMedian) {
    const message = `It has run ${earlier.length} times here; its time is compared from ${minRunsForMedian} runs on.`;
    return { outcome: 'skipped', reason: 'no-history', found: String(earlier.length), message };
  }
  const limit = atMostMs ?? median(earlier) * atMostTimesMedian;
  const of = atMostMs === undefined ? ` (${atMostTimesMedian} × the median of ${earlier.length} runs)` : '';
  const found = `${round(durationMs)} ms`;
  if (durationMs <= limit) return { outcome: 'passed', message: `It took ${found}; at most ${round(limit)} ms${of}.` };
  return {
    outcome: 'failed',
    reason: 'too-slow',
    found,
    message: `It took ${found}, more than ${round(limit)} ms${of}.`,
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}

import type { Call } from './callBeds.ts';
import { median } from './compareInTurns.ts';

export interface CallFigures {
  calls: number;
  /** ms. `p10`: what a call takes while the machine does little else. */
  p10: number;
  p50: number;
  p99: number;
  perSecond: number;
}

/** Each lane makes one call after the other: so many in all, or for so many ms. */
export async function measureCalls(lanes: Call[], until: { count: number } | { ms: number }): Promise<CallFigures> {
  const begun = performance.now();
  const times: number[] = [];
  let left = 'count' in until ? until.count : Infinity;
  const endsAt = begun + ('ms' in until ? until.ms : Infinity);
  await Promise.all(
    lanes.map(async (call) => {
      while (left > 0 && performance.now() < endsAt) {
        left -= 1;
        const sentAt = performance.now();
        await call();
        times.push(performance.now() - sentAt);
      }
    }),
  );
  const perSecond = Math.round((times.length * 1_000) / (performance.now() - begun));
  times.sort((one, other) => one - other);
  const at = (part: number): number => times[Math.floor(times.length * part)] ?? NaN;
  return { calls: times.length, p10: at(0.1), p50: median(times), p99: at(0.99), perSecond };
}

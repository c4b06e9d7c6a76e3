import type { SeriesDurations, SeriesFigures } from '../../../contract/types.ts';
import type { HistoryStatus } from '../../../contract/callRecords.ts';
import type { ToolErrorCode } from '../../../base/errors.ts';

const barCount = 32;
/** The number of slowest calls that are listed for the user. */
const slowestCount = 5;

/** How one call ended. */
export interface CallOutcome {
  durationMs: number;
  status: HistoryStatus;
  /** Set if it failed. */
  errorCode?: ToolErrorCode;
}

/** Collects the outcomes of the calls of one series. */
export class SeriesTally {
  readonly #durations: number[] = [];
  readonly #errors = new Map<ToolErrorCode, { count: number; callId: string }>();
  #slowest: SeriesFigures['slowest'] = [];
  ended = 0;
  #softFailures = 0;
  #mismatches = 0;
  #cancelled = 0;

  add(callId: string, { durationMs, status, errorCode }: CallOutcome): void {
    this.ended += 1;
    if (errorCode === undefined) {
      this.#durations.push(durationMs);
      if (status === 'soft-failure') this.#softFailures += 1;
      if (status === 'mismatch') this.#mismatches += 1;
      this.#keepSlowest(callId, durationMs);
    } else if (errorCode === 'cancelled') this.#cancelled += 1;
    else this.#errors.set(errorCode, { count: (this.#errors.get(errorCode)?.count ?? 0) + 1, callId });
  }

  #keepSlowest(callId: string, durationMs: number): void {
    const last = this.#slowest.at(-1);
    if (last !== undefined && this.#slowest.length === slowestCount && durationMs <= last.durationMs) return;
    this.#slowest.push({ callId, durationMs });
    this.#slowest = this.#slowest.sort((a, b) => b.durationMs - a.durationMs).slice(0, slowestCount);
  }

  /** The current figures, `elapsedMs` after the start. */
  figures(
    elapsedMs: number,
  ): Pick<
    SeriesFigures,
    | 'ended'
    | 'succeeded'
    | 'softFailures'
    | 'mismatches'
    | 'errors'
    | 'slowest'
    | 'cancelled'
    | 'elapsedMs'
    | 'perSecond'
    | 'durations'
  > {
    const durations = durationsOf(this.#durations);
    return {
      ended: this.ended,
      succeeded: this.#durations.length,
      softFailures: this.#softFailures,
      mismatches: this.#mismatches,
      cancelled: this.#cancelled,
      errors: [...this.#errors].map(([code, seen]) => ({ code, ...seen })).sort((a, b) => b.count - a.count),
      slowest: this.#slowest,
      elapsedMs,
      perSecond: elapsedMs > 0 ? (this.ended * 1_000) / elapsedMs : 0,
      ...(durations && { durations }),
    };
  }
}

/**
 * Percentiles by nearest rank, and the distribution from the minimum to the 99th percentile: a single slow value would
 * press all others into one bar. Undefined for no values.
 */
export function durationsOf(values: readonly number[]): SeriesDurations | undefined {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  if (sorted.length === 0) return undefined;
  const min = at(0);
  const widthMs = (at(0.99) - min) / barCount;
  const bars = new Array<number>(barCount).fill(0);
  for (const value of sorted) {
    const bar = widthMs === 0 ? 0 : Math.min(barCount - 1, Math.floor((value - min) / widthMs));
    bars[bar] = (bars[bar] ?? 0) + 1;
  }
  return { min, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1), bars, widthMs };
}

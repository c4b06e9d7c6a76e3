import type { SeriesDurations, SeriesFigures } from '../../api/types.ts';
import type { ToolExecutionResult } from '../../tools/calls.ts';
import type { ToolErrorCode } from '../../tools/errors.ts';

const barCount = 32;

/** Gathers what the calls of one series came to. */
export class SeriesTally {
  readonly #durations: number[] = [];
  readonly #errors = new Map<ToolErrorCode, { count: number; callId: string }>();
  ended = 0;
  #softFailures = 0;
  #cancelled = 0;

  add(callId: string, result: ToolExecutionResult): void {
    this.ended += 1;
    const { error, softFailure, durationMs } = result;
    if (error === undefined) {
      this.#durations.push(durationMs);
      if (softFailure !== undefined) this.#softFailures += 1;
    } else if (error.code === 'cancelled') this.#cancelled += 1;
    else this.#errors.set(error.code, { count: (this.#errors.get(error.code)?.count ?? 0) + 1, callId });
  }

  /** The figures as they stand, `elapsedMs` after the start. */
  figures(
    elapsedMs: number,
  ): Pick<
    SeriesFigures,
    'ended' | 'succeeded' | 'softFailures' | 'errors' | 'cancelled' | 'elapsedMs' | 'perSecond' | 'durations'
  > {
    const durations = durationsOf(this.#durations);
    return {
      ended: this.ended,
      succeeded: this.#durations.length,
      softFailures: this.#softFailures,
      cancelled: this.#cancelled,
      errors: [...this.#errors].map(([code, seen]) => ({ code, ...seen })).sort((a, b) => b.count - a.count),
      elapsedMs,
      perSecond: elapsedMs > 0 ? (this.ended * 1_000) / elapsedMs : 0,
      ...(durations && { durations }),
    };
  }
}

/**
 * Percentiles by nearest rank, and how the values are spread from the least to the 99th percentile: a single slow one would
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

import type { SeriesFigures } from '../../../contract/types.ts';
import type { HistorySeries } from '../../../store/historySeries.ts';
import type { ToolErrorCode } from '../../../base/errors.ts';
import { SeriesTally } from './seriesTally.ts';

/**
 * The figures of one series, from the history. Each call is read once; the figures are cached until another is added.
 */
export class KeptSeries {
  readonly #seriesId: string;
  readonly #series: HistorySeries;
  readonly #tally = new SeriesTally();
  #startedAt = Infinity;
  #endedAt = 0;
  /** The last place that was read. */
  #last = 0;
  #figures: SeriesFigures | undefined;

  constructor(seriesId: string, series: HistorySeries) {
    this.#seriesId = seriesId;
    this.#series = series;
  }

  /**
   * Undefined if it has only one call. `newest` is the place of its newest one; `afterRows` is called after each row.
   */
  async read(newest: number, afterRows: (rows: number) => Promise<void>): Promise<SeriesFigures | undefined> {
    if (newest > this.#last) {
      for (const seq of this.#series.places(this.#seriesId, this.#last)) {
        // A concurrent read may have advanced meanwhile.
        if (seq <= this.#last) continue;
        this.#add(seq);
        await afterRows(1);
      }
    }
    const { ended } = this.#tally;
    if (ended < 2) return undefined;
    this.#figures ??= {
      seriesId: this.#seriesId,
      count: ended,
      startedAt: this.#startedAt,
      done: true,
      ...this.#tally.figures(this.#endedAt - this.#startedAt),
    };
    return this.#figures;
  }

  #add(seq: number): void {
    this.#last = seq;
    const kept = this.#series.call(seq);
    if (kept === undefined) return;
    const { callId, startedAt, wentOutAt = startedAt, durationMs, status, errorCode } = kept;
    this.#figures = undefined;
    this.#startedAt = Math.min(this.#startedAt, startedAt);
    this.#endedAt = Math.max(this.#endedAt, wentOutAt + durationMs);
    this.#tally.add(callId, {
      durationMs,
      failedSoftly: status === 'soft-failure',
      // A failure that an older Toolwire kept without a code was the tool's own.
      ...(status === 'error' && { errorCode: (errorCode ?? 'tool-error') as ToolErrorCode }),
    });
  }
}

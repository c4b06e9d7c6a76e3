import type { Remote } from '../../../store/remote.ts';
import type { CallPlace, HistorySeries } from '../../../store/historySeries.ts';

/** Ids read at once. */
const sliceRows = 500;
/** The most that a caller asks for, and as many more before the oldest are evicted. */
const maxKnown = 100;

/** The newest calls of one method, each series with its newest only; rows that were read are not read again. */
export class NewestCalls {
  /** By the id of the series, or of the call if it is in none. */
  readonly #known = new Map<string, CallPlace>();
  readonly #qualifiedName: string;
  readonly #series: Remote<HistorySeries>;
  /** All places from the first to the last were looked at. */
  #first = Number.MAX_SAFE_INTEGER;
  #last = 0;

  constructor(qualifiedName: string, series: Remote<HistorySeries>) {
    this.#qualifiedName = qualifiedName;
    this.#series = series;
  }

  /** The newest first, 100 at most. Rejects if `signal` aborts. */
  async read(limit: number, signal?: AbortSignal): Promise<(CallPlace & { id: string })[]> {
    // Only older than what is known: what is newer is read below, in order.
    for (let read = sliceRows; read === sliceRows && this.#known.size < limit;) {
      signal?.throwIfAborted();
      const places = await this.#series.before(this.#qualifiedName, this.#first, sliceRows);
      places.forEach((place) => this.#keep(place));
      read = places.length;
    }
    for (let read = sliceRows; read === sliceRows;) {
      signal?.throwIfAborted();
      const places = await this.#series.after(this.#qualifiedName, this.#last, sliceRows);
      places.forEach((place) => this.#keep(place));
      read = places.length;
    }
    return this.#newestFirst().slice(0, limit);
  }

  #keep(place: CallPlace): void {
    this.#first = Math.min(this.#first, place.seq);
    this.#last = Math.max(this.#last, place.seq);
    const id = seriesOf(place.callId) ?? place.callId;
    if ((this.#known.get(id)?.seq ?? 0) < place.seq) this.#known.set(id, place);
    if (this.#known.size <= 2 * maxKnown) return;
    for (const { id: oldest, seq } of this.#newestFirst().slice(maxKnown)) {
      this.#known.delete(oldest);
      // They are found again if a caller asks for as many once more.
      this.#first = Math.max(this.#first, seq + 1);
    }
  }

  #newestFirst(): (CallPlace & { id: string })[] {
    return [...this.#known].map(([id, place]) => ({ id, ...place })).sort((a, b) => b.seq - a.seq);
  }
}

/** The id of the series that a call was made in, if its id has the form of one. */
function seriesOf(callId: string): string | undefined {
  return /^(.+)\.\d{1,5}$/s.exec(callId)?.[1];
}

import type { RecentCall, SeriesFigures } from '../../../contract/types.ts';
import type { CallPlace, HistorySeries, SeriesCall } from '../../../store/historySeries.ts';
import type { HistoryStore } from '../../../store/historyTypes.ts';
import type { Remote } from '../../../store/remote.ts';
import { shortened } from '../shortened.ts';
import type { ToolErrorCode } from '../../../base/errors.ts';
import { SeriesTally } from './seriesTally.ts';

/** Methods and series of which it is known what was read; one of 10,000 calls takes 80 kB. */
const maxKnownNames = 100;

/** The last calls of a method, newest first, each series one of them however many calls it has. Rejects if `signal` aborts. */
export type RecentCalls = (
  filter: { qualifiedName: string; limit: number },
  signal?: AbortSignal,
) => Promise<RecentCall[]>;

/**
 * Remembers what it has read: a history may hold 100,000 calls of one method, and windows look again whenever one ends.
 * Answers come with their beginnings. The figures of a series are of those calls of it
 * that the history had when it was first looked at, and of all since.
 */
export function createRecentCalls(options: {
  history: Pick<HistoryStore, 'get'>;
  series: Remote<HistorySeries>;
}): RecentCalls {
  const { history, series } = options;
  const methods = new Map<string, NewestCalls>();
  const kept = new Map<string, KeptSeries>();

  return async ({ qualifiedName, limit }, signal) => {
    const newest = known(methods, qualifiedName, () => new NewestCalls(qualifiedName, series));
    const rows: RecentCall[] = [];
    for (const { id, seq, callId } of await newest.read(limit, signal)) {
      signal?.throwIfAborted();
      const call = await history.get(callId);
      if (call === undefined) continue;
      const isAlone = id === callId;
      const figures = isAlone ? undefined : await known(kept, id, () => new KeptSeries(id, series)).read(seq, signal);
      rows.push({ call: shortened(call), ...(figures && { figures }) });
    }
    return rows;
  };
}

/** What is known by a name, or made for it; the one that was asked for longest ago is forgotten. */
function known<T>(all: Map<string, T>, name: string, make: () => T): T {
  const found = all.get(name) ?? make();
  all.delete(name);
  all.set(name, found);
  const [oldest] = all.keys();
  if (all.size > maxKnownNames && oldest !== undefined) all.delete(oldest);
  return found;
}

/** The figures of one series, from the history. Each call is read once; the figures are cached until another is added. */
class KeptSeries {
  readonly #seriesId: string;
  readonly #series: Remote<HistorySeries>;
  readonly #tally = new SeriesTally();
  #startedAt = Infinity;
  #endedAt = 0;
  /** The last place that was read. */
  #last = 0;
  #figures: SeriesFigures | undefined;

  constructor(seriesId: string, series: Remote<HistorySeries>) {
    this.#seriesId = seriesId;
    this.#series = series;
  }

  /** Undefined if it has only one call. `newest` is the place of its newest one. */
  async read(newest: number, signal?: AbortSignal): Promise<SeriesFigures | undefined> {
    while (newest > this.#last) {
      signal?.throwIfAborted();
      const after = this.#last;
      const { calls, last } = await this.#series.calls(this.#seriesId, after);
      // A concurrent read may have advanced meanwhile.
      if (this.#last !== after) continue;
      for (const call of calls) this.#add(call);
      if (last === undefined) break;
      this.#last = last;
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

  #add({ callId, startedAt, wentOutAt = startedAt, durationMs, status, errorCode }: SeriesCall): void {
    this.#figures = undefined;
    this.#startedAt = Math.min(this.#startedAt, startedAt);
    this.#endedAt = Math.max(this.#endedAt, wentOutAt + durationMs);
    this.#tally.add(callId, {
      durationMs,
      status,
      // A failure that an older Toolwire kept without a code was the tool's own.
      ...(status === 'error' && { errorCode: (errorCode ?? 'tool-error') as ToolErrorCode }),
    });
  }
}

/** Ids read at once. */
const sliceRows = 500;
/** The most that a caller asks for, and as many more before the oldest are evicted. */
const maxKnown = 100;

/** The newest calls of one method, each series with its newest only; rows that were read are not read again. */
class NewestCalls {
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

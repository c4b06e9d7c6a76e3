import type { SeriesFigures } from '../../../../src-core/contract/types.ts';
import type { SeriesState } from '../../calls/useSeries.ts';

/** A series as the result region shows it: one of this window, or one that only the history tells of. */
export type ShownSeries =
  Exclude<SeriesState, { phase: 'idle' | 'asking' }> | { phase: 'done'; request?: undefined; figures: SeriesFigures };

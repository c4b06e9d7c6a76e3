import type { ToolErrorCode, ToolErrorInfo } from '../../base/errors.ts';
import type { CallRecord, ExecuteInput } from '../types.ts';

/** One call, many times. */
export interface RepeatInput extends Omit<ExecuteInput, 'callId' | 'refused' | 'secrets'> {
  /** Created by the caller. The calls are `seriesId.1`, `seriesId.2` …; `calls.cancel` with this id ends them all. */
  seriesId: string;
  /** How often, 1 to 10,000. */
  count: number;
  /** How many at once, 1 to 64. */
  parallel: number;
}

/** How long the calls of a series took, in ms, from when each went out. By nearest rank. */
export interface SeriesDurations {
  min: number;
  p50: number;
  p95: number;
  p99: number;
  max: number;
  /**
   * The distribution of the durations: bar `i` counts the calls from `min + i * widthMs` on; the last one includes all
   * longer calls.
   */
  bars: number[];
  widthMs: number;
}

/** The current figures of a series. */
export interface SeriesFigures {
  seriesId: string;
  count: number;
  /** How many at once; absent if the figures come from the history only. */
  parallel?: number;
  /** Calls that have ended, with any outcome. */
  ended: number;
  /** Calls that succeeded; those whose result reports a failure are in `softFailures` as well. */
  succeeded: number;
  softFailures: number;
  /** Failures by code, the most frequent first, with the last call of each kind. Cancelled calls are not included. */
  errors: { code: ToolErrorCode; count: number; callId: string }[];
  /** The calls that succeeded and took longest, the longest first; five at most. */
  slowest: { callId: string; durationMs: number }[];
  /** Calls that were cancelled under way. */
  cancelled: number;
  /** Epoch ms. */
  startedAt: number;
  elapsedMs: number;
  /** Ended calls a second, since the start. */
  perSecond: number;
  /** Of the calls that succeeded; absent until one has. */
  durations?: SeriesDurations;
  /** No call is running any more. */
  done: boolean;
  /** Why it ended before its last call: every further call would have ended the same way. */
  stopped?: ToolErrorInfo;
}

/** A call of the history, or a series as one. */
export interface RecentCall {
  /** With the beginning of its answer, and without blocks. For a series, its newest call. */
  call: CallRecord;
  /** For a series: all of its calls that the history still has. */
  figures?: SeriesFigures | undefined;
}

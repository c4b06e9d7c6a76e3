import type { RecentCall, SeriesFigures } from '../../api/types.ts';
import type { HistorySeries, SeriesCall } from '../../store/historySeries.ts';
import type { HistoryStore } from '../../store/historyTypes.ts';
import type { ToolErrorCode } from '../../tools/errors.ts';
import { shortened } from '../shortened.ts';
import { SeriesTally } from './seriesTally.ts';

/**
 * The last calls of a method, newest first, each series one of them however many calls it has; answers with their beginnings.
 * The figures of a series are of those calls of it that the history still has.
 */
export function recentCalls(
  { qualifiedName, limit }: { qualifiedName: string; limit: number },
  { history, series }: { history: Pick<HistoryStore, 'get'>; series: HistorySeries },
): RecentCall[] {
  // By what they are told by, with their newest call: an id ends the walk before the calls themselves are read.
  const newest = new Map<string, string>();
  for (const callId of series.callIds(qualifiedName)) {
    const id = seriesOf(callId) ?? callId;
    if (newest.has(id)) continue;
    if (newest.size === limit) break;
    newest.set(id, callId);
  }
  return [...newest].flatMap(([id, callId]) => {
    const call = history.get(callId);
    if (call === undefined) return [];
    const calls = id === callId ? [] : series.callsOf(id);
    return [{ call: shortened(call), ...(calls.length > 1 && { figures: figuresOf(id, calls) }) }];
  });
}

/** The id of the series that a call was made in, where its id has the form of one. */
function seriesOf(callId: string): string | undefined {
  return /^(.+)\.\d{1,5}$/s.exec(callId)?.[1];
}

function figuresOf(seriesId: string, calls: readonly SeriesCall[]): SeriesFigures {
  const tally = new SeriesTally();
  let startedAt = Infinity;
  let endedAt = 0;
  for (const { callId, status, durationMs, errorCode, ...call } of calls) {
    startedAt = Math.min(startedAt, call.startedAt);
    endedAt = Math.max(endedAt, (call.wentOutAt ?? call.startedAt) + durationMs);
    tally.add(callId, {
      durationMs,
      failedSoftly: status === 'soft-failure',
      // What an older Toolwire kept without a code was the tool's own failure.
      ...(status === 'error' && { errorCode: (errorCode ?? 'tool-error') as ToolErrorCode }),
    });
  }
  return { seriesId, count: calls.length, startedAt, done: true, ...tally.figures(endedAt - startedAt) };
}

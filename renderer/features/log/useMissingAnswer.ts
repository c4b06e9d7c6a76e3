import { useCalls } from '../calls/callsStore.ts';
import { verdictOf } from '../calls/verdictOf.ts';
import type { LogEntry } from './wireRows.ts';

/** Why a request has no answer and will get none, and when that was certain (epoch ms), as far as it is known. */
export interface MissingAnswer {
  why: 'noAnswer' | 'timedOut' | 'cancelled' | 'asAsked';
  until: number | undefined;
}

/** Returns what is known of the missing answer to a request; undefined if there is an answer, or one may still come. */
export function useMissingAnswer(): (entry: LogEntry) => MissingAnswer | undefined {
  const calls = useCalls();
  return ({ row, answer, lostAt, cancelled, asAsked }) => {
    if (answer || row.role !== 'request') return undefined;
    if (lostAt === undefined && (row.callId === undefined || calls.mayRun(row.callId, row.at))) return undefined;
    if (asAsked) return { why: 'asAsked', until: lostAt };
    const call = calls.endedById.get(row.callId ?? '');
    const outcome = call?.result && verdictOf(call.result);
    // A request that timed out is cancelled, too.
    const verdict = cancelled && outcome !== 'timed-out' ? 'cancelled' : outcome;
    return {
      why: verdict === 'timed-out' ? 'timedOut' : verdict === 'cancelled' ? 'cancelled' : 'noAnswer',
      until: lostAt ?? (call?.result && call.startedAt + call.result.durationMs),
    };
  };
}

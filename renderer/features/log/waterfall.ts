import type { MissingAnswer } from './useMissingAnswer.ts';
import { isFailure, isProbe, type LogEntry } from './wireRows.ts';

/** Idle times of more ms than these are always folded in a waterfall, and of fewer never. */
const longIdleMs = 500;
const shortIdleMs = 50;
/** The part of the width that a folded gap takes, and that all of them take at most. */
const gapShare = 0.032;
const gapsShare = 0.3;

/** What a row shows in the waterfall. Times in epoch ms. */
export interface Bar {
  /** `missing`: no answer will come; `waiting`: it has not come; `stream`: it went on for a while, without being an answer. */
  kind: 'answered' | 'failed' | 'missing' | 'waiting' | 'stream' | 'tick' | 'failed-tick';
  from: number;
  /** Absent if it has no end yet. */
  to?: number | undefined;
  ms?: number | undefined;
  why?: MissingAnswer['why'];
}

export function barOf({ row, answer, request }: LogEntry, isFolded: boolean, missing: MissingAnswer | undefined): Bar {
  const from = row.at;
  // Neither a probe that is refused, a call that the user cancelled nor a restart is a failure.
  const isExpected = isProbe(row) || missing?.why === 'cancelled' || missing?.why === 'asAsked';
  if (missing) return { kind: isExpected ? 'stream' : 'missing', from, to: missing.until, why: missing.why };
  if (isFolded && answer) {
    const { durationMs, at } = answer.row;
    const to = durationMs === undefined ? at : from + durationMs;
    return { kind: isFailure(answer.row) ? 'failed' : 'answered', from, to, ms: durationMs };
  }
  if (row.role === 'request' && !answer) return { kind: 'waiting', from };
  const { durationMs: ms } = row;
  if (ms === undefined) return { kind: isFailure(row) ? 'failed-tick' : 'tick', from, to: from };
  // An answer was measured with another clock than its frame: its bar begins where its request is shown. A run of binary
  // frames has the time of its first one, anything else that of its end.
  const start = request?.row.at ?? (row.kind === 'binary' ? from : from - ms);
  const kind = row.role !== 'answer' ? 'stream' : isFailure(row) ? 'failed' : 'answered';
  return { kind, from: start, to: start + ms, ms };
}

/** The time that some bars take together, without the gaps in which nothing went over the wire. */
export interface TimeAxis {
  /** From the first to the last moment, the gaps included. */
  ms: number;
  /** The place of a moment, from 0 to 1. */
  place(at: number): number;
  /** The places of the folded gaps, with their length and their end (epoch ms). */
  gaps: readonly { place: number; ms: number; to: number }[];
}

/**
 * Folds idle times of over 500 ms, and shorter ones that are longer than all bars together: calls of a few ms each would
 * hardly be visible beside them.
 */
export function timeAxis(bars: readonly Bar[]): TimeAxis {
  const ordered = [...bars].sort((a, b) => a.from - b.from);
  const idleMs = Math.min(longIdleMs, Math.max(shortIdleMs, msOf(ordered)));
  const busy: { from: number; to: number; before: number }[] = [];
  let busyMs = 0;
  for (const { from, to = from } of ordered) {
    const last = busy.at(-1);
    if (last && from - last.to <= idleMs) {
      busyMs += Math.max(0, to - last.to);
      last.to = Math.max(last.to, to);
    } else {
      busy.push({ from, to, before: busyMs });
      busyMs += to - from;
    }
  }
  const gaps = Math.max(0, busy.length - 1);
  const gap = gaps === 0 ? 0 : busyMs === 0 ? 1 / gaps : Math.min(gapShare, gapsShare / gaps);
  const perMs = busyMs === 0 ? 0 : (1 - gaps * gap) / busyMs;
  const startOf = (index: number): number => (busy[index]?.before ?? 0) * perMs + index * gap;
  return {
    ms: (busy.at(-1)?.to ?? 0) - (busy[0]?.from ?? 0),
    place(at) {
      const index = Math.max(
        0,
        busy.findLastIndex(({ from }) => from <= at),
      );
      const { from = at, to = at } = busy[index] ?? {};
      return Math.min(1, startOf(index) + Math.max(0, Math.min(at, to) - from) * perMs);
    },
    gaps: busy.slice(1).map(({ from }, index) => ({
      place: startOf(index + 1) - gap / 2,
      ms: from - (busy[index]?.to ?? from),
      to: from,
    })),
  };
}

/** The time in which at least one of the bars, in their order, goes on. */
function msOf(ordered: readonly Bar[]): number {
  let until = -Infinity;
  let ms = 0;
  for (const { from, to = from } of ordered) {
    ms += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return ms;
}

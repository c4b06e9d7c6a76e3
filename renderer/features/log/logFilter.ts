import type { FrameRow } from '../../../src-core/contract/types.ts';
import type { LogEntry } from './wireRows.ts';

/** What of a log is shown. An empty set, and what is absent, lets everything pass. */
export interface LogFilter {
  types: ReadonlySet<string>;
  methods: ReadonlySet<string>;
  direction?: 'in' | 'out' | undefined;
  rpcId?: number | undefined;
  /** Only these `seq`: the hits of a search. */
  hits?: ReadonlySet<number> | undefined;
  /** An answer is shown on its request's row. */
  fold: boolean;
  /** Requests whose answer is laid out under them all the same. */
  unfolded: ReadonlySet<number>;
}

/** Whether an answer is part of its request's row. One direction alone has no pairs to fold. */
export const folds = (filter: Pick<LogFilter, 'fold' | 'direction'>): boolean =>
  filter.fold && filter.direction === undefined;

/** Whether an entry is in the list by itself. A folded pair is there where either half fits. */
export function isShown(entry: LogEntry, filter: LogFilter): boolean {
  if (!folds(filter)) return fits(entry.row, filter);
  const { request, answer } = entry;
  if (request) return filter.unfolded.has(request.row.seq) && isShown(request, filter);
  return fits(entry.row, filter) || (answer !== undefined && fits(answer.row, filter));
}

function fits(row: FrameRow, { types, methods, direction, rpcId, hits }: LogFilter): boolean {
  return (
    (types.size === 0 || types.has(row.type)) &&
    (methods.size === 0 || (row.method !== undefined && methods.has(row.method))) &&
    (direction === undefined || row.direction === direction) &&
    (rpcId === undefined || row.rpcId === rpcId) &&
    (hits === undefined || hits.has(row.seq))
  );
}

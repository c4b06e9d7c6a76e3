import type { HistoryFound, HistoryQuery } from '../../store/historyTypes.ts';
import type { JsonSchema } from '../../base/json.ts';
import type { CallRecord } from '../types.ts';

export type { HistoryFound, HistoryStatus } from '../../store/historyTypes.ts';

/** A search in the history, and its page size. */
export interface CallSearch extends HistoryQuery {
  limit: number;
}

/** A page of the matches, newest first. `next` is the `before` of the next page; absent if this is the last. */
export interface CallPage {
  rows: HistoryFound[];
  next?: number;
}

/** One call of the history, whole. */
export interface CallDetail extends CallRecord {
  /** The method's schema at that time; absent if an older Toolwire kept the call, or the name did not resolve. */
  inputSchema?: JsonSchema;
}

/** What a call can be copied as. */
export type CallForm = 'vcp' | 'json-rpc' | 'cli' | 'code';

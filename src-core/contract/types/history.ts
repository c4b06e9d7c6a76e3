import type { HistoryFound, HistoryQuery } from '../../store/historyTypes.ts';
import type { JsonSchema } from '../../base/json.ts';
import type { CallRecord } from '../types.ts';

export type { HistoryFound, HistoryStatus } from '../../store/historyTypes.ts';

/** What is looked for in the history, and how much of it at once. */
export interface CallSearch extends HistoryQuery {
  limit: number;
}

/** A page of what was found, newest first. `next` is the `before` of the page after; absent where this is the last. */
export interface CallPage {
  rows: HistoryFound[];
  next?: number;
}

/** One call of the history, whole. */
export interface CallDetail extends CallRecord {
  /** The method's schema as it was then; absent where an older Toolwire kept the call, or the name did not resolve. */
  inputSchema?: JsonSchema;
}

/** What a call can be copied as. */
export type CallForm = 'vcp' | 'json-rpc' | 'cli' | 'code';

import type { ToolExecutionResult } from '../registry/calls.ts';
import type { JsonSchema } from '../base/json.ts';
import type { ToolSource, ToolSourceKind } from '../registry/types.ts';

/** One finished call as it is kept. The contract's `CallRecord` with a result. */
export interface HistoryRow {
  callId: string;
  toolId: string;
  methodName: string;
  qualifiedName: string;
  source: ToolSource;
  origin: 'executor' | 'parser' | 'cli' | 'model' | 'gateway' | 'realtime';
  /** Absent for a call by the rules of its origin. */
  rules?: 'model' | 'unchecked';
  /** JSON text of the arguments as they were sent, every number as it was written. */
  argsJson: string;
  /** Epoch ms. */
  startedAt: number;
  /** Epoch ms; absent if it was never sent, or stored by an older Toolwire. */
  wentOutAt?: number;
  /** ms allowed. */
  timeoutMs: number;
  result: ToolExecutionResult;
}

/** A call that runs, as it is kept until it ends. */
export type BegunCall = Omit<HistoryRow, 'result'>;

/** How a call ended, to search by: a success that says itself that it failed is none of the others. */
export type HistoryStatus = 'success' | 'soft-failure' | 'error';

/** Which calls are looked for; what is absent does not matter. */
export interface HistoryQuery {
  /** Anywhere in the name, the arguments (as JSON) or the result; case does not matter. */
  text?: string | undefined;
  qualifiedName?: string | undefined;
  source?: ToolSourceKind | undefined;
  status?: HistoryStatus | undefined;
  /** Epoch ms of the start, inclusive. */
  from?: number | undefined;
  /** Epoch ms of the start, exclusive. */
  to?: number | undefined;
  /** Only calls before this one, by `seq`: the last one of the page before. */
  before?: number | undefined;
}

/** A call that was found: enough for a row of a list. */
export interface HistoryFound {
  /** Grows with each call. */
  seq: number;
  callId: string;
  qualifiedName: string;
  source: ToolSource;
  origin: HistoryRow['origin'];
  rules?: HistoryRow['rules'];
  /** Epoch ms. */
  startedAt: number;
  /** ms. */
  durationMs: number;
  status: HistoryStatus;
  /** Set if it failed. */
  errorCode?: string;
  /** The beginnings: JSON of the arguments, text of the result. */
  args: string;
  result: string;
}

/** How much is kept; the oldest go first. */
export interface HistoryLimits {
  calls: number;
  bytes: number;
}

/** Finished calls, the newest of them as far as the limits allow. */
export interface HistoryStore {
  /** Keeps a call that runs until `append` keeps its end. What was begun is there after `kill -9`. */
  begin(call: BegunCall): void;
  /** Calls that were begun and have no end, in no order. */
  begun(): BegunCall[];
  /**
   * Keeps a call, and the schema it was made against; a call id that is there already is replaced. Long results and
   * arguments are cut and say so. What was appended is there after `kill -9`.
   */
  append(row: HistoryRow, inputSchema?: JsonSchema): void;
  /** Newest first; no more after the first 32 MB. */
  list(filter: { limit: number; qualifiedName?: string | undefined }): HistoryRow[];
  get(callId: string): (HistoryRow & { inputSchema?: JsonSchema }) | undefined;
  /** Newest first, in slices of a few ms each, also if nothing is found in one: the caller may stop in between. */
  search(query: HistoryQuery): Generator<HistoryFound[]>;
  /** The qualified names of all calls kept, in order. */
  names(): string[];
  size(): HistoryLimits;
  /** What is beyond the new limits goes by and by: thousands of calls at once would hold up everything else. */
  setLimits(limits: HistoryLimits): void;
}

import type { Remote } from './remote.ts';
import type { ToolExecutionResult } from '../base/calls.ts';
import type { JsonSchema } from '../base/json.ts';
import type { ToolSource, ToolSourceKind } from '../base/toolTypes.ts';

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

/** A schema as JSON text; `hash` names it. */
export interface StoredSchema {
  hash: string;
  text: string;
}

/** A call that runs, as it is stored. `args` and `record` are JSON text. */
export interface StoredBegun {
  callId: string;
  args: string;
  record: string;
}

/** A finished call as it is stored. `args` and `record` are JSON text; `record` has what no column has. */
export interface StoredCall extends StoredBegun {
  qualifiedName: string;
  sourceKind: string;
  /** Epoch ms. */
  startedAt: number;
  status: HistoryStatus;
  result: string;
  schema?: StoredSchema | undefined;
}

/** The texts of a finished call. */
export type CallTexts = Pick<StoredCall, 'args' | 'result' | 'record'>;

/** A part of the history that was searched. */
export interface HistorySlice {
  found: HistoryFound[];
  /** Where the search goes on (`before`); absent at the end. */
  next?: number;
}

/** The table of finished calls. JSON stays text: the engine reads it. */
export interface HistoryTable {
  begin(call: StoredBegun): void;
  begun(): StoredBegun[];
  append(call: StoredCall): void;
  list(filter: HistoryFilter): CallTexts[];
  get(callId: string): (CallTexts & { schema?: string }) | undefined;
  /** Newest first, one part at a time. */
  search(query: HistoryQuery): HistorySlice;
  names(): string[];
  size(): HistoryLimits;
  setLimits(limits: HistoryLimits): void;
}

/** How many calls are listed, of all methods or of one. */
export interface HistoryFilter {
  limit: number;
  qualifiedName?: string | undefined;
}

/** Finished calls, the newest of them as far as the limits allow. */
export interface HistoryStore extends Pick<Remote<HistoryTable>, 'names' | 'size' | 'setLimits' | 'search'> {
  /** Keeps a call that runs until `append` keeps its end. Once it resolves, the call is there after `kill -9`. */
  begin(call: BegunCall): Promise<void>;
  /** Calls that were begun and have no end, in no order. */
  begun(): Promise<BegunCall[]>;
  /**
   * Keeps a call, and the schema it was made against; a call id that is there already is replaced. Long results and
   * arguments are cut and say so. Once it resolves, the call is there after `kill -9`.
   */
  append(row: HistoryRow, inputSchema?: JsonSchema): Promise<void>;
  /** Newest first; no more after the first 32 MB. */
  list(filter: HistoryFilter): Promise<HistoryRow[]>;
  get(callId: string): Promise<(HistoryRow & { inputSchema?: JsonSchema }) | undefined>;
}

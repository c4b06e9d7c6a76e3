import type { Remote } from './remote.ts';
import type { CallRecord, HistoryFound, HistoryQuery, HistoryStatus } from '../contract/callRecords.ts';
import type { JsonSchema } from '../base/json.ts';

/** One finished call as it is kept. */
export type HistoryRow = CallRecord & Required<Pick<CallRecord, 'result'>>;

/** A call that runs, as it is kept until it ends. */
export type BegunCall = Omit<HistoryRow, 'result'>;

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
  append(calls: readonly StoredCall[]): void;
  list(filter: HistoryFilter): CallTexts[];
  get(callId: string): (CallTexts & { schema?: string }) | undefined;
  /** Whether it has a call of that id that went out to its tool. False if the storage cannot be read. */
  wentOut(callId: string): boolean;
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
export interface HistoryStore
  extends Pick<Remote<HistoryTable>, 'names' | 'size' | 'setLimits' | 'search'>, Pick<HistoryTable, 'wentOut'> {
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

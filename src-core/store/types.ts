import type { ToolExecutionResult } from '../tools/calls.ts';
import type { JsonObject, JsonValue } from '../tools/json.ts';
import type { ToolSource } from '../tools/types.ts';
import type { ChatStore } from './chatTypes.ts';
import type { CaptureStore, WireStore } from './frameTypes.ts';

/** One finished call as it is kept. The contract's `CallRecord` with a result. */
export interface HistoryRow {
  callId: string;
  toolId: string;
  methodName: string;
  qualifiedName: string;
  source: ToolSource;
  origin: 'executor' | 'parser' | 'cli' | 'model' | 'gateway' | 'mcp';
  args: JsonObject;
  /** Epoch ms. */
  startedAt: number;
  /** Epoch ms; absent where it never went out, or an older Toolwire kept it. */
  wentOutAt?: number;
  /** ms allowed. */
  timeoutMs: number;
  result: ToolExecutionResult;
}

/** Finished calls, the newest 10,000 of them. */
export interface HistoryStore {
  /** Keeps a call; a call id that is there already is replaced. Long results and arguments are cut and say so. */
  append(row: HistoryRow): void;
  /** Newest first. */
  list(filter: { limit: number; qualifiedName?: string | undefined }): HistoryRow[];
}

/** JSON values by key. */
export interface KeyValueStore {
  /** @throws SyntaxError where somebody else wrote what is no JSON. */
  get(key: string): JsonValue | undefined;
  set(key: string, value: JsonValue): void;
}

/** The one database of a data folder. */
export interface Store {
  readonly settings: KeyValueStore;
  readonly history: HistoryStore;
  readonly chats: ChatStore;
  readonly wire: WireStore;
  readonly captures: CaptureStore;
  /** Set where the file on disk was damaged and had to be moved aside: says from where to where. */
  readonly notice?: string;
  /** Safe to call twice. Nothing that was appended or set is lost without it. */
  close(): void;
}

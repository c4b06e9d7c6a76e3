import type { JsonObject, JsonValue } from '../base/json.ts';
import type { UnreadableFrame } from '../base/framesMeanwhile.ts';
import type { ContentBlock, MethodMetadata, ToolProgress, ToolReport, ToolSource } from '../base/toolTypes.ts';

/** A registry's self-description. `error` replaces the methods if the source could not be read. */
export interface ToolMetadata {
  methods: MethodMetadata[];
  /** Why the tool cannot be used right now: a module that failed to load, a list that stopped half-way. */
  error?: string;
}

/** What a call gave back. */
export interface ToolOutput {
  /** The value: a string, or anything that `JSON.stringify` accepts. */
  value: unknown;
  /** The answer in blocks, if the source sends blocks (devices, MCP servers). */
  content?: ContentBlock[];
  /** The answer as data, if the source sends it in addition to its blocks (MCP `structuredContent`). */
  structuredContent?: unknown;
  /** The tool reports that it failed (MCP `isError`). */
  isError?: boolean;
  /** Facts of that failure, for its error. */
  details?: JsonObject;
  /** What the source states about the call, for the user only. */
  remark?: string;
}

/**
 * What the host of a call (an MCP client on whose behalf it runs) does for the tool. A member is absent if the host did not
 * declare the capability. Parameters and answers are those of the MCP method; answers are untrusted.
 */
export interface CallHost {
  /** The same in all calls of the host's connection, or of the host if its connections are not known. */
  id: string;
  /** `elicitation/create` with a form. */
  elicit?: ((params: JsonObject, options?: HostQuestionOptions) => Promise<JsonObject>) | undefined;
  /** `elicitation/create` with a URL. */
  elicitUrl?: CallHost['elicit'];
  /** `sampling/createMessage`. */
  sample?: ((params: JsonObject, options?: HostQuestionOptions) => Promise<JsonObject>) | undefined;
  /** `roots/list`. */
  listRoots?: ((options?: HostQuestionOptions) => Promise<JsonObject>) | undefined;
  /** Throws if the host did not declare a capability that the tool requires. The error names the capability. */
  require: (capability: 'elicitation' | 'sampling' | 'roots' | 'tasks') => void;
  /** `notifications/message`, if the level that the host set lets it pass. */
  log: (level: LogLevel, data: JsonValue, logger?: string) => void;
  /** Ends the stream that the answer would arrive on; the host fetches the answer later. Does nothing for other transports. */
  closeStream: () => void;
  /** Declares that the tool takes long. If the host supports tasks, it immediately receives a task and polls its state. */
  becomeTask: () => void;
}

/** How a host is asked. */
export interface HostQuestionOptions {
  /** Withdraws the question. */
  signal?: AbortSignal;
  /** Identifies the question since 2026-07-28, because a host may answer several at the same time. Before, it has a number. */
  key?: string;
}

/** Levels of MCP's log messages. */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** The data of a call besides its arguments. */
export interface InvokeOptions {
  /** Aborts when the caller cancels or the time is up; the tool must stop its work. */
  signal: AbortSignal;
  /** Milliseconds this call may take from the moment it starts. */
  timeoutMs: number;
  /** Identifies the call in logs and wire captures. */
  callId: string;
  /** The tool as the caller names it, for errors. */
  shownName?: string;
  onProgress?: (progress: ToolProgress) => void;
  /**
   * Called by a source in which calls wait (for their turn at a device, or for a module to load) when this one really
   * goes out, at most once. The executor starts its timer then; a source that never calls it is timed from the start.
   * It throws if the `version` is not the approved one: a source with a version calls it before it runs the call.
   */
  onStart?: () => void;
  /** Called if what the call was sent to returns it: nothing ran. `onStart` is called again if it is sent elsewhere. */
  onReturn?: () => void;
  /** Called for each message that arrives while the call waits and matches no request: it may be the answer. `why`: a clause. `unreadable`: the message, if it cannot be read. */
  onUnmatched?: (why: string, unreadable?: UnreadableFrame) => void;
  /**
   * Called by a source that times its calls itself, at most once, just before the call ends: ms from when it went out
   * to its answer, or to the end of the connection. Then this is the call's duration; the executor measures the others.
   */
  onTimed?: (durationMs: number) => void;
  /** Called when the source begins and ends to wait for the user: no time of the limit passes meanwhile, and it starts again. */
  onWait?: (isWaiting: boolean) => void;
  /** The MCP host on whose behalf the call runs; absent for every other caller. */
  host?: CallHost;
  /** Runs the call as a task if the source can. Otherwise only methods that require it run as tasks. */
  asTask?: boolean;
  /** Its task may go on while Toolwire is closed. Otherwise it is cancelled then. */
  keepsTask?: boolean;
  /** Follows this task, which an earlier run of Toolwire began, instead of calling the method. */
  taskId?: string;
  onReport?: (report: ToolReport) => void;
}

/** A source of callable methods: built-in, a module, a device, a gateway client, an MCP server. */
export interface ToolRegistry {
  /** Unique in the manager. May hold underscores. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  readonly description?: string;
  readonly source: ToolSource;
  /** Changes, and never repeats, if other code may run its calls: an approval applies to one version. Absent if the code cannot change. */
  readonly version?: string;
  /** True if calls wait inside the source, and it calls `onStart` for each. */
  readonly queued?: boolean;
  /** The source ends calls at their limit and when they are cancelled; the executor does not. */
  readonly endsCalls?: true;
  /** It loses its id to another source that wants to have it. */
  readonly yields?: true;
  /** Why a call may get no answer, as a sentence; follows the message of a time-out. */
  readonly silenceHint?: string;
  /** ms since the last frame arrived from a source with a wire; pings and pongs do not count. */
  readonly msSinceFrame?: () => number;
  getMetadata(): ToolMetadata;
  /** Reads the source again; resolves when its metadata is up to date. Absent if there is nothing to read. */
  reload?(): Promise<void>;
  /** Runs one method. Rejects with a `ToolError` or whatever the tool threw; resolves with its output. */
  invoke(methodName: string, args: JsonObject, options: InvokeOptions): Promise<ToolOutput>;
}

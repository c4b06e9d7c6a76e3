/**
 * The interface of the MCP library: what a connection to a server needs and what it offers. Requests and answers are the
 * protocol's own objects (https://modelcontextprotocol.io/specification); every number in them is exact.
 */
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  CreateMessageResultWithTools,
  ElicitRequestParams,
  ElicitResult,
  Root,
} from '@modelcontextprotocol/client';

import type { JsonObject, JsonSchema, JsonValue } from '../base/json.ts';
import type { SignInProvider } from './auth/types.ts';

export type { ElicitRequestParams, ElicitResult, CreateMessageRequestParams, Root };
export type SamplingResult = CreateMessageResult | CreateMessageResultWithTools;

/**
 * Where a server is. `env` has the named values only; variables such as PATH and HOME are added (`environmentOf`). `cwd` is the folder of
 * this process by default.
 */
export type ServerEndpoint =
  | { type: 'stdio'; command: string; args: string[]; env: Record<string, string>; cwd?: string }
  | { type: 'http' | 'sse'; url: string; headers: Record<string, string> }
  | { type: 'websocket'; url: string; headers: Record<string, string> };

/** One message as it was sent. Headers of HTTP that have secrets are masked. `bytes` is the length of `text` in UTF-8. */
export interface WireFrame {
  direction: 'in' | 'out';
  text: string;
  bytes: number;
  /** The request that it answers, whose id the text may not have: the body of a refusal over HTTP. */
  answers?: string | number;
  http?: { method: string; status?: number; headers: Record<string, string> };
}

/** The facts of some notes, for a text in another language. */
export type WireNote =
  | { code: 'process-started'; pid: number }
  | { code: 'process-ended'; exitCode?: number; exitSignal?: string }
  /** A request over HTTP was not answered. `reason`: the code of the network. */
  | { code: 'request-failed'; reason: string }
  /** A line on stdout is not JSON-RPC. `isFirst`: it is the first line. */
  | { code: 'junk-on-stdout'; line: string; isFirst: boolean }
  /** An answer to the request of this id, which has ended, or its progress: normal after it was cancelled. */
  | { code: 'late'; isProgress: boolean; id: number }
  /** An answer to no request. `id`: as JSON. */
  | { code: 'unknown-id'; id: string };

/** Receives the frames, events and stderr lines of a transport. No method may throw. */
export interface WireObserver {
  /** `message` is the frame’s text if it has been parsed already. */
  onFrame(frame: WireFrame, message?: JsonValue): void;
  onNote(kind: 'open' | 'close' | 'note', text: string, note?: WireNote): void;
  /** One line that the process wrote to stderr, without its line end. */
  onStderr(line: string): void;
}

/** `legacy` is 2024-11-05 to 2025-11-25 (`initialize`), `modern` is 2026-07-28 (`server/discover`). */
export type ProtocolEra = 'legacy' | 'modern';

/** A step of connecting, with what was found: `program` and `process` of a stdio server, `reach` of the others. */
export interface ConnectStep {
  step: 'program' | 'process' | 'reach' | 'initialize';
  outcome: 'passed' | 'failed';
  /** For example `path`, `pid`, `url`, `status`, `era`, `revision`. */
  facts: Record<string, string | number>;
}

/** Runs a function in the asynchronous context in which a request was sent. */
export type InContext = <T>(run: () => T) => T;

/**
 * What a server may ask of the client. A capability is declared if its method is set. `contexts` are those of the calls in which it may
 * be asking, if the present one is not the only one.
 */
export interface ServerRequestHandlers {
  /** Shows a form, or a URL that the user is to open. The signal aborts once the server, or the call in which it asks, no longer waits. */
  elicit?(request: ElicitRequestParams, signal: AbortSignal, contexts?: readonly InContext[]): Promise<ElicitResult>;
  /** Returns a message of a model. `tools` and `toolChoice` of the request are declared as well. */
  sample?(
    request: CreateMessageRequestParams,
    signal: AbortSignal,
    contexts?: readonly InContext[],
  ): Promise<SamplingResult>;
  listRoots?(): Promise<Root[]>;
  /** Receives a log message of the server: `notifications/message`. */
  log?(message: { level: string; logger?: string; data: JsonValue }): void;
  /** The text with which a request is refused whose capability is not declared. */
  explainRefusal?(method: string): string | undefined;
}

export interface ConnectOptions {
  endpoint: ServerEndpoint;
  observer: WireObserver;
  /** `auto` asks with `server/discover` and falls back to `initialize`. */
  era: 'auto' | ProtocolEra;
  /** Skips the probe of `auto`, for an endpoint that was legacy before. A server that is modern only by now is asked once more. */
  assumesLegacy?: boolean;
  clientInfo: { name: string; version: string; title?: string };
  /** Signs in at a server over HTTP or SSE. Without it, 401 and 403 end in a `ConnectFailure` with the code `unauthorized` or `forbidden`. */
  authProvider?: SignInProvider;
  /** The longest message; 64 MiB by default. A longer one, or list of several pages, fails its request; the connection stays open. */
  maxMessageBytes?: number | undefined;
  /** How long the probe waits for an answer over stdio and WebSocket, in ms. Default 3000. */
  probeTimeoutMs?: number;
  /** How long `initialize` may take, and the probe over HTTP, in ms. Default 60,000: `npx` may have to download the server. */
  initializeTimeoutMs?: number;
  /** How long a process that has written 100 other lines on stdout may take until its first message, in ms. Default 15,000. */
  junkTimeoutMs?: number;
  /** How often a server may answer `input_required` to one request. Default 10. */
  maxInputRounds?: number;
  /** ms after which a request is sent again that a server before 2026-07-28 refused until the user has opened a page. Default 5,000. */
  pageRetryMs?: number;
  /** Extensions to declare, by name: `{ 'io.modelcontextprotocol/ui': { … } }`. */
  extensions?: Record<string, JsonObject>;
  /** Replaces the secrets of the server in the body of a refusal, before an excerpt of it becomes part of an error. */
  mask?: (text: string) => string;
  signal: AbortSignal;
  handlers: ServerRequestHandlers;
  onStep?(step: ConnectStep): void;
}

/** A tool of a list. `definition` is what the server sent, with all fields. */
export interface ListedTool {
  name: string;
  title?: string;
  description: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  annotations?: JsonObject;
  definition: JsonObject;
}

/** An item of a list that cannot be used, or only with a reservation (`duplicate-name`). The rest of the list is used. */
export interface ListFault {
  /** Position in the whole list, from 0. */
  index: number;
  name?: string;
  code: 'not-an-object' | 'no-name' | 'no-input-schema' | 'invalid-output-schema' | 'invalid-header' | 'duplicate-name';
  /** For `invalid-header`: why, in English. */
  detail?: string;
  item: JsonValue;
}

export interface CallOptions {
  signal: AbortSignal;
  /** How long the server may be silent, in ms. Progress, and the user's answer to a question of the server, restart it. */
  timeoutMs: number;
  /** How long the call may take in all, in ms; the time that the user needs for an answer does not count. By default `timeoutMs`. */
  maxTotalMs?: number;
  onProgress?: ((progress: { progress: number; total?: number; message?: string }) => void) | undefined;
  /** Called when the user is asked something or has to sign in, and again when that has ended. */
  onWait?: ((isWaiting: boolean) => void) | undefined;
  /** Called when the server's questions have been answered, with the key of each and the answer that is sent. */
  onRound?(round: InputRound): void;
  /** Called when the server has sent a request that is not allowed for it, such as `roots/list`. */
  onRefused?: ((method: string) => void) | undefined;
  /** Called when an answer arrives that matches no request: it may be that of this one. `why`: a clause. */
  onUnmatched?: ((why: string) => void) | undefined;
  /** Added to `_meta` of the request. */
  meta?: JsonObject;
  /** On whose behalf the request is sent, if not that of the user of the connection. */
  user?: RequestUser | undefined;
}

export interface RequestUser {
  /** The same in all requests of the user. */
  id: string;
  /** Answers what the server asks during the request. The connection's handler answers if it returns undefined. */
  elicit(request: ElicitRequestParams, signal: AbortSignal): Promise<ElicitResult> | undefined;
}

/** Questions of a modern server, which it asks by answering `input_required`. */
export type InputRound = { key: string; method: string; params: JsonObject; answer: JsonObject }[];

/** A call that the server works on by itself: poll it, or resume it after a restart. */
export interface TaskState {
  taskId: string;
  status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  statusMessage?: string;
  /** How long to wait before the next question, in ms. */
  pollMs: number;
  /** As the server sent it. */
  task: JsonObject;
}

export interface CallToolOptions extends CallOptions {
  /**
   * Whether a legacy server is to run the call as a task. By default, if the tool's `execution.taskSupport` is `required`. A
   * modern server decides itself.
   */
  asTask?: boolean;
  /** Called with each state of the task, the first one as soon as it has an id. */
  onTask?(state: TaskState): void;
  /** Called if the signal aborts. If it returns true, the task continues at the server instead of being cancelled. */
  leavesTask?(): boolean;
}

/** What a tool answered. Nothing is checked beyond `isError` and the list of content; unknown content is kept. */
export interface CallToolAnswer {
  content: JsonValue[];
  structuredContent?: JsonValue;
  isError: boolean;
  /** The whole result. */
  result: JsonObject;
}

/** Why a connection ended. `stderr` and the exit code are those of a stdio server. */
export interface CloseReason {
  /** `closed` if `close` was called. */
  code: 'closed' | 'process-exited' | 'connection-lost' | 'session-lost';
  detail?: string;
  exitCode?: number;
  exitSignal?: string;
  /** WebSocket close code. */
  closeCode?: number;
  stderr: string[];
}

export type ListKind = 'tools' | 'prompts' | 'resources';

export interface McpConnection {
  readonly era: ProtocolEra;
  /** The negotiated revision, for example 2025-11-25. */
  readonly revision: string;
  /** Absent if a modern server does not identify itself. */
  readonly serverInfo: { name: string; version: string; title?: string } | undefined;
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
  /** A legacy server over stdio or WebSocket did not answer the probe, which `assumesLegacy` skips. */
  readonly ignoredProbe: boolean;
  /** The id of the process of a stdio server. */
  readonly pid: number | undefined;
  /**
   * Reads all pages, within five minutes. @throws {McpError} `repeated-cursor` if the server sends a cursor twice, `too-large` for more than
   * `maxMessageBytes` characters or 100,000 items.
   */
  listTools(signal: AbortSignal): Promise<{ tools: ListedTool[]; faults: ListFault[] }>;
  /** @throws {McpError} `cancelled`, `timeout`, `connection-lost`, `too-large`, `rpc` and others: see `McpErrorCode`. */
  callTool(name: string, args: JsonObject, options: CallToolOptions): Promise<CallToolAnswer>;
  /** Follows a task that an earlier connection started, as `callTool` does with its own. */
  resumeTask(taskId: string, options: CallToolOptions): Promise<CallToolAnswer>;
  /** Reads all pages. The items are as the server sent them; a server without the capability has none. */
  listResources(signal: AbortSignal): Promise<JsonObject[]>;
  listResourceTemplates(signal: AbortSignal): Promise<JsonObject[]>;
  listPrompts(signal: AbortSignal): Promise<JsonObject[]>;
  readResource(uri: string, options: CallOptions): Promise<JsonObject>;
  getPrompt(name: string, args: Record<string, string>, options: CallOptions): Promise<JsonObject>;
  /** Returns values for an argument. `ref` is `ref/prompt` or `ref/resource`; `known` has the arguments that are set already. */
  complete(
    ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string },
    argument: { name: string; value: string },
    known: Record<string, string>,
    signal: AbortSignal,
  ): Promise<{ values: string[]; total?: number; hasMore?: boolean }>;
  subscribe(uri: string, signal: AbortSignal): Promise<void>;
  unsubscribe(uri: string, signal: AbortSignal): Promise<void>;
  /** Requests log messages of at least this level, or none with `off`: with `logging/setLevel`, or in each request to a modern server. */
  setLogLevel(level: string, signal: AbortSignal): Promise<void>;
  /** Sends `ping` to a legacy server, and `server/discover` to a modern one. */
  ping(signal: AbortSignal): Promise<void>;
  /** Notifies a legacy server that the roots have changed; a modern one asks each time. */
  sendRootsChanged(): Promise<void>;
  /** Sends any other request. The answer is not checked. */
  request(method: string, params: JsonObject, options: CallOptions): Promise<JsonObject>;
  /** Returns a function that removes the listener. */
  onListChanged(listener: (kind: ListKind) => void): () => void;
  onResourceUpdated(listener: (uri: string) => void): () => void;
  /** Receives any other notification of the server, for example of tasks. */
  onNotification(listener: (method: string, params: JsonObject) => void): () => void;
  /** Resolves once the connection has ended, whichever side ended it. Never rejects. */
  readonly closed: Promise<CloseReason>;
  /** Ends the connection; of a stdio server, its whole process tree. Requests that run fail with `connection-lost`. */
  close(): Promise<void>;
}

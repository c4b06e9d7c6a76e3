import type { JsonValue } from '../base/json.ts';

export type McpErrorCode =
  | 'cancelled' // the caller's signal
  | 'timeout' // `timeoutMs` without a sign of the server, or `maxTotalMs` in all
  | 'connection-lost'
  | 'session-lost' // the HTTP server has forgotten the session; reconnect
  | 'too-large' // an answer over `maxMessageBytes`
  | 'rpc' // the server answered with an error: `rpcCode`, `data`
  | 'unauthorized' // 401, or 403 with the scopes that are needed; `cause` is a `SignInError` if a sign-in failed
  | 'forbidden' // 403
  | 'http' // another status: `status`
  | 'invalid-answer' // not what the protocol says
  | 'repeated-cursor'
  | 'too-many-pages'
  | 'unknown-task' // the server does not know the task that is resumed
  | 'too-many-rounds' // more answers `input_required` than `maxInputRounds`
  | 'unsupported'; // the revision does not have the method, or the server does not have the capability

export interface McpErrorDetails {
  rpcCode?: number;
  data?: JsonValue;
  status?: number;
  /** The limit that a `timeout` has exceeded, in ms. `total`: it is that of the whole request. */
  limitMs?: number;
  total?: boolean;
  /** The size of a message that is `too-large`, and the limit. */
  bytes?: number;
  maxBytes?: number;
  cause?: unknown;
}

/** A request to a server that failed. `message` is English, or the server's text for the code `rpc`. */
export class McpError extends Error {
  readonly code: McpErrorCode;
  readonly details: McpErrorDetails;

  constructor(code: McpErrorCode, message: string, details: McpErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'McpError';
    this.code = code;
    this.details = details;
  }
}

export type ConnectFailureCode =
  | 'program-not-found' // `command`, `searched`
  | 'program-not-startable' // `command`, `reason`: no permission, or the folder `cwd` is missing
  | 'process-exited' // before it answered: `exitCode` or `exitSignal`
  | 'junk-on-stdout' // `line`: stdout has lines that are not JSON-RPC, and no answer came
  | 'bad-url' // `schemes`: the URL has none of them, or is none
  | 'dns' // `host`
  | 'tls' // `host`, `reason`; if the server does not use TLS: `port`, and `instead`, with which the URL begins
  | 'refused' // `host`, `port`
  | 'unreachable' // `url`, `reason`: another fault of the network
  | 'unauthorized' // `status` 401: sign in; `cause` is a `SignInError` if a sign-in failed, `header` the one that was refused
  | 'forbidden' // 403
  | 'http-status' // `status`, `body` (its first line)
  | 'not-mcp' // an answer, but not of MCP: `reason`, and `contentType` if it is that of a page or file
  | 'wrong-revision' // `supported`: those of the server, or empty
  | 'probe-silence' // no answer to `server/discover`, and no fallback is possible
  | 'no-answer' // `limitMs`: no answer to `initialize`
  | 'message-too-large' // `maxBytes`
  | 'session-lost'
  | 'connection-lost' // for no known reason
  | 'closed' // the other side closed the connection: `closeCode`
  | 'rpc' // the server refused `initialize`: `rpcCode`, `reason`
  | 'cancelled'; // the caller's signal

/** Why a server could not be connected to. `message` is English; `params` are the facts for a message in another language. */
export class ConnectFailure extends Error {
  readonly code: ConnectFailureCode;
  readonly params: Record<string, string | number>;
  /** The directories of PATH, in their order, for `program-not-found`. */
  readonly searched: string[];
  /** The last lines of stderr, at most 64 KiB. */
  readonly stderr: string[];

  constructor(
    code: ConnectFailureCode,
    message: string,
    extra: { params?: Record<string, string | number>; searched?: string[]; stderr?: string[]; cause?: unknown } = {},
  ) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.name = 'ConnectFailure';
    this.code = code;
    this.params = extra.params ?? {};
    this.searched = extra.searched ?? [];
    this.stderr = extra.stderr ?? [];
  }
}

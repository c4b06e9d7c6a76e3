import { systemClock } from '../../base/clock.ts';
import type { JsonValue } from '../../base/json.ts';
import { reportError, type ErrorReporter } from '../../base/reportError.ts';
import type { ToolConsumer } from '../../base/toolTypes.ts';
import type { SignInOptions } from '../../mcp/auth/signInAttempt.ts';
import type { SignInProvider } from '../../mcp/auth/types.ts';
import type {
  McpConnection,
  ServerEndpoint,
  ServerRequestHandlers,
  WireFrame,
  ListFault,
  ListedTool,
} from '../../mcp/types.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import { maskHeaders } from '../frames/mcp/mcpFrames.ts';
import { LiveServer } from './liveServer.ts';
import { createPins } from './pins.ts';
import type { KeptServer } from './serverBook.ts';
import { createSecretMask } from './serverSecrets.ts';

export interface SuperviseOptions {
  /** The id of its tools in the registry: letters, digits and `-`. */
  id: string;
  /** The name that is shown; the id by default. */
  name?: string;
  /** The command or URL of the server. `start` runs a stdio server immediately: show its command to the user who approves it first. */
  endpoint: ServerEndpoint;
  /** Its tools are registered here while it is ready. */
  toolRegistryManager: ToolRegistryManager;
  /** The consumers that are offered its tools; all by default. */
  consumers?: readonly ToolConsumer[];
  /** Answers what the server asks. A capability is declared if its method is set. */
  handlers?: ServerRequestHandlers;
  /** The longest message, in bytes; 64 MiB by default. Its errors call it "Longest MCP message", as the settings of Toolwire do. */
  maxMessageBytes?: number;
  /** Creates the provider that signs in at the server, with `createSignInProvider`. Without it, a server that answers 401 fails. */
  signIn?(of: Required<Pick<SignInOptions, 'signal' | 'onState'>>): SignInProvider | Promise<SignInProvider>;
  /**
   * Stores the accepted definitions of tools between runs. The definitions of the first list are accepted. A tool that is changed
   * or added later is not offered until it is accepted. In memory by default.
   */
  store?: { get(key: string): JsonValue | undefined; set(key: string, value: JsonValue): void };
  /** The state, the tools or the failure may have changed. */
  onChange?(): void;
  /** Each message as it was sent, with the secrets of the endpoint masked. */
  onFrame?(frame: WireFrame): void;
  /** Receives events other than messages, such as a line on stderr. Secrets are masked. */
  onNote?(kind: 'open' | 'close' | 'note' | 'stderr', text: string): void;
  onError?: ErrorReporter;
}

/** A server that is kept connected. */
export interface SupervisedServer {
  readonly state: 'stopped' | 'starting' | 'sign-in' | 'ready' | 'failing';
  /**
   * Why it is `failing`, or not signed in; while it is `starting`, why the attempt before failed or why this one may not succeed. `stderr`
   * has the last lines of its process.
   */
  readonly failure: { text: string; stderr: readonly string[] } | undefined;
  /** Epoch ms of the next attempt while it is `failing`; undefined if another attempt would not help. */
  readonly retryAt: number | undefined;
  /** Resources, prompts, completions and the rest of the protocol. Undefined unless it is connected. */
  readonly connection: McpConnection | undefined;
  readonly tools: readonly ListedTool[];
  /** Items of the last list that cannot be used. */
  readonly faults: readonly ListFault[];
  /** Tools whose definitions are not accepted. */
  readonly changedTools: readonly { tool: string; kind: 'added' | 'changed' }[];
  /** Starts or restarts it. Returns immediately. */
  start(): void;
  /**
   * Resolves when it is ready.
   * @throws {Error} If it is stopped, if an attempt fails, or the reason of `signal`. Further attempts go on.
   */
  whenReady(signal?: AbortSignal): Promise<void>;
  /** Accepts the definitions of these tools as they are now. */
  accept(tools: readonly string[]): void;
  /** Ends the connection and, of a stdio server, its whole process tree. */
  stop(): Promise<void>;
}

/** Keeps a server connected: it restarts after a failure, waits longer after each, and has its tools in the registry. */
export function superviseServer(options: SuperviseOptions): SupervisedServer {
  const { id, name = id, endpoint, toolRegistryManager, consumers, onFrame, onNote } = options;
  if (!/^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/.test(id))
    throw new TypeError(`id: ${JSON.stringify(id)} is not 1 to 64 letters, digits and hyphens.`);
  const { onError = reportError } = options;
  const server = { id, name, registryId: id };
  const target = { endpoint, mask: createSecretMask(endpoint) };
  const pins = createPins({ store: options.store ?? new Map<string, JsonValue>(), onError });
  const waiting = new Set<() => void>();
  const onChange = (): void => {
    for (const check of waiting) check();
    options.onChange?.();
  };
  let silent: KeptServer['silent'];
  const live = new LiveServer({
    clock: systemClock,
    frames: (mask) => ({
      add: ({ text, http, ...frame }) =>
        onFrame?.({ ...frame, text: mask(text), ...(http && { http: maskHeaders(http, mask) }) }),
      note: (kind, text) => onNote?.(kind, mask(text)),
      stderr: (line) => onNote?.('stderr', mask(line)),
    }),
    toolRegistryManager,
    handlers: () => options.handlers ?? {},
    maxMessageBytes: () => options.maxMessageBytes,
    kept: () => ({ consumers, logLevel: options.handlers?.log ? 'info' : 'off', silent }),
    keepSilent: (now) => (silent = now),
    signIn: (_endpoint, of) => Promise.resolve(options.signIn?.(of as Required<typeof of>)),
    check: (tools) => pins.check(id, tools),
    onChange,
    // No task outlives the program if there is no store.
    closing: new AbortController().signal,
    onRetry: () => live.retry(server, target),
    onError,
  });
  return {
    get state() {
      // Nothing here asks for an approval.
      return live.state === 'asking' ? 'stopped' : live.state;
    },
    get failure() {
      return live.failure && { text: live.failure.text, stderr: live.failure.stderr };
    },
    get retryAt() {
      return live.retryAt;
    },
    get connection() {
      return live.connection;
    },
    get tools() {
      return live.listed.tools;
    },
    get faults() {
      return live.listed.faults;
    },
    get changedTools() {
      return live.listed.changes.map(({ tool, kind }) => ({ tool, kind }));
    },
    start: () => live.start(server, target),
    whenReady: (signal) => untilReady(live, name, waiting, signal),
    accept(tools) {
      pins.accept(
        id,
        live.listed.tools,
        live.listed.changes.filter(({ tool }) => tools.includes(tool)),
      );
      live.listed.checkDefinitions();
      toolRegistryManager.notifyChanged(id);
      onChange();
    },
    stop: () => live.stop(),
  };
}

/** `waiting` is called at each change. */
function untilReady(
  live: Pick<LiveServer, 'state' | 'failure'>,
  name: string,
  waiting: Set<() => void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      waiting.delete(check);
      signal?.removeEventListener('abort', abort);
      settle();
    };
    const abort = (): void => end(() => reject(signal?.reason as Error));
    const check = (): void => {
      if (live.state === 'ready') end(resolve);
      else if (live.state === 'stopped') end(() => reject(new Error(`"${name}" is stopped.`)));
      else if (live.state !== 'starting' && live.failure !== undefined)
        end(() => reject(new Error(live.failure?.text)));
    };
    if (signal?.aborted === true) return abort();
    signal?.addEventListener('abort', abort, { once: true });
    waiting.add(check);
    check();
  });
}

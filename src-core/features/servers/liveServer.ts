import { createHash } from 'node:crypto';

import { maskSecrets } from '../../base/maskSecrets.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Clock } from '../../base/clock.ts';
import type { ServerFailure, ServerLogLine, ServerRow } from '../../contract/servers.ts';
import type { DefinitionChange } from '../../contract/serverTools.ts';
import type { ToolConsumer } from '../../base/toolTypes.ts';
import { appExtensions } from '../../mcp/apps/appMeta.ts';
import type { SignInOptions } from '../../mcp/auth/signInAttempt.ts';
import type { SignInError, SignInProvider } from '../../mcp/auth/types.ts';
import { connectServer } from '../../mcp/connectServer.ts';
import { ConnectFailure, McpError, type ConnectFailureCode } from '../../mcp/errors.ts';
import type { ListedTool, McpConnection, ServerEndpoint, ServerRequestHandlers } from '../../mcp/types.ts';
import { untilAborted } from '../../base/untilAborted.ts';
import { version } from '../../base/version.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import type { KeptServer } from './serverBook.ts';
import { observerOf, type McpFrames } from '../frames/mcp/mcpFrames.ts';
import { Retries } from './retries.ts';
import { createResourceSubscriptions, type ResourceSubscriptions } from './resourceSubscriptions.ts';
import { createListReader, type ListReader } from './serverLists.ts';
import { Listed } from './listed.ts';
import { closeFailure, failureMessage, noteMessage, remedyOf } from './failureMessage.ts';
import type { StartTarget } from './serverSecrets.ts';
import { ServerLog } from './serverLog.ts';
import { createServerTools, maxStderr, type NamedServer } from './serverTools.ts';
import { StartSteps, wordFact } from './startSteps.ts';

const maxLineLength = 4_000;
/** ms in which a server that writes a banner on stdout sends its first message. */
const bannerMs = 1_000;
/** ms without an answer after which a start needs attention, although it continues. */
const silentMs = 15_000;
/** ms after which a server that did not answer the probe is probed again: it may have been updated. */
const silenceMs = 7 * 86_400_000;

/** A server while the workbench runs: its state, its connection and the registry of its tools. */
export class LiveServer {
  state: ServerRow['state'] = 'stopped';
  since: number;
  /** The present failure; while an attempt runs, that of the attempt before. */
  failure: ServerFailure | undefined;
  retryAt: number | undefined;
  connection: McpConnection | undefined;
  /** Signs in at the server of the last start. */
  authProvider: SignInProvider | undefined;
  readonly listed: Listed;
  /** Masks the secrets of the last start. */
  maskOwn: (text: string) => string = (text) => text;
  revision: string | undefined;
  /** The count of stops, by which a start notices that it was overtaken. */
  turn = 0;
  readonly log = new ServerLog();
  readonly steps = new StartSteps();
  readonly subscriptions: ResourceSubscriptions;
  readonly #deps: LiveServerDeps;
  readonly #retries: Retries;
  /** This is fulfilled once the previous start, its connection and its process have ended. */
  #closing: Promise<unknown> = Promise.resolve();
  /** This is fulfilled once the present start is ready or has ended. */
  #starting: Promise<void> = Promise.resolve();
  /** The reader of the present connection. */
  #reader: ListReader | undefined;
  #running: AbortController | undefined;
  #unregister: (() => void) | undefined;
  #cancelWarning: (() => void) | undefined;
  /** The state before the user was asked to sign in. */
  #interrupted: ServerRow['state'] = 'starting';
  /** The last connection was a legacy one: the next attempt does not probe. */
  #isLegacy = false;

  constructor(deps: LiveServerDeps) {
    this.#deps = deps;
    this.#retries = new Retries(deps.clock, () => deps.onRetry());
    this.listed = new Listed(deps);
    this.since = deps.clock.wall();
    this.subscriptions = createResourceSubscriptions(deps);
  }

  /** Whether it runs, or is on its way to. */
  get isUp(): boolean {
    return this.#running?.signal.aborted === false;
  }

  /** Enters the state in which the user is asked for an approval. */
  ask(): void {
    this.steps.clear();
    this.steps.set('approval', 'pending');
    this.#enter('asking');
  }

  /** Starts the approved server. Returns immediately. */
  start(server: NamedServer, target: StartTarget): void {
    this.#retries.reset();
    this.#isLegacy = this.#deps.clock.wall() < silentUntil(this.#deps.kept(), target.endpoint);
    this.failure = undefined;
    this.#run(server, target);
  }

  /** Ends the connection and the process, and forgets a further attempt. `restarts`: it is started next, so it is not shown as stopped. */
  async stop(restarts = false): Promise<void> {
    this.turn += 1;
    this.#retries.cancel();
    this.#running?.abort();
    this.#running = undefined;
    this.failure = undefined;
    this.steps.clear();
    this.#enter(restarts ? 'starting' : 'stopped');
    await this.#leave();
  }

  /** A log message of the server, or of its App. */
  readonly logMessage: NonNullable<ServerRequestHandlers['log']> = ({ level, logger, data }) =>
    this.#write('message', typeof data === 'string' ? data : JSON.stringify(data), {
      level,
      ...(logger !== undefined && { logger: this.mask(logger).slice(0, 200) }),
    });

  /** Whether it declares this part of a capability, while it is connected. */
  can(capability: string, part?: string): boolean {
    const declared = this.connection?.capabilities[capability];
    return declared !== undefined && (part === undefined || (isJsonObject(declared) && declared[part] === true));
  }

  /** Reads the lists again. Rejects if one cannot be read. */
  async reload(): Promise<void> {
    await Promise.all(Object.values(this.#reader?.() ?? {}));
  }

  #run(server: NamedServer, target: StartTarget): void {
    this.#retries.cancel();
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.steps.clear();
    this.steps.set('approval', 'passed');
    this.#enter('starting');
    const before = this.#leave();
    this.#starting = before
      .then(() => this.#connect(server, target, running.signal))
      .catch((error: unknown) => {
        if (running.signal.aborted) return;
        // The next attempt probes the server.
        if (this.connection === undefined && this.#deps.kept().silent) this.#deps.keepSilent(undefined);
        this.#fail(error);
      });
  }

  async #connect(server: NamedServer, { endpoint, mask }: StartTarget, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const assumesLegacy = this.#isLegacy;
    this.#isLegacy = false;
    this.maskOwn = mask;
    const onState: SignInOptions['onState'] = (state, error) => !signal.aborted && this.#onSignIn(state, error);
    const authProvider = await untilAborted(() => this.#deps.signIn(endpoint, { signal, onState }), signal);
    this.authProvider = authProvider;
    // Its tokens change with each refresh.
    this.maskOwn = (text) => mask(text, authProvider?.secrets());
    const connection = await connectServer({
      endpoint,
      era: this.#deps.kept().era ?? 'auto',
      assumesLegacy,
      clientInfo: { name: 'toolwire', version },
      maxMessageBytes: this.#deps.maxMessageBytes(),
      ...(authProvider && { authProvider }),
      mask: this.maskOwn,
      signal,
      handlers: { ...this.#deps.handlers(), log: this.logMessage },
      extensions: appExtensions,
      observer: observerOf(this.#deps.frames(this.maskOwn), (kind, text, note) => {
        this.#write(kind, text, note && { message: noteMessage(note, (fact) => this.mask(fact)) });
        if (note?.code !== 'junk-on-stdout') return;
        this.steps.junkLines += 1;
        if (note.isFirst) this.#deps.clock.after(bannerMs, () => this.#suspect(note.code, { line: note.line }, signal));
      }),
      onStep: ({ step, outcome, facts }) => {
        if (signal.aborted) return;
        const texts = Object.entries(facts).map((fact) => this.mask(wordFact(fact)));
        this.steps.set(step, outcome, texts);
        if (step === 'process') this.steps.set('initialize', outcome === 'passed' ? 'pending' : 'unreached');
        this.#deps.onChange();
      },
    });
    if (signal.aborted) return connection.close();
    this.connection = connection;
    this.revision = connection.revision;
    this.#isLegacy = connection.era === 'legacy';
    if (connection.ignoredProbe) this.#deps.keepSilent({ endpoint: digestOf(endpoint), at: this.#deps.clock.wall() });
    const connectedAt = this.#deps.clock.now();
    void connection.closed.then((reason) => {
      if (signal.aborted || this.connection !== connection) return;
      this.#retries.noteLoss(connectedAt);
      this.#fail(closeFailure(reason));
    });
    this.steps.set('lists', 'pending');
    await this.#readLists(server, connection, signal);
    signal.throwIfAborted();
    this.steps.set('lists', 'passed');
    const registry = createServerTools({
      server,
      connection,
      tools: () => this.listed.tools,
      mask: (text) => this.mask(text),
      maskOwn: (text) => this.maskOwn(text),
      clock: this.#deps.clock,
      closing: this.#deps.closing,
      consumers: () => this.#deps.kept().consumers,
      isWithheld: (tool) => this.listed.isWithheld(tool),
      onResult: this.#deps.onResult,
    });
    this.#unregister = this.#deps.toolRegistryManager.register(registry);
    this.failure = undefined;
    this.#enter('ready');
    this.#deps.onReady?.();
  }

  /** A sign-in may be needed at the start, and at any request after it. */
  #onSignIn(state: 'waits' | 'steps-up' | 'done' | 'refused', error?: SignInError): void {
    if (state === 'waits' || state === 'steps-up') {
      // The present token is good for other requests.
      if (state === 'steps-up' && this.state === 'ready') return;
      if (this.connection === undefined) this.steps.set('reach', 'passed');
      this.steps.set('sign-in', 'pending');
      this.failure = undefined;
      if (this.state !== 'sign-in') this.#interrupted = this.state;
      this.#enter('sign-in');
    } else if (state === 'done' && this.state === 'sign-in') {
      this.steps.set('sign-in', 'passed');
      this.#enter(this.#interrupted);
    } else if (state === 'refused' && this.connection !== undefined) {
      this.steps.set('sign-in', 'failed');
      this.#fail(new ConnectFailure('unauthorized', error?.message ?? '', { cause: error }));
    }
  }

  /** Resolves once the tools are read. The server needs nothing else to be ready. */
  async #readLists(server: NamedServer, connection: McpConnection, signal: AbortSignal): Promise<void> {
    const onError = (error: unknown): void => {
      // The end of the connection is a separate line.
      const isEnd = signal.aborted || (error instanceof McpError && error.code === 'connection-lost');
      if (!isEnd) this.#write('life', error instanceof Error ? error.message : String(error));
    };
    void this.subscriptions.resume(connection, signal, onError);
    const { logLevel } = this.#deps.kept();
    if (logLevel !== 'off') connection.setLogLevel(logLevel, signal).catch(onError);
    const reader = createListReader({
      connection,
      signal,
      clock: this.#deps.clock,
      onTools: (list) => {
        if (signal.aborted) return;
        this.listed.setTools(list);
        this.#deps.toolRegistryManager.notifyChanged(server.registryId);
      },
      onList: (kind, items) => void this.listed.setList(kind, items, signal),
      onError,
    });
    this.#reader = reader;
    const { tools, ...others } = reader();
    for (const reading of Object.values(others)) reading.catch(onError);
    await tools;
  }

  /** Why a start may not succeed, if it is known before the start has failed. */
  #suspect(code: ConnectFailureCode, params: ConnectFailure['params'], signal?: AbortSignal): void {
    if (this.connection || signal?.aborted) return;
    const error = new ConnectFailure(code, '', { params });
    const stderr = this.log.lines.flatMap(({ kind, at, text }) =>
      kind === 'stderr' && at >= this.since ? [text] : [],
    );
    const message = failureMessage(error, (text) => this.mask(text));
    this.failure = { ...message, stderr: stderr.slice(-maxStderr), isCurrentAttempt: true };
    this.#deps.onChange();
  }

  #fail(error: unknown): void {
    // Whatever else fails now has the same cause.
    this.#running?.abort();
    const message = failureMessage(error, (text) => this.mask(text));
    const stderr = error instanceof ConnectFailure ? error.stderr.slice(-maxStderr).map((line) => this.mask(line)) : [];
    this.failure = { ...message, stderr };
    this.log.fail(this.#lineOf('life', message.text, { message }));
    void this.#leave();
    this.steps.failPending();
    const remedy = remedyOf(error, message);
    const retryAt = remedy === 'retry' ? this.#retries.plan() : undefined;
    this.#enter(remedy === 'sign-in' && this.authProvider ? 'sign-in' : 'failing', retryAt);
  }

  /** The next attempt after a failure, with the delays going on. */
  retry(server: NamedServer, target: StartTarget): void {
    if (this.state === 'failing') this.#run(server, target);
  }

  async #leave(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    this.#reader = undefined;
    this.#unregister?.();
    this.#unregister = undefined;
    const closed = connection?.close().catch((cause: unknown) => this.#deps.onError(cause, 'closing an MCP server'));
    this.#closing = Promise.all([this.#closing, this.#starting, closed]);
    await this.#closing;
  }

  #enter(state: ServerRow['state'], retryAt?: number): void {
    const now = this.#deps.clock.wall();
    this.#cancelWarning?.();
    const warnIfSilent = (): void => {
      if (!this.failure) this.#suspect('no-answer', { limitMs: silentMs });
    };
    this.#cancelWarning = state === 'starting' ? this.#deps.clock.after(silentMs, warnIfSilent) : undefined;
    if (state === 'ready' && this.state === 'starting') this.steps.startMs = now - this.since;
    this.state = state;
    this.retryAt = retryAt;
    this.since = now;
    this.#deps.onChange();
  }

  /** Its own secrets before the text is cut, so that no part of one is left at the end. */
  mask(text: string): string {
    return maskSecrets(this.maskOwn(text).slice(0, maxLineLength));
  }

  #write(kind: ServerLogLine['kind'], text: string, of: LineDetails = {}): void {
    this.log.write(this.#lineOf(kind, text, of));
    this.#deps.onChange();
  }

  #lineOf(kind: ServerLogLine['kind'], text: string, of: LineDetails): ServerLogLine {
    return { at: this.#deps.clock.wall(), kind, text: this.mask(text), ...of };
  }
}

type LineDetails = Pick<ServerLogLine, 'level' | 'logger' | 'message'>;

export interface LiveServerDeps {
  closing: AbortSignal;
  clock: Clock;
  /** Records the frames of a start. */
  frames: (mask: (text: string) => string) => McpFrames;
  toolRegistryManager: ToolRegistryManager;
  handlers: () => ServerRequestHandlers;
  /** The limit of one message, for the next connection. */
  maxMessageBytes: () => number | undefined;
  /** The stored configuration: it may have changed since the start was requested. */
  kept: () => Pick<KeptServer, 'logLevel' | 'silent' | 'era'> & { consumers: readonly ToolConsumer[] | undefined };
  /** Keeps that its endpoint did not answer the probe: further starts do not wait for it. */
  keepSilent: (silent: KeptServer['silent']) => void;
  /** Returns what signs in at the server; undefined if its transport has no sign-in. */
  signIn: (
    endpoint: ServerEndpoint,
    options: Pick<SignInOptions, 'signal' | 'onState'>,
  ) => Promise<SignInProvider | undefined>;
  /** Which of its definitions are not accepted. */
  check: (tools: readonly ListedTool[]) => DefinitionChange[];
  onChange: () => void;
  /** Its tools can be called. */
  onReady?: () => void;
  /** A result of a call as it was received. */
  onResult?: (callId: string, definition: JsonObject, result: JsonObject) => void;
  /** The next attempt is due. */
  onRetry: () => void;
  onError: (error: unknown, where: string) => void;
}

/** When the server is probed again, if it is started at this endpoint; 0 if it has answered the last probe there. */
export function silentUntil({ silent }: Pick<KeptServer, 'silent'>, endpoint: ServerEndpoint): number {
  return silent?.endpoint === digestOf(endpoint) ? silent.at + silenceMs : 0;
}

function digestOf(endpoint: ServerEndpoint): string {
  return createHash('sha256').update(JSON.stringify(endpoint)).digest('hex');
}

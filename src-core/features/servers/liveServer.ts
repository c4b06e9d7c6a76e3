import { maskSecrets } from '../../base/maskSecrets.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Clock } from '../../base/clock.ts';
import type { ToolConsumer } from '../../base/toolTypes.ts';
import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import type {
  DefinitionChange,
  ServerDetail,
  ServerFailure,
  ServerLogLevel,
  ServerLogLine,
  ServerRow,
  ServerStep,
  ServerStepView,
} from '../../contract/servers.ts';
import { appExtensions } from '../../mcp/apps/appMeta.ts';
import type { SignInOptions } from '../../mcp/auth/createSignInProvider.ts';
import type { SignInError, SignInProvider } from '../../mcp/auth/types.ts';
import { connectServer } from '../../mcp/connectServer.ts';
import { ConnectFailure, McpError } from '../../mcp/errors.ts';
import type {
  KnownEra,
  ListedTool,
  ListFault,
  McpConnection,
  ServerEndpoint,
  ServerRequestHandlers,
} from '../../mcp/types.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import type { KeptServer } from './serverBook.ts';
import type { FrameLog } from '../frames/frameLog.ts';
import { createMcpFrames, observerOf } from '../frames/mcp/mcpFrames.ts';
import { createListReader, noneIfUnknown, type ServerLists } from './readLists.ts';
import { closeFailure, failureMessage, finalFailures } from './failureMessage.ts';
import type { StartTarget } from './serverSecrets.ts';
import { createServerTools } from './serverTools.ts';

const maxLines = 500;
const maxLineLength = 4_000;
/** The longest ms before each further attempt after a connection was lost or could not be made; the last one repeats. */
const retryMs = [500, 2_000, 5_000, 15_000, 60_000];
/** ms of a connection after which the delays begin anew. */
const steadyMs = 60_000;

const maxSubscriptions = 100;

/** A server while the workbench runs: its state, its connection and the registry of its tools. */
export class LiveServer {
  state: ServerRow['state'] = 'stopped';
  since: number;
  failure: ServerFailure | undefined;
  retryAt: number | undefined;
  connection: McpConnection | undefined;
  tools: readonly ListedTool[] = [];
  faults: readonly ListFault[] = [];
  /** Tools whose definitions are not accepted. */
  changes: readonly DefinitionChange[] = [];
  counts = { tools: 0, resources: 0, prompts: 0 };
  lists: ServerLists = { resources: [], templates: [], prompts: [] };
  revision: string | undefined;
  /** Increases with each stop, so that a start that was overtaken can tell. */
  turn = 0;
  readonly log: ServerLogLine[] = [];
  readonly #subscriptions = new Map<string, ServerDetail['subscriptions'][number]>();
  readonly #steps = new Map<ServerStep, Pick<ServerStepView, 'outcome' | 'facts'>>();
  readonly #deps: LiveServerDeps;
  /** Fulfilled once the previous connection and its process have ended. */
  #closing: Promise<void> = Promise.resolve();
  #withheld = new Set<string>();
  /** Masks the secrets of the last start. */
  #maskOwn: (text: string) => string = (text) => text;
  /** Reads the lists of the present connection. */
  #read: (() => Promise<void>) | undefined;
  #running: AbortController | undefined;
  #unregister: (() => void) | undefined;
  #cancelRetry: (() => void) | undefined;
  #attempts = 0;
  /** The state before the user was asked to sign in. */
  #interrupted: ServerRow['state'] = 'starting';
  #knownEra: { era: KnownEra; endpoint: string } | undefined;

  constructor(deps: LiveServerDeps) {
    this.#deps = deps;
    this.since = deps.clock.wall();
  }

  get step(): ServerStep | undefined {
    return [...this.#steps].findLast(([, { outcome }]) => outcome === 'pending')?.[0];
  }

  stepsOf({ config }: KeptServer): ServerStepView[] {
    const reach = config.type === 'stdio' ? (['program', 'process'] as const) : (['reach'] as const);
    const signIn = this.#steps.has('sign-in') ? (['sign-in'] as const) : [];
    return (['approval', ...reach, ...signIn, 'initialize', 'lists'] as const).map((step) => ({
      step,
      ...(this.#steps.get(step) ?? { outcome: 'unreached', facts: [] }),
    }));
  }

  /** Waits for the user's approval. */
  ask(): void {
    this.#steps.clear();
    this.#steps.set('approval', { outcome: 'pending', facts: [] });
    this.#enter('asking');
  }

  /** Starts the approved server. Returns at once. */
  start(server: KeptServer, target: StartTarget): void {
    this.#attempts = 0;
    this.#run(server, target);
  }

  /** Ends the connection and the process, and forgets a further attempt. */
  async stop(): Promise<void> {
    this.turn += 1;
    this.#cancelRetry?.();
    this.#running?.abort();
    this.#running = undefined;
    this.failure = undefined;
    this.#steps.clear();
    this.#enter('stopped');
    await this.#leave();
  }

  /** A log message of the server, or of its App. */
  readonly logMessage: NonNullable<ServerRequestHandlers['log']> = ({ level, logger, data }) =>
    this.#write('message', typeof data === 'string' ? data : JSON.stringify(data), {
      level,
      ...(logger !== undefined && { logger: this.#mask(logger.slice(0, 200)) }),
    });

  get subscriptions(): ServerDetail['subscriptions'] {
    return [...this.#subscriptions.values()];
  }

  /** Whether it declares this part of a capability, while it is connected. */
  can(capability: string, part?: string): boolean {
    const declared = this.connection?.capabilities[capability];
    return declared !== undefined && (part === undefined || (isJsonObject(declared) && declared[part] === true));
  }

  /** Starts or ends the reports of changes of a resource. */
  async subscribe(connection: McpConnection, uri: string, isOn: boolean, signal: AbortSignal): Promise<void> {
    if (isOn && this.#subscriptions.size >= maxSubscriptions)
      throw new RequestError(localize('servers.tooManySubscriptions', { most: maxSubscriptions }));
    if (isOn) {
      await connection.subscribe(uri, signal);
      this.#subscriptions.set(uri, this.#subscriptions.get(uri) ?? { uri, updates: 0 });
    } else {
      this.#subscriptions.delete(uri);
      await connection.unsubscribe(uri, signal);
    }
    this.#deps.onChange();
  }

  /** Reads the lists again. Rejects if the connection fails. */
  async reload(): Promise<void> {
    await this.#read?.();
  }

  /** Reads the tools, resources, templates and prompts. */
  async #readLists(signal: AbortSignal): Promise<void> {
    const { connection } = this;
    if (connection === undefined) return;
    const [{ tools, faults }, resources, templates, prompts] = await Promise.all([
      connection.listTools(signal),
      connection.listResources(signal),
      connection.listResourceTemplates(signal).catch(noneIfUnknown),
      connection.listPrompts(signal),
    ]);
    const names = new Set<string>();
    // The first of a name is the one that a call reaches.
    this.tools = tools.filter(({ name }) => !names.has(name) && names.add(name));
    this.faults = faults;
    this.checkDefinitions();
    this.lists = { resources, templates, prompts };
    this.counts = { tools: this.tools.length, resources: resources.length, prompts: prompts.length };
    this.#deps.onChange();
  }

  /** Finds out which tools are withheld. */
  checkDefinitions(): void {
    this.changes = this.#deps.check(this.tools);
    this.#withheld = new Set(this.changes.map(({ tool }) => tool));
  }

  #run(server: KeptServer, target: StartTarget): void {
    this.#cancelRetry?.();
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.failure = undefined;
    this.#steps.clear();
    this.#pass('approval');
    this.#enter('starting');
    void this.#connect(server, target, running.signal).catch((error: unknown) => {
      if (running.signal.aborted) return;
      this.#fail(error);
    });
  }

  async #connect(server: KeptServer, { endpoint, mask }: StartTarget, signal: AbortSignal): Promise<void> {
    await this.#leave();
    const key = JSON.stringify(endpoint);
    const known = this.#knownEra?.endpoint === key ? this.#knownEra.era : undefined;
    this.#maskOwn = mask;
    const frames = createMcpFrames({ ...this.#deps, source: 'mcp', connection: server.id, mask });
    const onState: SignInOptions['onState'] = (state, error) => !signal.aborted && this.#onSignIn(state, error);
    const authProvider = await this.#deps.signIn(server, endpoint, { signal, onState });
    const connection = await connectServer({
      endpoint,
      era: 'auto',
      ...(known && { knownEra: known }),
      clientInfo: { name: 'toolwire', version: '0.1.0' },
      ...(authProvider && { authProvider }),
      signal,
      handlers: {
        ...this.#deps.handlersOf(server),
        log: (message) => this.logMessage(message),
      },
      extensions: appExtensions,
      observer: observerOf(frames, (kind, text) => this.#write(kind, text)),
      onStep: ({ step, outcome, facts }) => {
        this.#steps.set(step, { outcome, facts: Object.values(facts).map((fact) => this.#mask(String(fact))) });
        this.#deps.onChange();
      },
    });
    if (signal.aborted) return connection.close();
    this.connection = connection;
    this.revision = connection.revision;
    this.#knownEra = { era: connection.knownEra, endpoint: key };
    const connectedAt = this.#deps.clock.now();
    void connection.closed.then((reason) => {
      if (signal.aborted || this.connection !== connection) return;
      if (this.#deps.clock.now() - connectedAt >= steadyMs) this.#attempts = 0;
      this.#fail(closeFailure(reason));
    });
    this.#steps.set('lists', { outcome: 'pending', facts: [] });
    // Before the first list, so that no change between the list and the state `ready` is missed.
    const read = (this.#read = createListReader(() => this.#readLists(signal), signal));
    connection.onListChanged(() => {
      read()
        .then(() => this.#deps.toolRegistryManager.notifyChanged(server.registryId))
        .catch((error: unknown) => this.#write('life', error instanceof Error ? error.message : String(error)));
    });
    await this.#resume(connection, server.logLevel, signal);
    await read();
    signal.throwIfAborted();
    this.#pass('lists');
    const registry = createServerTools({
      server,
      connection,
      tools: () => this.tools,
      consumersOf: (tool) => (this.#withheld.has(tool) ? [] : this.#deps.consumers()),
      onResult: this.#deps.onResult,
    });
    this.#unregister = this.#deps.toolRegistryManager.register(registry);
    this.#enter('ready');
  }

  /** A sign-in may be needed at the start, and at any request after it. */
  #onSignIn(state: 'waits' | 'done' | 'refused', error?: SignInError): void {
    if (state === 'waits') {
      if (this.connection === undefined) this.#pass('reach');
      this.#steps.set('sign-in', { outcome: 'pending', facts: [] });
      this.#interrupted = this.state;
      this.#enter('sign-in');
    } else if (state === 'done' && this.state === 'sign-in') {
      this.#pass('sign-in');
      this.#enter(this.#interrupted);
    } else if (state === 'refused' && this.connection !== undefined) {
      this.#steps.set('sign-in', { outcome: 'failed', facts: [] });
      this.#fail(new ConnectFailure('unauthorized', error?.message ?? '', { cause: error }));
    }
  }

  /** Sets the log level, and subscribes to what the earlier connection was subscribed to. */
  async #resume(connection: McpConnection, level: ServerLogLevel, signal: AbortSignal): Promise<void> {
    const noted = (error: unknown): void => {
      if (!signal.aborted) this.#write('life', error instanceof Error ? error.message : String(error));
    };
    connection.onResourceUpdated((uri) => {
      const known = this.#subscriptions.get(uri);
      if (known === undefined) return;
      this.#subscriptions.set(uri, { uri, updates: known.updates + 1, updatedAt: this.#deps.clock.wall() });
      this.#deps.onChange();
    });
    if (level !== 'off') await connection.setLogLevel(level, signal).catch(noted);
    for (const uri of this.#subscriptions.keys()) {
      await connection.subscribe(uri, signal).catch((error: unknown) => {
        this.#subscriptions.delete(uri);
        noted(error);
      });
    }
  }

  #fail(error: unknown): void {
    // Whatever else fails now has the same cause.
    this.#running?.abort();
    const message = failureMessage(error, (text) => this.#mask(text));
    this.failure = {
      ...message,
      stderr: error instanceof ConnectFailure ? error.stderr.slice(-20).map((line) => this.#mask(line)) : [],
    };
    this.#write('life', message.text);
    void this.#leave();
    const code = error instanceof ConnectFailure || error instanceof McpError ? error.code : '';
    for (const [step, { outcome, facts }] of this.#steps)
      if (outcome === 'pending') this.#steps.set(step, { outcome: 'failed', facts });
    if (!finalFailures.has(code)) {
      const longest = retryMs[Math.min(this.#attempts, retryMs.length - 1)] ?? 0;
      // Spreads the retries of servers that failed together.
      const delay = longest * (0.8 + 0.2 * Math.random());
      this.#attempts += 1;
      this.retryAt = this.#deps.clock.wall() + delay;
      this.#cancelRetry = this.#deps.clock.after(delay, () => this.#deps.onRetry());
    }
    this.#enter(code === 'unauthorized' ? 'sign-in' : 'failing', this.retryAt);
  }

  /** The next attempt after a failure, with the delays going on. */
  retry(server: KeptServer, target: StartTarget): void {
    if (this.state === 'failing') this.#run(server, target);
  }

  async #leave(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    this.#read = undefined;
    this.#unregister?.();
    this.#unregister = undefined;
    if (connection !== undefined)
      this.#closing = connection.close().catch((cause: unknown) => this.#deps.onError(cause, 'closing an MCP server'));
    await this.#closing;
  }

  #pass(step: ServerStep): void {
    this.#steps.set(step, { outcome: 'passed', facts: [] });
  }

  #enter(state: ServerRow['state'], retryAt?: number): void {
    this.state = state;
    this.retryAt = retryAt;
    this.since = this.#deps.clock.wall();
    this.#deps.onChange();
  }

  /** Its own secrets before the text is cut, so that no part of one is left at the end. */
  #mask(text: string): string {
    return maskSecrets(this.#maskOwn(text).slice(0, maxLineLength));
  }

  #write(kind: ServerLogLine['kind'], text: string, of: Pick<ServerLogLine, 'level' | 'logger'> = {}): void {
    this.log.push({ at: this.#deps.clock.wall(), kind, text: this.#mask(text), ...of });
    if (this.log.length > maxLines) this.log.shift();
    this.#deps.onChange();
  }
}

interface LiveServerDeps {
  clock: Clock;
  frames: Pick<FrameLog, 'add'>;
  toolRegistryManager: ToolRegistryManager;
  handlersOf: (server: KeptServer) => ServerRequestHandlers;
  /** Who is offered its tools. */
  consumers: () => readonly ToolConsumer[];
  /** Returns what signs in at the server; undefined if its transport has no sign-in. */
  signIn: (
    server: KeptServer,
    endpoint: ServerEndpoint,
    options: Pick<SignInOptions, 'signal' | 'onState'>,
  ) => Promise<SignInProvider | undefined>;
  /** Which of its definitions are not accepted. */
  check: (tools: readonly ListedTool[]) => DefinitionChange[];
  onChange: () => void;
  /** A result of a call as it came. */
  onResult: (callId: string, definition: JsonObject, result: JsonObject) => void;
  /** The next attempt is due. */
  onRetry: () => void;
  onError: (error: unknown, where: string) => void;
}

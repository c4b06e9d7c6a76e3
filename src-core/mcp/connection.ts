import { isDestructive } from '../base/isDestructive.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { logLevels } from '../base/logLevels.ts';
import { requireResult, toCallAnswer } from './checkResult.ts';
import { createDeadline, type Deadline, type DeadlineOptions } from './createDeadline.ts';
import { McpError } from './errors.ts';
import { explainRequestError } from './explainRequestError.ts';
import { fulfilInputs } from './fulfilInputs.ts';
import { createListeners } from './listeners.ts';
import type { Link } from './openLink.ts';
import { createPages, tooManyRounds } from './openPages.ts';
import { parameterHeaders } from './parameterHeaders.ts';
import { objectsOf, readTools } from './readTools.ts';
import { readPages } from './readPages.ts';
import { Session, type SessionOptions } from './session.ts';
import { listenToChanges, type Subscriptions } from './subscriptions.ts';
import { FollowedTasks, needsTask, readStartedTask, type TaskConnection } from './tasks.ts';
import type {
  CallOptions,
  CallToolAnswer,
  CallToolOptions,
  CloseReason,
  ConnectOptions,
  ListedTool,
  ListKind,
  McpConnection,
  ServerRequestHandlers,
} from './types.ts';

const listTimes: DeadlineOptions = { timeoutMs: 60_000, maxTotalMs: 300_000 };
/** The limit of one message, and of all pages of a list. */
export const defaultMaxBytes = 64 * 1024 * 1024;
const defaultRounds = 10;
const logLevelKey = 'io.modelcontextprotocol/logLevel';

interface AskOptions {
  headers?: Record<string, string> | undefined;
  isReadOnly?: boolean;
  /** The deadline of several requests, which the caller clears. */
  deadline?: Deadline;
  /** The deadline of the call that the request is a part of. */
  callDeadline?: Deadline;
}

interface ConnectionParts {
  options: ConnectOptions;
  link: Link;
  /** Closes the link whose session the server has forgotten, and opens another. */
  reopen: SessionOptions['reopen'];
  closed: Promise<CloseReason>;
  close(): Promise<void>;
}

/** A connection over one session after the other. */
export class Connection implements McpConnection {
  readonly closed: Promise<CloseReason>;
  readonly close: () => Promise<void>;
  readonly #options: ConnectOptions;
  readonly #session: Session;
  readonly #listChanged = createListeners<[ListKind]>('A listener of changed lists');
  readonly #updated = createListeners<[string]>('A listener of changed resources');
  readonly #notified = createListeners<[string, JsonObject]>('A listener of notifications');
  readonly #tasks = new FollowedTasks();
  /** The tools of the last list: a call over HTTP needs their schemas. */
  #tools = new Map<string, ListedTool>();
  #listening: Subscriptions | undefined;
  /** URIs that are subscribed to at a legacy server. */
  readonly #uris = new Set<string>();
  #logLevel: string | undefined;
  /** Aborts once the connection has ended. */
  readonly #ended = new AbortController();

  constructor({ options, link, reopen, closed, close }: ConnectionParts) {
    this.#options = options;
    const { authProvider } = options;
    this.#session = new Session({ link, reopen, authProvider, onReopened: () => this.#restore() });
    this.closed = closed;
    void closed.then(() => this.#ended.abort());
    this.close = async () => {
      this.#listening?.close();
      await this.#tasks.cancelled();
      await close();
    };
    this.#listen();
  }

  get #link(): Link {
    return this.#session.link;
  }
  get era(): McpConnection['era'] {
    return this.#link.era;
  }
  get revision(): string {
    return this.#link.revision;
  }
  get ignoredProbe(): boolean {
    return this.#link.ignoredProbe;
  }
  get capabilities(): JsonObject {
    return (this.#link.client.getServerCapabilities() ?? {}) as JsonObject;
  }
  get serverInfo(): McpConnection['serverInfo'] {
    return this.#link.client.getServerVersion() as McpConnection['serverInfo'];
  }
  get instructions(): string | undefined {
    return this.#link.client.getInstructions();
  }
  get pid(): number | undefined {
    return this.#link.transport.pid ?? undefined;
  }

  async listTools(signal: AbortSignal): ReturnType<McpConnection['listTools']> {
    const isHttp = this.era === 'modern' && this.#options.endpoint.type === 'http';
    const list = readTools(await this.#list('tools', 'tools/list', 'tools', signal), { isHttp });
    this.#tools = new Map(list.tools.toReversed().map((tool) => [tool.name, tool]));
    return list;
  }

  async callTool(name: string, args: JsonObject, options: CallToolOptions): Promise<CallToolAnswer> {
    const tool = this.#tools.get(name);
    const headers = this.era === 'modern' && tool ? parameterHeaders(tool.inputSchema, args) : undefined;
    const isReadOnly = tool?.annotations?.['readOnlyHint'] === true && !isDestructive(tool.annotations);
    const asTask = this.era === 'legacy' && (options.asTask ?? needsTask(tool));
    const params = { name, arguments: args, ...(asTask && { task: {} }) };
    const result = await this.#ask('tools/call', params, options, { headers, isReadOnly });
    const started = readStartedTask(result, this.era);
    if (!started) return toCallAnswer(result);
    options.onTask?.(started);
    return this.resumeTask(started.taskId, options);
  }

  async resumeTask(taskId: string, options: CallToolOptions): Promise<CallToolAnswer> {
    const { era } = this;
    const handlers = this.#handlersOf(options);
    const ask: TaskConnection['ask'] = (...request) => this.#ask(...request);
    return toCallAnswer(await this.#tasks.follow({ era, handlers, ask, ended: this.#ended.signal }, taskId, options));
  }

  async listResources(signal: AbortSignal): Promise<JsonObject[]> {
    return objectsOf(await this.#list('resources', 'resources/list', 'resources', signal));
  }

  async listResourceTemplates(signal: AbortSignal): Promise<JsonObject[]> {
    return objectsOf(await this.#list('resources', 'resources/templates/list', 'resourceTemplates', signal));
  }

  async listPrompts(signal: AbortSignal): Promise<JsonObject[]> {
    return objectsOf(await this.#list('prompts', 'prompts/list', 'prompts', signal));
  }

  async readResource(uri: string, options: CallOptions): Promise<JsonObject> {
    return requireResult('resources/read', await this.#ask('resources/read', { uri }, options));
  }

  async getPrompt(name: string, args: Record<string, string>, options: CallOptions): Promise<JsonObject> {
    return requireResult('prompts/get', await this.#ask('prompts/get', { name, arguments: args }, options));
  }

  async complete(
    ref: Parameters<McpConnection['complete']>[0],
    argument: { name: string; value: string },
    known: Record<string, string>,
    signal: AbortSignal,
  ): ReturnType<McpConnection['complete']> {
    const context = Object.keys(known).length > 0 && { context: { arguments: known } };
    const params = { ref: { ...ref }, argument, ...context };
    const { completion } = await this.#ask('completion/complete', params, { ...listTimes, signal });
    if (!isJsonObject(completion)) throw new McpError('invalid-answer', 'The answer has no completion.');
    const { values, total, hasMore } = completion;
    return {
      values: Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [],
      ...(typeof total === 'number' && { total }),
      ...(typeof hasMore === 'boolean' && { hasMore }),
    };
  }

  async subscribe(uri: string, signal: AbortSignal): Promise<void> {
    if (this.#listening) return this.#listening.add(uri);
    await this.#ask('resources/subscribe', { uri }, { ...listTimes, signal });
    this.#uris.add(uri);
  }

  async unsubscribe(uri: string, signal: AbortSignal): Promise<void> {
    if (this.#listening) return this.#listening.remove(uri);
    this.#uris.delete(uri);
    await this.#ask('resources/unsubscribe', { uri }, { ...listTimes, signal });
  }

  async setLogLevel(level: string, signal: AbortSignal): Promise<void> {
    this.#logLevel = level === 'off' ? undefined : level;
    // Legacy has no level for none; the messages are dropped instead.
    if (this.era === 'legacy' && this.#logLevel && 'logging' in this.capabilities)
      await this.#ask('logging/setLevel', { level }, { ...listTimes, signal });
  }

  async ping(signal: AbortSignal): Promise<void> {
    await this.#ask(this.era === 'modern' ? 'server/discover' : 'ping', {}, { ...listTimes, signal });
  }

  async sendRootsChanged(): Promise<void> {
    if (this.era !== 'legacy') return;
    const { client, transport } = this.#link;
    await client.notification({ method: 'notifications/roots/list_changed' }).catch((error: unknown) => {
      throw explainRequestError(error, { transport, mask: this.#options.mask });
    });
  }

  request(method: string, params: JsonObject, options: CallOptions): Promise<JsonObject> {
    return this.#ask(method, params, options);
  }

  onListChanged(listener: (kind: ListKind) => void): () => void {
    return this.#listChanged.add(listener);
  }
  onResourceUpdated(listener: (uri: string) => void): () => void {
    return this.#updated.add(listener);
  }
  onNotification(listener: (method: string, params: JsonObject) => void): () => void {
    return this.#notified.add(listener);
  }

  /** All items of all pages. None if the server does not have the capability: some answer with an error then. */
  async #list(capability: ListKind, method: string, member: string, signal: AbortSignal): Promise<JsonValue[]> {
    if (!(capability in this.capabilities)) return [];
    const deadline = createDeadline(listTimes);
    const ask = (params: JsonObject): Promise<JsonObject> =>
      this.#ask(method, params, { ...listTimes, signal }, { deadline }).finally(() => deadline.restart());
    try {
      return await readPages({ ask, method, member, maxLength: this.#options.maxMessageBytes ?? defaultMaxBytes });
    } finally {
      deadline.clear();
    }
  }

  /** What the server asks during a call is withdrawn once the connection has ended. */
  #handlersOf({ user }: Pick<CallOptions, 'user'>): ServerRequestHandlers {
    const { elicit, sample, ...others } = this.#options.handlers;
    const orEnded = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, this.#ended.signal]);
    return {
      ...others,
      ...(elicit && {
        elicit: (params, signal) => user?.elicit(params, orEnded(signal)) ?? elicit(params, orEnded(signal)),
      }),
      ...(sample && { sample: (params, signal) => sample(params, orEnded(signal)) }),
    };
  }

  /** One request, with the rounds of input that the server may need. */
  async #ask(
    method: string,
    params: JsonObject,
    options: CallOptions,
    { headers, isReadOnly = false, deadline: given, callDeadline }: AskOptions = {},
  ): Promise<JsonObject> {
    const { onProgress = () => undefined, meta } = options;
    const deadline = given ?? createDeadline(options);
    const isLong = ['tools/call', 'resources/read', 'prompts/get'].includes(method);
    const base = meta ? { ...params, _meta: meta } : params;
    const maxRounds = this.#options.maxInputRounds ?? defaultRounds;
    const handlers = this.#handlersOf(options);
    const asking = { connection: this, handlers, options, ended: this.#ended.signal, deadline, maxRounds };
    // The outcome of a task cannot change.
    const mayNeedPages = this.era === 'legacy' && !method.startsWith('tasks/');
    const pages = mayNeedPages ? createPages({ ...asking, retryMs: this.#options.pageRetryMs }) : undefined;
    try {
      let inputs: JsonObject = {};
      for (let round = 0; ; round++) {
        const sent = this.#withLogLevel({ ...base, ...inputs });
        const request = { ...options, onProgress: isLong ? onProgress : undefined, deadline, callDeadline, headers };
        const send = () => this.#session.send(method, sent, request, isReadOnly);
        const answer = await (pages?.(send) ?? send());
        if (this.era === 'legacy' || answer['resultType'] !== 'input_required') return answer;
        if (round === maxRounds) throw tooManyRounds(maxRounds);
        deadline.pause();
        inputs = await fulfilInputs(answer, handlers, options);
        deadline.resume();
      }
    } finally {
      if (given === undefined) deadline.clear();
    }
  }

  /** What the server knew of the session before. */
  #restore(): void {
    for (const uri of this.#uris) void this.subscribe(uri, this.#options.signal).catch(() => this.#uris.delete(uri));
    if (this.#logLevel) void this.setLogLevel(this.#logLevel, this.#options.signal).catch(() => undefined);
    this.#announceAll();
  }

  #announceAll(): void {
    for (const kind of ['tools', 'prompts', 'resources'] as const)
      if (kind in this.capabilities) this.#listChanged.call(kind);
  }

  #listen(): void {
    if (this.era === 'modern')
      this.#listening = listenToChanges(this.#link, this.capabilities, {
        onGap: () => this.#announceAll(),
        signIn: async (signal) => this.#options.authProvider?.signIn(signal),
      });
  }

  #withLogLevel(params: JsonObject): JsonObject {
    if (this.era === 'legacy' || !this.#logLevel) return params;
    const meta = isJsonObject(params['_meta']) ? params['_meta'] : {};
    return { ...params, _meta: { [logLevelKey]: this.#logLevel, ...meta } };
  }

  /** Passes a notification of the server on to the listeners. */
  notify(method: string, params: JsonObject): void {
    const list = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(method)?.[1];
    if (list !== undefined) this.#listChanged.call(list as ListKind);
    else if (method === 'notifications/resources/updated') this.#updated.call(String(params['uri']));
    else if (method === 'notifications/message') this.#log(params);
    else this.#notified.call(method, params);
  }

  #log({ level, logger, data }: JsonObject): void {
    const rank = (name: unknown): number => logLevels.findIndex((known) => known === name);
    const least = rank(this.#logLevel);
    if (least === -1 || typeof level !== 'string' || rank(level) < least) return;
    this.#options.handlers.log?.({ level, ...(typeof logger === 'string' && { logger }), data: data ?? null });
  }
}

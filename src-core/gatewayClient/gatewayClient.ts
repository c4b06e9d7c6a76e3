import type { RegisteredTool } from '../features/gateway/messages.ts';
import { OneAfterAnother } from '../base/oneAfterAnother.ts';
import { Answers, type RequestKind } from './answers.ts';
import { openConnection, type Connection } from './connection.ts';
import { GatewayConnectionError, GatewayRequestError, GatewayTimeoutError } from './errors.ts';
import type { GatewaySocket } from './gatewaySocket.ts';
import type { ChatAnswer, ClientTool, GatewayConfiguration, GatewayMessage } from './messages.ts';

/** What a client is made with. */
export interface GatewayClientOptions {
  /** `ws://host:9400`. */
  url: string;
  /** Makes the socket; the platform's own `WebSocket` by default (browsers, Node 22 and newer). */
  createSocket?: (url: string) => GatewaySocket;
  /** Connects again after a connection was lost, with the same session, tools and configuration. Off by default. */
  reconnect?: boolean | { minDelayMs?: number; maxDelayMs?: number };
  /** ms for everything but questions, which take as long as the model does; 10,000 by default. */
  requestTimeoutMs?: number;
  /** Every message of the gateway, as it comes. */
  onMessage?: (message: GatewayMessage) => void;
  onState?: (state: GatewayClientState, reason: string) => void;
}

/** `waiting`: between two attempts. After `closed` only a connection that was lost can be made again. */
export type GatewayClientState = 'idle' | 'connecting' | 'connected' | 'waiting' | 'closed';

/** How one request is steered. */
export interface RequestOptions {
  /** Stops waiting; rejects with its reason. The protocol has no word that stops the gateway's own work. */
  signal?: AbortSignal | undefined;
}

/** The waits between two attempts that docs/protocols/gateway.md#limits asks for, ms. */
const usualDelays = { minDelayMs: 1_000, maxDelayMs: 5_000 };

/**
 * A client of an LLM gateway (docs/gateway-client.md). Requests may be made at any time and from anywhere; they are
 * sent so that each gets its own answer. All reject with a `GatewayRequestError`, a `GatewayConnectionError`, a
 * `GatewayTimeoutError`, or the signal's reason.
 */
export class GatewayClient {
  readonly #options: GatewayClientOptions;
  readonly #answers: Answers;
  readonly #runner = new ToolRunner();
  readonly #chats = new OneAfterAnother();
  readonly #requests = new OneAfterAnother();
  readonly #closed = new AbortController();
  #state: GatewayClientState = 'idle';
  #connection: Connection | undefined;
  #connecting: Promise<void> | undefined;
  #sessionId: string | undefined;
  #configuration: GatewayConfiguration = {};

  constructor(options: GatewayClientOptions) {
    this.#options = options;
    this.#answers = new Answers({
      onSession: (sessionId) => (this.#sessionId = sessionId),
      onTurnFailed: () => this.#runner.abort(new Error('The turn has failed.'), 'turn'),
    });
  }

  get state(): GatewayClientState {
    return this.#state;
  }

  /** The session this client is in; undefined before the first connection and after `endSession`. */
  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  /** Resolves once the gateway has said `connected`. With `reconnect` it tries until it can, or is closed. */
  connect({ signal }: RequestOptions = {}): Promise<void> {
    if (this.#connection !== undefined && this.#connecting === undefined) return Promise.resolve();
    this.#connecting ??= this.#open(signal).finally(() => (this.#connecting = undefined));
    return this.#connecting;
  }

  /**
   * Asks a question; resolves with its answer. Questions wait for one another. `onMessage` is called with each message until then.
   */
  async chat(
    text: string,
    { signal, onMessage }: RequestOptions & { onMessage?: (message: GatewayMessage) => void } = {},
  ): Promise<ChatAnswer> {
    if (text.trim() === '') throw new TypeError('A question needs a text.');
    const answered = this.#chats.run(async () => {
      signal?.throwIfAborted();
      const { answer } = await this.#requests.run(() => this.#ask(text, onMessage));
      return answer;
    });
    return orAborted(answered, signal);
  }

  /**
   * Registers tools; their handlers are called when the model asks for them. Resolves with what became of each: one
   * that failed says why and is not kept.
   */
  async registerTools(tools: readonly ClientTool[], options: RequestOptions = {}): Promise<RegisteredTool[]> {
    const fresh = tools.filter(({ name }) => !this.#runner.tools.has(name));
    // Before they are registered: the first call may come with the confirmation.
    for (const tool of fresh) this.#runner.tools.set(tool.name, tool);
    try {
      const registered = await this.#register(tools, options);
      for (const { name } of fresh) {
        if (!registered.some((each) => each.name === name && each.status === 'registered'))
          this.#runner.tools.delete(name);
      }
      return registered;
    } catch (error) {
      for (const { name } of fresh) this.#runner.tools.delete(name);
      throw error;
    }
  }

  /** Changes what it names, for this connection. The gateway says nothing to it, unless a value is bad. */
  configure(configuration: GatewayConfiguration): void {
    this.#send(wireConfiguration(configuration));
    this.#configuration = { ...this.#configuration, ...configuration };
  }

  /** Starts a session, or goes on in one; resolves with its id. */
  async startSession(sessionId?: string, options: RequestOptions = {}): Promise<string> {
    await this.#request('start_session', sessionId === undefined ? {} : { session_id: sessionId }, options);
    return this.#sessionId ?? '';
  }

  /** Ends the session. The next question starts another. */
  async endSession(options: RequestOptions = {}): Promise<void> {
    await this.#request('end_session', {}, options);
    this.#sessionId = undefined;
  }

  /** Resolves with the ms that the answer took. */
  async ping({ signal }: RequestOptions = {}): Promise<number> {
    signal?.throwIfAborted();
    const sentAt = performance.now();
    this.#send({ type: 'ping' });
    await orAborted(within(this.#answers.ping(), this.#timeoutMs, 'ping'), signal);
    return performance.now() - sentAt;
  }

  /** Ends the connection, for good. Whatever waits is rejected. */
  close(): void {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort(new GatewayConnectionError('This client was closed.', 1000));
    this.#connection?.close();
    this.#become('closed', 'closed here');
  }

  get #timeoutMs(): number {
    return this.#options.requestTimeoutMs ?? 10_000;
  }

  async #open(signal: AbortSignal | undefined): Promise<void> {
    const { reconnect = false } = this.#options;
    const { minDelayMs, maxDelayMs } = { ...usualDelays, ...(typeof reconnect === 'object' ? reconnect : {}) };
    for (let failures = 0; ; failures += 1) {
      this.#become('connecting', '');
      try {
        return await this.#attempt(signal);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        const mayTryAgain = reconnect !== false && signal?.aborted !== true && !this.#closed.signal.aborted;
        if (!mayTryAgain) this.#become('closed', why);
        if (!mayTryAgain) throw error;
        this.#become('waiting', why);
        await pause(
          Math.min(maxDelayMs, minDelayMs * 2 ** failures),
          signal ? this.#orClosed(signal) : this.#closed.signal,
        );
      }
    }
  }

  async #attempt(signal: AbortSignal | undefined): Promise<void> {
    const { url, createSocket = platformSocket } = this.#options;
    const former = this.#sessionId;
    const connection = await openConnection(
      {
        url,
        createSocket,
        timeoutMs: this.#timeoutMs,
        onMessage: (message) => this.#take(message),
        onClose: (error) => this.#lost(error),
      },
      signal ? this.#orClosed(signal) : this.#closed.signal,
    );
    this.#connection = connection;
    this.#sessionId = connection.sessionId;
    try {
      await this.#restore(former);
    } catch (error) {
      connection.close();
      throw error;
    }
    this.#become('connected', '');
  }

  #orClosed(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#closed.signal]);
  }

  /** What the gateway has forgotten with the connection before. */
  async #restore(former: string | undefined): Promise<void> {
    if (Object.keys(this.#configuration).length > 0) this.#send(wireConfiguration(this.#configuration));
    if (this.#runner.tools.size > 0) await this.#register([...this.#runner.tools.values()], {});
    if (former === undefined) return;
    await this.startSession(former).catch((error: unknown) => {
      // It has expired meanwhile: the new one will do.
      if (!(error instanceof GatewayRequestError)) throw error;
    });
  }

  #lost(error: GatewayConnectionError): void {
    this.#connection = undefined;
    this.#answers.failAll(error);
    this.#runner.abort(error, 'all');
    if (this.#closed.signal.aborted || this.#connecting !== undefined) return;
    if (this.#options.reconnect === undefined || this.#options.reconnect === false)
      return this.#become('closed', error.message);
    this.#become('waiting', error.message);
    // Its failures are told by the states.
    this.connect().catch(() => undefined);
  }

  #take(message: GatewayMessage): void {
    if (message.type === 'status' && message.status === 'waiting_for_tools')
      this.#runner.expect(Number(message.data['pending_tools']));
    if (message.type === 'tool_callback') void this.#run(message);
    this.#answers.take(message);
    this.#options.onMessage?.(message);
  }

  async #run(call: Extract<GatewayMessage, { type: 'tool_callback' }>): Promise<void> {
    const connection = this.#connection;
    const result = await this.#runner.run(call);
    if (result === undefined || connection === undefined || connection !== this.#connection) return;
    this.#answers.resultSent();
    connection.send(result);
  }

  /** Resolves when the gateway has begun with it: until then an error could be meant for this or for a request. */
  async #ask(
    text: string,
    onMessage: (message: GatewayMessage) => void = () => {},
  ): Promise<{ answer: Promise<ChatAnswer> }> {
    this.#mustBeConnected();
    const begun = Promise.withResolvers<undefined>();
    const answer = this.#answers.chat({ onMessage, onBegun: () => begun.resolve(undefined) });
    this.#send({ type: 'text_input', text });
    // What is wrong with the answer is for the caller that awaits it.
    await Promise.race([begun.promise, answer.catch(() => undefined)]);
    return { answer };
  }

  async #register(tools: readonly ClientTool[], options: RequestOptions): Promise<RegisteredTool[]> {
    const definitions = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
    const message = await this.#request('register_tools', { tools: definitions }, options);
    return message.type === 'tools_registered' ? message.tools : [];
  }

  #request(kind: RequestKind, fields: object, { signal }: RequestOptions): Promise<GatewayMessage> {
    const answered = this.#requests.run(async () => {
      signal?.throwIfAborted();
      this.#mustBeConnected();
      const answer = this.#answers.request(kind);
      this.#send({ type: kind, ...fields });
      return within(answer, this.#timeoutMs, kind).finally(() => this.#answers.dropRequest());
    });
    return orAborted(answered, signal);
  }

  #mustBeConnected(): Connection {
    if (this.#connection !== undefined) return this.#connection;
    this.#closed.signal.throwIfAborted();
    throw new GatewayConnectionError(`There is no connection to ${this.#options.url}: connect first.`);
  }

  #send(message: object): void {
    this.#mustBeConnected().send(message);
  }

  #become(state: GatewayClientState, reason: string): void {
    if (this.#state === state || (this.#closed.signal.aborted && state !== 'closed')) return;
    this.#state = state;
    this.#options.onState?.(state, reason);
  }
}

function wireConfiguration({ temperature, maxTokens, enableContext }: GatewayConfiguration): object {
  return {
    type: 'configure',
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(enableContext !== undefined && { enable_context: enableContext }),
  };
}

function platformSocket(url: string): GatewaySocket {
  const { WebSocket } = globalThis as { WebSocket?: new (url: string) => GatewaySocket };
  if (WebSocket !== undefined) return new WebSocket(url);
  throw new TypeError(
    'This platform has no WebSocket: pass createSocket, for example (url) => new WebSocket(url) of "ws".',
  );
}

/** The promise's outcome, or the signal's reason once that aborts. The work itself goes on. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** The promise's outcome, or a `GatewayTimeoutError` that says what was waited for. */
function within<T>(promise: Promise<T>, ms: number, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new GatewayTimeoutError(`No answer to ${what} within ${ms} ms.`)), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Resolves after so many ms, or when the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

/** Bytes that a gateway takes in one message, with room for what is around a result. */
const maxResultBytes = 1024 * 1024 - 4096;

/** Runs the handlers of this client's tools. */
class ToolRunner {
  readonly tools = new Map<string, ClientTool>();
  readonly #running = new Set<{ controller: AbortController; ofTurn: boolean }>();
  /** Callbacks of the turn that are still to come; the others are calls by hand, from the gateway's side. */
  #ofTurnDue = 0;

  /** So many callbacks of a turn follow. */
  expect(count: number): void {
    this.#ofTurnDue = count;
  }

  /** Runs one call and returns its `tool_result`; `undefined` if the call was aborted. Never rejects. */
  async run(call: Extract<GatewayMessage, { type: 'tool_callback' }>): Promise<object | undefined> {
    const { call_id: callId, tool_name: name, arguments: args } = call;
    const running = { controller: new AbortController(), ofTurn: this.#ofTurnDue > 0 };
    if (running.ofTurn) this.#ofTurnDue -= 1;
    this.#running.add(running);
    const { signal } = running.controller;
    let outcome: object;
    try {
      const tool = this.tools.get(name);
      if (tool === undefined) throw new Error(`Tool '${name}' not found`);
      outcome = { success: true, result: asJson(await tool.handler(args, { callId, signal })) };
    } catch (error) {
      outcome = { success: false, error: error instanceof Error ? error.message : String(error) };
    }
    this.#running.delete(running);
    return signal.aborted ? undefined : { type: 'tool_result', call_id: callId, ...outcome };
  }

  /** Aborts running calls: those of the turn, or all if the connection is lost. */
  abort(reason: Error, which: 'turn' | 'all'): void {
    this.#ofTurnDue = 0;
    for (const { controller, ofTurn } of this.#running) if (which === 'all' || ofTurn) controller.abort(reason);
  }
}

/** The value as JSON carries it. Throws if it has none, or if it is too large. */
function asJson(value: unknown): unknown {
  const text = JSON.stringify(value ?? null) as string | undefined;
  if (text === undefined) throw new Error(`The tool gave a value of type ${typeof value}, which has no JSON.`);
  const bytes = new TextEncoder().encode(text).length;
  if (bytes <= maxResultBytes) return JSON.parse(text);
  throw new Error(`The tool gave ${bytes} bytes; a gateway takes at most ${maxResultBytes}.`);
}

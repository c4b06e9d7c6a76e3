import type { WebSocket } from 'ws';

import type { JsonObject, JsonValue } from '../../base/json.ts';
import { createCheckAllowance } from '../../schema/checkFully.ts';
import type { ToolSource } from '../../base/toolTypes.ts';
import { HeldMessages } from './heldMessages.ts';
import { ClientTools } from './clientTools.ts';
import { ClientWire, type ClientClose } from './clientWire.ts';
import { describeMessage } from './describeFrame.ts';
import { GatewayError } from './gatewayError.ts';
import type { FrameEntry } from '../frames/frameLog.ts';
import type { Configuration, GatewayConnectionInfo } from '../../contract/gateway.ts';
import type { GatewayTurnTrace } from '../../contract/gatewayTurns.ts';
import type { TextInput, ToolResult } from './messages.ts';
import { kindOf, readEnvelope, type Envelope } from './readEnvelope.ts';
import { runTurn, sessionEnded } from './runTurn.ts';
import { offerOwnTools } from './offerOwnTools.ts';
import { serverToolsId } from './serverTools/createServerTools.ts';
import type { Session } from './sessionStore.ts';
import { TurnQueue } from './turnQueue.ts';
import type { TurnServices } from './turnContext.ts';
import type { GatewayEvent } from './types.ts';

/** One client's open socket, and what its messages work on. */
export interface ConnectionOptions {
  id: string;
  /** Id of the registry of its tools. */
  registryId: string;
  socket: WebSocket;
  remote: string;
  userAgent?: string;
  services: TurnServices;
  onFrame: (frame: FrameEntry) => void;
  onEvent: (event: GatewayEvent) => void;
  /** A turn has ended. */
  onTurn?: (trace: GatewayTurnTrace) => void;
  /** Session, tools, turns or settings of the connection changed. */
  onChange: () => void;
  onClose: () => void;
}

/** A question to answer. */
interface Question {
  text: string;
  session: Session;
  configuration: Readonly<Configuration>;
}

/** What waits for its turn, in order of arrival: a question, why a message is none, or a session that was ended. */
type Asked = Question | GatewayError | { endedSessionId: string };

/** Questions of one connection that may wait. */
const maxWaitingTurns = 100;
/** Characters of them together. */
const maxWaitingChars = 4 * 1024 * 1024;

/** One client's connection, from `connected` to its end (docs/protocols/gateway.md). */
export class GatewayConnection {
  readonly id: string;
  readonly wire: ClientWire;
  readonly #options: ConnectionOptions;
  readonly #connectedAt: number;
  readonly #tools: ClientTools;
  readonly #turns: TurnQueue<Asked>;
  readonly #gone = new AbortController();
  #configuration: Readonly<Configuration>;
  #session: Session | undefined;
  #turn: GatewayTurnTrace | undefined;
  readonly #held = new HeldMessages((text) => this.#attempt(() => this.#receive(text)));

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { id, socket, services } = options;
    const { clock } = services;
    const settings = services.settings();
    this.id = id;
    this.#connectedAt = clock.wall();
    const { temperature, maxTokens, enableContext } = settings;
    this.#configuration = { temperature, maxTokens, enableContext };
    this.#turns = new TurnQueue({
      run: (asked) => this.#answer(asked),
      maxWaiting: maxWaitingTurns,
      maxSize: maxWaitingChars,
      sizeOf: (asked) => ('text' in asked ? asked.text.length : 0),
    });
    this.wire = new ClientWire({
      socket,
      clock,
      onFrame: options.onFrame,
      pingIntervalMs: settings.pingInterval * 1_000,
      pingTimeoutMs: settings.pingTimeout * 1_000,
      onText: this.#held.arrive,
      onBinary: () => this.#fail(new GatewayError('INVALID_MESSAGE', 'Messages are text frames, not binary ones')),
      onClose: (close) => this.#closed(close),
    });
    this.#tools = this.#createTools(settings.clientToolResultQueueSize);
    this.#enter(services.sessions.create());
    this.#sayConnected();
  }

  /** The turn that runs, so far as it is known. */
  get turn(): GatewayTurnTrace | undefined {
    return this.#turn;
  }

  info(): GatewayConnectionInfo {
    const { registryId, remote, userAgent } = this.#options;
    return {
      id: this.id,
      remote,
      registryId,
      tools: this.#tools.names,
      configuration: { ...this.#configuration },
      ...(userAgent !== undefined && { userAgent }),
      ...(this.#session !== undefined && { sessionId: this.#session.id }),
      turns: this.#turns.length,
      connectedAt: this.#connectedAt,
      lastSeenAt: this.wire.lastSeenAt,
      counters: { ...this.wire.counters },
    };
  }

  #createTools(resultQueueSize: number): ClientTools {
    const { registryId, remote, services } = this.#options;
    const { toolRegistryManager } = services;
    const source: ToolSource = { kind: 'gateway', id: this.id, label: remote };
    const serverTools = () => toolRegistryManager.getTool(serverToolsId)?.getMetadata().methods ?? [];
    return new ClientTools({
      id: registryId,
      source,
      toolRegistryManager,
      resultQueueSize,
      maxCount: () => services.settings().clientToolsMaxCount,
      offer: (methods) => offerOwnTools(methods, services.settings()),
      isTaken: (name) => serverTools().some((tool) => tool.name === name),
      send: (message) => this.wire.send(message),
      pause: () => this.wire.pause(),
      resume: () => this.wire.resume(),
    });
  }

  #attempt(work: () => void): void {
    if (this.#gone.signal.aborted) return;
    try {
      work();
    } catch (error) {
      this.#fail(error);
    }
    this.#options.onChange();
  }

  #receive(text: string): void {
    const { onFrame, services } = this.#options;
    const bytes = Buffer.byteLength(text);
    const frame = { direction: 'in', kind: 'text', bytes, text } as const;
    if (this.#session !== undefined) services.sessions.touch(this.#session);
    let envelope: Envelope;
    try {
      envelope = readEnvelope(text);
    } catch (error) {
      onFrame({ ...frame, note: { type: 'invalid', summary: error instanceof Error ? error.message : '' } });
      throw error;
    }
    onFrame({ ...frame, note: describeMessage(envelope.body) });
    this.#dispatchAfterMove(envelope);
  }

  /** The session that it names is taken over from another node first, if one may have it. */
  #dispatchAfterMove(envelope: Envelope): void {
    const { type, body } = envelope;
    const { sessions, nodes } = this.#options.services;
    const id = type === 'text_input' || type === 'start_session' ? body['session_id'] : undefined;
    if (typeof id !== 'string' || nodes?.mayHave(id) !== true || sessions.get(id) !== undefined)
      return this.#dispatch(envelope);
    const next = (): void => this.#attempt(() => this.#dispatch(envelope));
    void this.#held.during(nodes.takeOver(id, sessions), this.wire, next);
  }

  #dispatch({ type, body }: Envelope): void {
    switch (type) {
      case 'text_input':
        return this.#ask(() => readTextInput(body));
      case 'configure':
        this.#configuration = { ...this.#configuration, ...readConfigure(body) };
        return;
      case 'start_session':
        return this.#startSession(readSessionId(body).sessionId);
      case 'end_session':
        return this.#endSession();
      case 'register_tools':
        return this.#registerTools(() => readToolList(body));
      case 'tool_result':
        return this.#tools.receive(readToolResult(body));
      case 'ping':
        this.wire.send({ type: 'pong' });
        return;
      default:
        throw new GatewayError('UNKNOWN_MESSAGE_TYPE', 'Unknown message type', type.slice(0, 100).toWellFormed());
    }
  }

  /** An invalid question waits for its turn, too: only the order tells a client which answer belongs to which question. */
  #ask(read: () => TextInput): void {
    let asked: Asked;
    try {
      const { text, sessionId } = read();
      asked = { text, session: this.#sessionOf(sessionId), configuration: this.#configuration };
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      asked = error;
    }
    if (this.#turns.add(asked)) return;
    throw new GatewayError(
      'INTERNAL_ERROR',
      'Too many requests wait',
      `${maxWaitingTurns} wait on this connection already.`,
    );
  }

  /** Naming a session is switching to it (docs/protocols/gateway.md#sessions). */
  #sessionOf(sessionId: string | undefined): Session {
    const { sessions } = this.#options.services;
    if (sessionId !== undefined) return this.#enter(this.#find(sessionId));
    const own = this.#session === undefined ? undefined : sessions.get(this.#session.id);
    return own ?? this.#enter(sessions.create());
  }

  #find(sessionId: string): Session {
    const found = this.#options.services.sessions.get(sessionId);
    if (found !== undefined) return found;
    const shown = sessionId.slice(0, 100).toWellFormed();
    throw new GatewayError('SESSION_ERROR', 'There is no such session, or it has expired', shown);
  }

  #enter(session: Session): Session {
    if (this.#session !== session) {
      this.#session?.connections.delete(this.id);
      session.connections.add(this.id);
      this.#session = session;
    }
    this.#options.services.sessions.touch(session);
    return session;
  }

  #startSession(sessionId: string | undefined): void {
    this.#enter(sessionId === undefined ? this.#options.services.sessions.create() : this.#find(sessionId));
    this.#sayConnected();
  }

  #endSession(): void {
    const session = this.#session;
    session?.connections.delete(this.id);
    this.#session = undefined;
    if (session === undefined || !this.#options.services.sessions.end(session.id))
      throw new GatewayError('SESSION_ERROR', 'There is no session to end');
    // Behind the turns that this has aborted, so that nothing of the session follows its last frame.
    if (!this.#turns.add({ endedSessionId: session.id })) this.#sayIdle(session.id);
  }

  #sayIdle(sessionId: string): void {
    this.wire.send({ type: 'status', status: 'idle', data: { session_id: sessionId } });
  }

  #registerTools(read: () => ReturnType<typeof readToolList>): void {
    if (!this.#options.services.settings().clientToolsEnabled)
      throw new GatewayError('TOOL_REGISTRATION_FAILED', 'Tools of clients are switched off on this gateway');
    const tools = this.#tools.register(read());
    const count = tools.filter(({ status }) => status === 'registered').length;
    this.wire.send({ type: 'tools_registered', count, tools });
  }

  #sayConnected(): void {
    if (this.#session === undefined) return;
    this.wire.send({ type: 'status', status: 'connected', data: { session_id: this.#session.id } });
  }

  async #answer(asked: Asked): Promise<void> {
    const { id, services, registryId, onEvent, onChange, onTurn } = this.#options;
    if (asked instanceof GatewayError) return this.#fail(asked);
    if ('endedSessionId' in asked) return this.#sayIdle(asked.endedSessionId);
    if (asked.session.ended.aborted) return this.#fail(sessionEnded());
    const { signal } = this.#gone;
    const send = this.wire.send.bind(this.wire);
    const checkAllowance = createCheckAllowance();
    const onProgress = (trace: GatewayTurnTrace): void => {
      this.#turn = trace;
      onChange();
    };
    const turn = { ...asked, clientToolsId: registryId, signal, checkAllowance, send, onProgress };
    const { trace, failure } = await runTurn(turn, services);
    this.#turn = undefined;
    const { outcome, steps, durationMs } = trace;
    onEvent({
      level: failure === undefined ? 'INFO' : 'WARNING',
      message: 'turn ended',
      connection: id,
      session: asked.session.id,
      how: outcome === 'disconnected' ? 'the client left' : outcome,
      rounds: steps.slice(0, -1).filter(({ calls }) => calls.length > 0).length,
      durationMs,
      ...(failure !== undefined && failure.details !== '' && { details: failure.details }),
    });
    onTurn?.(trace);
    onChange();
  }

  #fail(error: unknown): void {
    if (!(error instanceof GatewayError)) this.#options.services.onError(error, 'a message of a gateway client');
    const { code, message, details } =
      error instanceof GatewayError ? error : new GatewayError('INTERNAL_ERROR', 'Internal error');
    this.wire.send({ type: 'error', code, message, details });
  }

  #closed({ code, reason }: ClientClose): void {
    const { id, onEvent, onClose } = this.#options;
    this.#turns.clear();
    this.#gone.abort();
    this.#tools.close();
    this.#session?.connections.delete(this.id);
    onEvent({ level: 'INFO', message: 'disconnected', connection: id, code, reason });
    onClose();
  }
}

/** Tools that one request may bring; each is answered for. */
const maxToolsInRequest = 1_000;

/** `text_input` (docs/protocols/gateway.md). Throws a `GatewayError` `INVALID_MESSAGE`, as every reader here. */
function readTextInput(body: JsonObject): TextInput {
  const { text } = body;
  if (typeof text !== 'string') throw wrong('text', 'a string', text);
  if (text.trim() === '') throw new GatewayError('INVALID_MESSAGE', 'Text cannot be empty');
  return { text, ...readSessionId(body) };
}

/** The session that a message names. Null and an empty text name none: clients send them before they know their session. */
function readSessionId({ session_id: sessionId }: JsonObject): { sessionId?: string } {
  if (sessionId === undefined || sessionId === null || sessionId === '') return {};
  if (typeof sessionId !== 'string') throw wrong('session_id', 'a string', sessionId);
  return { sessionId };
}

/** `configure` (docs/protocols/gateway.md#client-messages): only the fields that are there. */
function readConfigure({
  temperature,
  max_tokens: maxTokens,
  enable_context: enableContext,
}: JsonObject): Partial<Configuration> {
  const read: Partial<Configuration> = {};
  if (temperature !== undefined) {
    if (typeof temperature !== 'number' || !(temperature >= 0 && temperature <= 1))
      throw wrong('temperature', 'a number from 0.0 to 1.0', temperature);
    read.temperature = temperature;
  }
  if (maxTokens !== undefined) {
    if (typeof maxTokens !== 'number' || !Number.isSafeInteger(maxTokens) || maxTokens < 1)
      throw wrong('max_tokens', 'an integer of 1 or more', maxTokens);
    read.maxTokens = maxTokens;
  }
  if (enableContext !== undefined) {
    if (typeof enableContext !== 'boolean') throw wrong('enable_context', 'a boolean', enableContext);
    read.enableContext = enableContext;
  }
  return read;
}

/** The `tools` of `register_tools` (docs/protocols/gateway.md#registering-tools), each unread. */
function readToolList({ tools }: JsonObject): JsonValue[] {
  if (!Array.isArray(tools)) throw wrong('tools', 'an array of tools', tools);
  if (tools.length <= maxToolsInRequest) return tools;
  throw new GatewayError(
    'INVALID_MESSAGE',
    `"tools" may list at most ${maxToolsInRequest} tools`,
    `It lists ${tools.length}.`,
  );
}

/** `tool_result` (docs/protocols/gateway.md#client-messages). */
function readToolResult({ call_id: callId, success, result = null, error }: JsonObject): ToolResult {
  if (typeof callId !== 'string' || callId === '') throw wrong('call_id', 'the id of a tool_callback', callId);
  if (typeof success !== 'boolean') throw wrong('success', 'a boolean', success);
  if (error !== undefined && error !== null && typeof error !== 'string') throw wrong('error', 'text or null', error);
  return { callId, success, result, error: error ?? '' };
}

function wrong(field: string, wanted: string, got: JsonValue | undefined): GatewayError {
  if (got === undefined) return new GatewayError('INVALID_MESSAGE', `"${field}" is missing`, `It must be ${wanted}.`);
  const seen = typeof got === 'number' ? String(got) : kindOf(got);
  return new GatewayError('INVALID_MESSAGE', `"${field}" must be ${wanted}`, `Got ${seen}.`);
}

import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import {
  createMcpHandler,
  isInitializeRequest,
  isJsonContentType,
  isLegacyRequest,
  PROTOCOL_VERSION_META_KEY,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

import type { Clock } from '../../base/clock.ts';
import { isJsonObject, type JsonValue } from '../../base/json.ts';
import type { ErrorReporter } from '../../base/reportError.ts';
import { parseMessage } from '../../mcp/readMessages.ts';
import type { HttpExchange } from '../../server/types.ts';
import { ofCall, type McpFrames } from '../frames/mcp/mcpFrames.ts';
import { KeptEvents, SessionEvents } from './eventStore.ts';
import { answerRecorder, frameOf, isEventStream, recordRequest, type HostLog } from './hostFrames.ts';
import { HostServer, type CallingHost, type HostOffer, type SeenClient } from './hostServer.ts';
import { maxMcpBodyBytes } from './mcpRoute.ts';
import type { OfferChange } from './offered.ts';
import { sendWebResponse, toWebRequest } from './nodeAdapter.ts';
import { createRoundTrips } from './roundTrips.ts';

/** Sessions of hosts before 2026-07-28. A newer one ends the least recently used one that has no open request, stream or call. */
const maxSessions = 64;
/** ms for which a session without an open stream or request is kept: most hosts quit without ending theirs. */
const idleMs = 30 * 60_000;
/** ms after which a session without one ends if one of its calls is running. A host that lost its stream opens it again earlier. */
const goneMs = 60_000;
/** ms that a host waits before it opens a stream again that we ended. */
const retryMs = 500;

/** An MCP server over Streamable HTTP for one host, in both eras. It checks neither Host nor Origin nor a token: its route does. */
export interface McpHttpEndpoint {
  /** Answers one request. Resolves when its answer, or its stream, has ended. */
  handle(exchange: HttpExchange, caller: CallingHost): Promise<void>;
  /** Open streams and requests. */
  connections(): number;
  /** Whether it has an open stream or request, a task that has not ended, or a call that waits for its host. */
  isUsed(): boolean;
  /** Ends the sessions, streams and calls immediately. Requests without an answer get an error with `reason`. */
  close(reason?: string): Promise<void>;
}

interface Session {
  server: HostServer;
  transport: WebStandardStreamableHTTPServerTransport;
  events: SessionEvents;
  /** Stops the clock that ends it. */
  stop: () => void;
}

type NewServer = (era: SeenClient['era'], caller: CallingHost, method?: string) => HostServer;

/** A request that is not answered yet, or a stream. */
interface OpenExchange {
  sessionId: string | undefined;
  /** The JSON-RPC id of the request, once its body is read. */
  id: JsonValue | undefined;
  response: ServerResponse;
  /** Whether an answer that has begun is a stream of events. */
  isStream: boolean;
  frames: McpFrames | undefined;
  /** Aborts when the host disconnects. */
  gone: AbortController;
}

export function createMcpHttpEndpoint(options: {
  offer: HostOffer;
  clock: Clock;
  onError: ErrorReporter;
  /** Called with what a request states about its client. */
  onSeen?: (caller: CallingHost, client: SeenClient) => void;
  /** Called when a stream or a request of a host ends. */
  onEnded?: () => void;
  /** Records the frames. */
  log?: HostLog;
  /** Keeps the messages of sessions. By default, this endpoint has its own. */
  kept?: KeptEvents;
}): McpHttpEndpoint {
  const { offer, clock, onError, log, kept = new KeptEvents() } = options;
  const roundTrips = createRoundTrips({ clock });

  const newServer: NewServer = (era, caller, method) =>
    new HostServer({ offer, era, caller, roundTrips, clock, method, onSeen: (of) => options.onSeen?.(caller, of) });
  const sessions = new Sessions({ clock, onError, kept, newServer });
  const modern = createMcpHandler(
    ({ era, authInfo, requestInfo }) =>
      newServer(era, authInfo?.extra?.['caller'] as CallingHost, requestInfo?.headers.get('mcp-method') ?? undefined),
    { legacy: 'reject', maxRequestBodySize: maxMcpBodyBytes },
  );
  const unsubscribe = offer.onChange((change) => {
    notifyModern(modern.notify, change);
    sessions.notify(change);
  });

  async function answer(request: Request, body: JsonValue | undefined, caller: CallingHost): Promise<Response> {
    const parsed = body === undefined ? {} : { parsedBody: body };
    if (request.method === 'POST' && !isJsonContentType(request.headers.get('content-type')))
      return rpcError(415, -32_000, 'Unsupported Media Type: Content-Type must be application/json');
    if (!isModernMessage(body) && (await isLegacyRequest(request, body))) {
      const transport = await sessions.transportFor(request, body, caller);
      return transport instanceof Response ? transport : transport.handleRequest(request, parsed);
    }
    const authInfo = { token: '', clientId: caller.id, scopes: [], extra: { caller } };
    return modern.fetch(request, { authInfo, ...parsed });
  }

  async function handle({ request, response, url, readBody }: HttpExchange, caller: CallingHost): Promise<void> {
    const gone = new AbortController();
    const asked = toWebRequest(request, url, gone.signal);
    const sessionId = asked.headers.get('mcp-session-id') ?? undefined;
    const frames = log?.of(caller.id, sessionId);
    const exchange: OpenExchange = { sessionId, id: undefined, response, isStream: false, frames, gone };
    response.once('close', () => {
      sessions.leave(exchange);
      options.onEnded?.();
    });
    sessions.enter(exchange);
    const text = request.method === 'POST' ? (await readBody()).toString('utf8') : undefined;
    const body = text === undefined ? undefined : parseMessage(text);
    if (isJsonObject(body) && 'method' in body) exchange.id = body['id'];
    await ofCall(roundTrips.callIdOf(body), async () => {
      if (text !== undefined && frames) recordRequest(frames, request, text, body);
      const answered = text === undefined || body !== undefined ? await answer(asked, body, caller) : unreadable();
      exchange.isStream = isEventStream(answered);
      const onChunk = frames && answerRecorder(frames, asked, answered);
      await sendWebResponse(answered, response, { signal: gone.signal, onChunk });
    });
  }

  return {
    handle,
    isUsed: () => sessions.exchanges.size > 0 || roundTrips.isBusy(),
    connections: () => sessions.exchanges.size,
    async close(reason) {
      unsubscribe();
      sessions.close(reason);
      roundTrips.close();
      await modern.close();
      for (const { response } of sessions.exchanges) if (!response.writableEnded) response.destroy();
    },
  };
}

function notifyModern(notify: ReturnType<typeof createMcpHandler>['notify'], change: OfferChange): void {
  if (change === 'tools') notify.toolsChanged();
  else if (change === 'prompts') notify.promptsChanged();
  else if (change === 'resources') notify.resourcesChanged();
  else notify.resourceUpdated(change.updated);
}

/** The sessions of hosts before 2026-07-28, and the open exchanges of all hosts. */
class Sessions {
  /** The sessions, the least recently used first. */
  readonly #sessions = new Map<string, Session>();
  readonly exchanges = new Set<OpenExchange>();
  readonly #clock: Clock;
  readonly #report: (error: unknown) => void;
  readonly #kept: KeptEvents;
  readonly #newServer: NewServer;

  constructor(options: { clock: Clock; onError: ErrorReporter; kept: KeptEvents; newServer: NewServer }) {
    this.#clock = options.clock;
    this.#kept = options.kept;
    this.#report = (error) => options.onError(error, 'the MCP endpoint');
    this.#newServer = options.newServer;
  }

  /** The transport of the session that a request names, or of a new one for a host that begins. */
  async transportFor(request: Request, body: JsonValue | undefined, caller: CallingHost) {
    const id = request.headers.get('mcp-session-id');
    if (id === null) {
      if (isInitializeRequest(body)) return this.#open(caller);
      const remedy = 'send initialize first, then the header Mcp-Session-Id of its answer.';
      return rpcError(400, -32_000, `Bad Request: ${remedy}`);
    }
    const session = this.#sessions.get(id);
    if (session === undefined) return rpcError(404, -32_001, 'Session not found');
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session.transport;
  }

  enter(exchange: OpenExchange): void {
    this.exchanges.add(exchange);
    this.#sessions.get(exchange.sessionId ?? '')?.stop();
  }

  leave(exchange: OpenExchange): void {
    const { sessionId = '', response, gone } = exchange;
    this.exchanges.delete(exchange);
    if (!response.writableFinished) gone.abort();
    const session = this.#sessions.get(sessionId);
    if (session !== undefined && !this.#isInUse(sessionId)) this.#endWhenIdle(sessionId, session);
  }

  notify(change: OfferChange): void {
    for (const { server } of this.#sessions.values()) server.notify(change).catch(this.#report);
  }

  /** Ends the sessions, and the requests that can be answered with an error. */
  close(reason: string | undefined): void {
    if (reason !== undefined) for (const exchange of this.exchanges) refuse(exchange, reason);
    for (const [id, session] of this.#sessions) this.#end(id, session);
  }

  async #open(caller: CallingHost) {
    if (!this.#makeRoom())
      return rpcError(503, -32_000, `${maxSessions} sessions are in use. End one of them with DELETE.`);
    const events = new SessionEvents(this.#kept);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: events,
      retryInterval: retryMs,
      maxRequestBodySize: maxMcpBodyBytes,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, session);
        this.#endWhenIdle(id, session);
      },
      onsessionclosed: (id) => {
        this.#sessions.delete(id);
        session.stop();
        events.clear();
      },
    });
    const server = this.#newServer('legacy', { ...caller, connection: randomUUID() });
    const session: Session = { server, transport, events, stop: () => undefined };
    await server.connect(transport);
    return transport;
  }

  #makeRoom(): boolean {
    if (this.#sessions.size < maxSessions) return true;
    const idle = [...this.#sessions].find(([id, { server }]) => !server.isServing() && !this.#isInUse(id));
    if (idle !== undefined) this.#end(...idle);
    return idle !== undefined;
  }

  /** Whether a request or a stream of the session is open. */
  #isInUse(id: string): boolean {
    return [...this.exchanges].some(({ sessionId }) => sessionId === id);
  }

  #end(id: string, { server, events, stop }: Session): void {
    this.#sessions.delete(id);
    stop();
    server
      .close()
      .catch(this.#report)
      .finally(() => events.clear());
  }

  #endWhenIdle(id: string, session: Session): void {
    session.stop();
    session.stop = this.#clock.after(goneMs, () => {
      if (session.server.isServing()) this.#end(id, session);
      else session.stop = this.#clock.after(idleMs - goneMs, () => this.#end(id, session));
    });
  }
}

/** Answers a request, whose stream may have begun, with an error, unless that would be in the middle of an answer in JSON. */
function refuse({ id, response, isStream, frames, gone }: OpenExchange, message: string): void {
  if (id === undefined || response.writableEnded || (response.headersSent && !isStream)) return;
  const text = JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message } });
  if (response.headersSent) response.end(`data: ${text}\n\n`);
  else response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  frames?.add(frameOf('out', text, { method: 'POST', status: 200, headers: {} }));
  gone.abort();
}

function unreadable(): Response {
  return rpcError(400, -32_700, 'Parse error: the request body is not valid JSON, or is nested too deeply');
}

function rpcError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}

/** Whether the SDK takes it for a message of 2026-07-28, right or wrong. `isLegacyRequest` checks the whole message, as the SDK does again. */
function isModernMessage(body: JsonValue | undefined): boolean {
  if (!isJsonObject(body) || typeof body['method'] !== 'string' || body['method'] === 'initialize') return false;
  const { params } = body;
  const meta = isJsonObject(params) ? params['_meta'] : undefined;
  return isJsonObject(meta) && PROTOCOL_VERSION_META_KEY in meta;
}

import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';

import type { ChatModel } from '../models/chatModel.ts';
import { plainAddress } from '../../server/address.ts';
import type { Listener } from '../../server/types.ts';
import { systemClock, type Clock } from '../../base/clock.ts';
import { frameDanger } from '../../registry/frameDanger.ts';
import { reportError } from '../../base/reportError.ts';
import { RequestError } from '../../base/requestError.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import { GatewayConnection } from './connection.ts';
import type { FrameEntry } from '../frames/frameLog.ts';
import { allowedOrigins, gatewayRoutes } from './gatewayRoutes.ts';
import { createRefusedPages } from './refusedPages.ts';
import { createServerTools } from './serverTools/createServerTools.ts';
import { SessionStore, type Session } from './sessionStore.ts';
import type {
  FrameOutcome,
  GatewayConnectionInfo,
  GatewaySessionInfo,
  GatewaySessionMessage,
  GatewaySettings,
  RefusedPage,
} from '../../contract/gateway.ts';
import type { GatewayTurnTrace } from '../../contract/gatewayTurns.ts';
import type { CallPolicy, TurnServices } from './turnContext.ts';
import type { GatewayEvent } from './types.ts';

/** The dependencies and callbacks of a gateway. */
export interface GatewayOptions {
  /** Gets the routes; the caller opens and closes it. */
  listener: Pick<Listener, 'route' | 'upgrade'>;
  toolRegistryManager: ToolRegistryManager;
  /**
   * Read when needed, so that a change applies at once. The heartbeat and result queue of a connection and the server
   * tools keep their initial settings.
   */
  settings: () => GatewaySettings;
  /** The model of the next turn. Throws a `RequestError` or a `ChatModelError` if there is none. */
  model: () => ChatModel;
  /** Applies settings and history to every call; empty by default. */
  callPolicy?: () => CallPolicy;
  clock?: Clock;
  /** Makes the id of a new connection; `connection-1` and so on by default. Unique as long as its frames are kept. */
  newConnectionId?: () => string;
  /** Serves a test client as a web page at `/`; false by default. */
  servesTestPage?: boolean;
  /** Each frame of each connection, by its id. */
  onFrame?: (connectionId: string, frame: FrameEntry) => void;
  onEvent?: (event: GatewayEvent) => void;
  /** Each turn when it has ended, by the id of its connection. */
  onTurn?: (connectionId: string, trace: GatewayTurnTrace) => void;
  /** Connections or sessions changed. */
  onChange?: () => void;
  onError?: (error: unknown, where: string) => void;
}

/** An LLM gateway on a listener (docs/protocols/gateway.md). */
export interface Gateway {
  /** Web pages that were refused and are still not allowed, the latest attempt first. */
  refusedPages: () => RefusedPage[];
  /** In the order they connected. */
  connections: () => GatewayConnectionInfo[];
  /** The turn of a connection that runs; undefined if there is none. */
  turnOf: (connectionId: string) => GatewayTurnTrace | undefined;
  /** The least recently active first. */
  sessions: () => GatewaySessionInfo[];
  /** @throws {RequestError} If there is no such session. */
  sessionMessages: (id: string) => GatewaySessionMessage[];
  /** Ends a session; its turns end with SESSION_ERROR. Throws a `RequestError` if there is none. */
  endSession: (id: string) => void;
  /**
   * Sends text to a client as it is. A dangerous frame is sent only if `confirmed`; otherwise returns why it is
   * dangerous. Throws a `RequestError` if the client is not connected.
   */
  send: (connectionId: string, text: string, options?: { confirmed?: boolean | undefined }) => FrameOutcome;
  /** Closes a connection. Throws a `RequestError` if there is none. */
  disconnect: (connectionId: string) => void;
  /** Removes routes and tools, closes every connection and waits until all have ended. */
  close: () => Promise<void>;
}

/** ms between two checks for expired sessions (docs/protocols/gateway.md#sessions). */
const sweepMs = 60_000;

/** Ids of connections, counted from `connection-1`. */
function countConnections(): () => string {
  let last = 0;
  return () => `connection-${(last += 1)}`;
}

/** Serves the gateway's protocol on a listener. */
export function createGateway(options: GatewayOptions): Gateway {
  const { listener, toolRegistryManager, settings, model, clock = systemClock } = options;
  const {
    callPolicy = (): CallPolicy => ({}),
    servesTestPage = false,
    onEvent = () => {},
    onChange = () => {},
    onError = reportError,
  } = options;
  const sessions = new SessionStore({ clock, timeoutMs: () => settings().sessionTimeout * 1_000 });
  const services: TurnServices = {
    toolRegistryManager,
    settings,
    model,
    callPolicy,
    clock,
    sessions,
    callSessions: new Map(),
    onError,
  };
  const { live, connect, get, close } = createClients(services, { ...options, onEvent, onChange });
  const removeServerTools = settings().mcpEnabled
    ? toolRegistryManager.register(
        createServerTools({
          name: settings().mcpServerName,
          protocolVersion: settings().mcpProtocolVersion,
          sessionOf: (callId) => services.callSessions.get(callId),
          sessions,
          wall: clock.wall,
        }),
      )
    : () => {};
  const refusedPages = createRefusedPages({
    clock,
    isAllowed: (origin) => allowedOrigins(settings()).some((each) => each === origin || each === '*'),
    onEvent,
    onChange,
  });
  const removeRoutes = gatewayRoutes({ listener, settings, connect, servesTestPage, onRefusedPage: refusedPages.add });
  let stopSweep = (): void => {};
  const sweepLater = (): void => {
    stopSweep = clock.after(sweepMs, () => {
      sessions.sweep();
      onChange();
      sweepLater();
    });
  };
  sweepLater();

  return {
    refusedPages: refusedPages.list,
    connections: () => [...live.values()].map((connection) => connection.info()),
    turnOf: (connectionId) => live.get(connectionId)?.turn,
    sessions: () => sessions.list().map(sessionInfo),
    sessionMessages(id) {
      const session = sessions.get(id);
      if (session === undefined) throw new RequestError(`There is no session "${id}".`, { field: 'id' });
      return session.messages.map(({ role, content }) => ({ role, content }));
    },
    endSession(id) {
      if (!sessions.end(id)) throw new RequestError(`There is no session "${id}".`, { field: 'id' });
      onChange();
    },
    send(connectionId, text, { confirmed = false } = {}) {
      const connection = get(connectionId);
      const { registryId } = connection.info();
      const danger = frameDanger(text, { registryId, dangerousTools: callPolicy().dangerousTools ?? [] });
      if (danger !== undefined && !confirmed) return { sent: false, needs: 'confirmation-required', danger };
      if (!connection.wire.sendRaw(text)) throw new RequestError('This connection is closing.');
      return { sent: true };
    },
    disconnect: (connectionId) => get(connectionId).wire.close(1000, 'closed by hand'),
    async close() {
      stopSweep();
      removeRoutes();
      await close();
      removeServerTools();
    },
  };
}

type ClientEvents = Pick<GatewayOptions, 'newConnectionId' | 'onFrame' | 'onTurn'> &
  Required<Pick<GatewayOptions, 'onEvent' | 'onChange'>>;

/** The connections of clients. `close` resolves when all have ended. */
function createClients(services: TurnServices, options: ClientEvents) {
  const { toolRegistryManager, settings, clock } = services;
  const { newConnectionId = countConnections(), onFrame, onEvent, onTurn, onChange } = options;
  const live = new Map<string, GatewayConnection>();
  const registryIds = new Set<string>();
  let closing = false;
  let onEmpty = (): void => {};

  function connect(socket: WebSocket, request: IncomingMessage): void {
    const { maxConnections } = settings();
    const id = newConnectionId();
    const remote = `${plainAddress(request.socket.remoteAddress ?? '')}:${request.socket.remotePort ?? 0}`;
    if (closing || live.size >= maxConnections) {
      onEvent({ level: 'WARNING', message: 'turned away', connection: id, remote, maxConnections });
      return turnAway(socket, clock);
    }
    const userAgent = request.headers['user-agent']?.slice(0, 200);
    const registryId = takeRegistryId();
    const log = (frame: FrameEntry): void => onFrame?.(id, frame);
    const note = { type: 'open', summary: `open from ${remote}` };
    log({ direction: 'in', kind: 'open', bytes: 0, text: openText(request), note });
    onEvent({ level: 'INFO', message: 'connected', connection: id, remote });
    const connection = new GatewayConnection({
      id,
      registryId,
      socket,
      remote,
      services,
      onEvent,
      onChange,
      onFrame: log,
      onTurn: (trace) => onTurn?.(id, trace),
      ...(userAgent !== undefined && { userAgent }),
      onClose() {
        live.delete(id);
        registryIds.delete(registryId);
        onChange();
        if (live.size === 0) onEmpty();
      },
    });
    live.set(id, connection);
    onChange();
  }

  /** Takes the smallest free number, so that a client that reconnects finds its calls under the same name. */
  function takeRegistryId(): string {
    let number = 1;
    const idOf = (): string => `gateway-client-${number}`;
    while (registryIds.has(idOf()) || toolRegistryManager.getTool(idOf()) !== undefined) number += 1;
    registryIds.add(idOf());
    return idOf();
  }

  function get(id: string): GatewayConnection {
    const connection = live.get(id);
    if (connection === undefined) throw new RequestError(`No client "${id}" is connected.`, { field: 'id' });
    return connection;
  }

  async function close(): Promise<void> {
    closing = true;
    const empty = new Promise<void>((resolve) => {
      onEmpty = resolve;
      if (live.size === 0) resolve();
    });
    for (const connection of live.values()) connection.wire.close(1001, 'the gateway is closing');
    await empty;
  }

  return { live, connect, get, close };
}

/** Refuses a connection over the limit: sends no `connected`, and a code that asks to try later. */
function turnAway(socket: WebSocket, clock: Clock): void {
  socket.on('error', () => socket.terminate());
  socket.close(1013, 'too many connections; try again later');
  const stop = clock.after(2_000, () => socket.terminate());
  socket.once('close', stop);
}

function sessionInfo({
  id,
  startedAt,
  lastActiveAt,
  messages,
  language,
  role,
  connections,
}: Session): GatewaySessionInfo {
  return {
    id,
    startedAt,
    lastActiveAt,
    messageCount: messages.length,
    connections: [...connections],
    ...(language !== undefined && { language }),
    ...(role !== undefined && { role }),
  };
}

/** The request with which the client connected, without secrets. */
function openText({ method = '', url = '', headers }: IncomingMessage): string {
  const shown = ['host', 'origin', 'user-agent'] as const;
  const lines = shown.flatMap((name) => (headers[name] === undefined ? [] : [`${name}: ${headers[name]}`]));
  // A query may hold a token.
  return [`${method} ${url.split('?')[0]}`, ...lines].join('\n');
}

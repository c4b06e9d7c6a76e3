import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';

import type { ChatModel } from '../models/chatModel.ts';
import { plainAddress } from '../../server/address.ts';
import type { Listener } from '../../server/types.ts';
import { systemClock, type Clock } from '../../base/clock.ts';
import { frameDanger } from '../../registry/frameDanger.ts';
import { reportError } from '../../base/reportError.ts';
import { RequestError } from '../../base/requestError.ts';
import type { ToolRegistry } from '../../registry/types.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import type { SessionNodes } from '../cluster/movedSession.ts';
import { GatewayConnection } from './connection.ts';
import type { FrameEntry } from '../frames/frameLog.ts';
import { allowedOrigins, gatewayRoutes } from './gatewayRoutes.ts';
import { createRefusedPages } from './refusedPages.ts';
import { offerOwnTools } from './offerOwnTools.ts';
import { createServerTools, serverToolsId } from './serverTools/createServerTools.ts';
import { SessionStore, type Session } from './sessionStore.ts';
import type {
  FrameOutcome,
  GatewaySessionInfo,
  GatewaySessionMessage,
  GatewaySettings,
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
  /** The cluster that its sessions move in; none by default. */
  nodes?: SessionNodes;
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

/** An LLM gateway on a listener (docs/protocols/gateway.md). What names no session or no client throws a `RequestError`. */
export type Gateway = ReturnType<typeof createGateway>;

/** ms between two checks for expired sessions (docs/protocols/gateway.md#sessions). */
const sweepMs = 60_000;

/** Ids of connections, counted from `connection-1`. */
function countConnections(): () => string {
  let last = 0;
  return () => `connection-${(last += 1)}`;
}

/** Serves the gateway's protocol on a listener. */
export function createGateway(options: GatewayOptions) {
  const { listener, toolRegistryManager, settings, model, clock = systemClock, nodes } = options;
  const {
    callPolicy = (): CallPolicy => ({}),
    servesTestPage = false,
    onEvent = () => {},
    onChange = () => {},
    onError = reportError,
  } = options;
  const sessions = new SessionStore({
    clock,
    timeoutMs: () => settings().sessionTimeout * 1_000,
    nodes,
  });
  nodes?.host(sessions);
  const services: TurnServices = {
    toolRegistryManager,
    settings,
    model,
    callPolicy,
    clock,
    sessions,
    nodes,
    callSessions: new Map(),
    onError,
  };
  const { live, connect, get, close } = createClients(services, { ...options, onEvent, onChange });
  const removeServerTools = settings().mcpEnabled ? toolRegistryManager.register(serverToolsOf(services)) : () => {};
  const refusedPages = createRefusedPages({
    clock,
    isAllowed: (origin) => allowedOrigins(settings()).some((each) => each === origin || each === '*'),
    onEvent,
    onChange,
  });
  const removeRoutes = gatewayRoutes({ listener, settings, connect, servesTestPage, onRefusedPage: refusedPages.add });
  const stopSweep = sweepRegularly(clock, () => {
    sessions.sweep();
    onChange();
  });

  return {
    /** Web pages that were refused and are still not allowed, the latest attempt first. */
    refusedPages: refusedPages.list,
    /** In the order they connected. */
    connections: () => [...live.values()].map((connection) => connection.info()),
    turnOf: (connectionId: string) => live.get(connectionId)?.turn,
    ...sessionActions(sessions, onChange),
    /** Sends text to a client as it is. A dangerous frame is sent only if `confirmed`; otherwise returns why it is dangerous. */
    send(
      connectionId: string,
      text: string,
      { confirmed = false }: { confirmed?: boolean | undefined } = {},
    ): FrameOutcome {
      const connection = get(connectionId);
      const { registryId } = connection.info();
      const danger = frameDanger(text, { registryId, dangerousTools: callPolicy().dangerousTools ?? [] });
      if (danger !== undefined && !confirmed) return { sent: false, needs: 'confirmation-required', danger };
      if (!connection.wire.sendRaw(text)) throw new RequestError('This connection is closing.');
      return { sent: true };
    },
    /** Announces that other consumers are offered the tools of the gateway and its clients. */
    announceTools() {
      const clients = [...live.values()].map((connection) => connection.info().registryId);
      for (const id of [serverToolsId, ...clients]) toolRegistryManager.notifyChanged(id);
    },
    disconnect: (connectionId: string) => get(connectionId).wire.close(1000, 'closed by hand'),
    /** Removes routes and tools, closes every connection and waits until all have ended. */
    async close() {
      stopSweep();
      removeRoutes();
      await close();
      removeServerTools();
    },
  };
}

function serverToolsOf({ settings, callSessions, sessions, clock }: TurnServices): ToolRegistry {
  return createServerTools({
    name: settings().mcpServerName,
    protocolVersion: settings().mcpProtocolVersion,
    offer: (methods) => offerOwnTools(methods, settings()),
    sessionOf: (callId) => callSessions.get(callId),
    sessions,
    wall: clock.wall,
  });
}

/** Returns the function that ends it. */
function sweepRegularly(clock: Clock, sweep: () => void): () => void {
  const sweepLater = (): (() => void) =>
    clock.after(sweepMs, () => {
      sweep();
      stop = sweepLater();
    });
  let stop = sweepLater();
  return () => stop();
}

/** What the user does with sessions. */
function sessionActions(sessions: SessionStore, onChange: () => void) {
  return {
    /** The least recently active first. */
    sessions: () => sessions.list().map(sessionInfo),
    sessionMessages(id: string): GatewaySessionMessage[] {
      const session = sessions.get(id);
      if (session === undefined) throw new RequestError(`There is no session "${id}".`, { field: 'id' });
      return session.messages.map(({ role, content }) => ({ role, content }));
    },
    /** Its turns end with SESSION_ERROR. */
    endSession(id: string): void {
      if (!sessions.end(id)) throw new RequestError(`There is no session "${id}".`, { field: 'id' });
      onChange();
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

function sessionInfo(session: Session): GatewaySessionInfo {
  const { id, startedAt, lastActiveAt, messages, language, role, connections } = session;
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

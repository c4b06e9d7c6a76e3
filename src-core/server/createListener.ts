import type { Duplex } from 'node:stream';
import { createServer, type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer } from 'ws';

import { isLoopback } from './address.ts';
import { handleRequest, internalError, requestUrl } from './handleRequest.ts';
import { limitHttpSockets, type HttpSocketLimits } from './httpSockets.ts';
import { readClients, type IsProxy } from './proxied.ts';
import { listenErrorFrom, ownPorts } from './listenError.ts';
import { RouteTable } from './routeTable.ts';
import type { HttpRoute, ListenAddress, Listener, Refusal, UpgradeRoute } from './types.ts';
import { refusalOf, singleHostAndOrigin } from './policies.ts';

/** The address to listen on, and the limits for slow clients. */
export interface ListenerOptions {
  /** The address to bind; default `127.0.0.1`. */
  host?: string;
  /** 0 picks a free one. */
  port: number;
  /** Hears of what a route's handler threw. The listener goes on. */
  onError: (error: unknown) => void;
  /** ms for a client to send all headers; 10,000 by default. */
  headersTimeoutMs?: number;
  /** ms for a client to send the whole request; 30,000 by default. */
  requestTimeoutMs?: number;
  /** Connections at once; 2,048 by default. */
  maxConnections?: number;
  /** Connections of other machines that are not WebSockets; 64 for each machine and 512 in all by default. */
  httpSockets?: HttpSocketLimits;
  /** Proxies that are believed about the addresses of their clients; none by default. */
  isProxy?: IsProxy | undefined;
  /** ms that `close` waits for answers and close frames before it destroys the sockets; 1,000 by default. */
  closeGraceMs?: number;
}

/**
 * Makes the one HTTP and WebSocket listener. Headers are bound to 16 KiB, requests to a time, and WebSockets never
 * negotiate compression: no firmware speaks it (docs/protocols/xiaozhi.md#connecting).
 */
export function createListener(options: ListenerOptions): Listener {
  const { host = '127.0.0.1', port, onError } = options;
  const routes = new RouteTable<HttpRoute>();
  const upgrades = new RouteTable<MountedUpgrade>();
  const sockets = new Set<Socket>();
  let bound: ListenAddress | undefined;
  let closing: Promise<void> | undefined;

  const headersTimeout = options.headersTimeoutMs ?? 10_000;
  const server = createServer(
    {
      headersTimeout,
      requestTimeout: Math.max(headersTimeout, options.requestTimeoutMs ?? 30_000),
      connectionsCheckingInterval: Math.min(headersTimeout, 5_000),
      keepAliveTimeout: 5_000,
      maxHeaderSize: 16 * 1024,
    },
    (request, response) => {
      handleRequest(request, response, { routes, onError }).catch(onError);
    },
  );
  server.maxConnections = options.maxConnections ?? 2_048;
  const isLocal = (address: string): boolean => isLoopback(address) || options.isProxy?.(address) === true;
  limitHttpSockets(server, { perMachine: 64, inAll: 512, ...options.httpSockets, isLocal });
  server.on('upgrade', (request, socket, head) => handleUpgrade(request, socket, head, { upgrades, onError }));
  if (options.isProxy) readClients(server, options.isProxy);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  function listen(): Promise<ListenAddress> {
    return new Promise((resolve, reject) => {
      server.once('error', (error) => reject(listenErrorFrom(error, host, port)));
      server.listen({ host, port }, () => {
        server.removeAllListeners('error').on('error', onError);
        const address = server.address();
        bound = { host, port: typeof address === 'object' && address !== null ? address.port : port };
        ownPorts.add(`${host}:${bound.port}`);
        resolve(bound);
      });
    });
  }

  function stop(): Promise<void> {
    return new Promise((resolve) => {
      const grace = setTimeout(() => sockets.forEach((socket) => socket.destroy()), options.closeGraceMs ?? 1_000);
      // `close` calls back at once if the server never listened.
      server.close(() => {
        clearTimeout(grace);
        if (bound !== undefined) ownPorts.delete(`${host}:${bound.port}`);
        bound = undefined;
        resolve();
      });
      server.closeIdleConnections();
    });
  }

  return {
    listen,
    address: () => bound,
    route: (route) => routes.add(route),
    upgrade: (route) => {
      const handshake = new WebSocketServer({
        noServer: true,
        clientTracking: false,
        perMessageDeflate: false,
        // Otherwise one TCP segment of tiny frames occupies the event loop until all of them are handled.
        allowSynchronousEvents: false,
        maxPayload: route.maxPayload,
        skipUTF8Validation: route.checksUtf8 ?? false,
      });
      handshake.on('headers', (lines, request) => lines.push(...(route.headers?.(request) ?? [])));
      return upgrades.add({ ...route, handshake });
    },
    close: () => (closing ??= stop()),
  };
}

/** An upgrade route with the handshake that belongs to its limits. */
interface MountedUpgrade extends UpgradeRoute {
  handshake: WebSocketServer;
}

function refuse(socket: Duplex, { status, message }: Refusal): void {
  const body = `${message}\n`;
  const challenge = status === 401 ? 'WWW-Authenticate: Bearer\r\n' : '';
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}\r\nConnection: close\r\n${challenge}` +
      `Content-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

/**
 * Finds the WebSocket route of an upgrade, applies its policies and completes the handshake. An error of a policy is answered
 * with 500 and passed to `onError`.
 */
function handleUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  { upgrades, onError }: { upgrades: RouteTable<MountedUpgrade>; onError: (error: unknown) => void },
): void {
  const ignoreUntilOpen = () => socket.destroy();
  socket.on('error', ignoreUntilOpen);
  const url = requestUrl(request);
  const route = url === undefined ? undefined : upgrades.match(url.pathname)[0];
  if (url === undefined || route === undefined)
    return refuse(socket, { status: 404, message: 'No WebSocket is served under this path.' });
  let refusal: Refusal | undefined;
  try {
    refusal = refusalOf([singleHostAndOrigin, ...(route.policies ?? [])], request);
  } catch (error) {
    onError(error);
    refusal = internalError;
  }
  if (refusal !== undefined) return refuse(socket, refusal);
  route.handshake.handleUpgrade(request, socket, head, (opened) => {
    socket.off('error', ignoreUntilOpen);
    try {
      route.handle(opened, request, url);
    } catch (error) {
      onError(error);
      opened.terminate();
    }
  });
}

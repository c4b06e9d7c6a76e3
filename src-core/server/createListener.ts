import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import { handleRequest } from './handleRequest.ts';
import { handleUpgrade } from './handleUpgrade.ts';
import type { MountedUpgrade } from './handleUpgrade.ts';
import { limitHttpSockets } from './httpSockets.ts';
import type { HttpSocketLimits } from './httpSockets.ts';
import { listenErrorFrom } from './listenError.ts';
import { RouteTable } from './routeTable.ts';
import type { HttpRoute, ListenAddress, Listener } from './types.ts';

/** Where to listen, and the limits for slow clients. */
export interface ListenerOptions {
  /** The address to bind; default `127.0.0.1`. */
  host?: string;
  /** 0 picks a free one. */
  port: number;
  /** Hears of what a route's handler threw. The listener goes on. */
  onError: (error: unknown) => void;
  /** ms for a client to send all headers; 10,000 unless told. */
  headersTimeoutMs?: number;
  /** ms for a client to send the whole request; 30,000 unless told. */
  requestTimeoutMs?: number;
  /** Connections at once; 2,048 unless told. */
  maxConnections?: number;
  /** Connections of other machines that are not WebSockets; 64 for each machine and 512 in all by default. */
  httpSockets?: HttpSocketLimits;
  /** ms that `close` waits for answers and close frames before it destroys the sockets; 1,000 unless told. */
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
  limitHttpSockets(server, options.httpSockets ?? { perMachine: 64, inAll: 512 });
  server.on('upgrade', (request, socket, head) => handleUpgrade(request, socket, head, { upgrades, onError }));
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

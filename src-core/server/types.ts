import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';

/** Why a request is turned away, as an HTTP status with one line of reason. */
export interface Refusal {
  status: number;
  message: string;
}

/** Looks at a request before its handler does: `undefined` lets it through. Host, Origin and credentials are checked so. */
export type RequestPolicy = (request: IncomingMessage) => Refusal | undefined;

/** One request on its way through a route. */
export interface HttpExchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Path and query; the host in it is always `localhost`, never the client's word. */
  url: URL;
  /** Reads the body whole; throws `HttpError` 413 over the route's `maxBodyBytes`. */
  readBody: () => Promise<Buffer>;
}

/** What answers one path. */
export interface HttpRoute {
  /** HTTP methods in capitals. Another method on the same path is answered 405. */
  methods: readonly string[];
  /** An exact path, or a prefix that ends with `*`. The longest match wins. */
  path: string;
  /** All must pass. */
  policies?: readonly RequestPolicy[];
  /** Bytes; 64 KiB by default. */
  maxBodyBytes?: number;
  handle: (exchange: HttpExchange) => void | Promise<void>;
}

/** What takes the WebSocket connections of one path. All policies must pass. */
export interface UpgradeRoute {
  /** An exact path, or a prefix that ends with `*`. The longest match wins. */
  path: string;
  policies?: readonly RequestPolicy[];
  /** Bytes of one WebSocket message; a longer one closes the connection with 1009. */
  maxPayload: number;
  /** The route checks the bytes of text frames itself. Otherwise one that is not UTF-8 closes the connection with 1007. */
  checksUtf8?: boolean;
  /** Lines that the answer of the handshake has besides its own. */
  headers?: (request: IncomingMessage) => readonly string[];
  /** Takes the open socket. Must listen to its `error` event. */
  handle: (socket: WebSocket, request: IncomingMessage, url: URL) => void;
}

/** Where a listener is reached. */
export interface ListenAddress {
  host: string;
  port: number;
}

/** The one HTTP and WebSocket listener; every protocol adds its own routes (DESIGN.md, `server/`). */
export interface Listener {
  /** Binds. Rejects with a `ListenError` that names the port and what to do. */
  listen: () => Promise<ListenAddress>;
  /** Where it listens now; `undefined` before and after. */
  address: () => ListenAddress | undefined;
  /** Adds a route; the returned function takes it away. */
  route: (route: HttpRoute) => () => void;
  /** Adds a WebSocket route; the returned function takes it away. */
  upgrade: (route: UpgradeRoute) => () => void;
  /** Stops within `closeGraceMs`, whatever the clients do: half-open sockets are destroyed. Safe to call twice. */
  close: () => Promise<void>;
}

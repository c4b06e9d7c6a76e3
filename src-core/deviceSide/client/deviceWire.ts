import type { JsonObject } from '../../base/json.ts';
import type { DeviceSocket, DeviceSocketOptions } from './deviceSocket.ts';

/** One text frame that is about to go out as the answer to a request. */
export interface OutgoingAnswer {
  frame: string;
  /** The request's method, if it had one. */
  method: string | undefined;
}

/**
 * The messages of a device on its socket, apart from MCP. `standardWire` is the library's default; another imitates a
 * certain device (docs/protocols/xiaozhi.md).
 */
export interface DeviceWire {
  /** The options of a socket. */
  createSocket: (url: string, options: DeviceSocketOptions) => DeviceSocket;
  /** Headers beside the five of every device; one of the same name wins. */
  headers: (target: { url: string; token?: string }) => Record<string, string>;
  /** The first frame. */
  hello: (name: string | undefined) => string;
  /** Frames that follow the server's hello. */
  afterHello: (sessionId: string) => string[];
  /** Wraps a JSON-RPC message, which is text and need not be valid JSON. */
  envelope: (payload: string, sessionId: string) => string;
  /** Puts an answer on the socket, which is open. */
  deliver: (answer: OutgoingAnswer, socket: DeviceSocket) => void;
  /** Ends an open connection: with a close frame, or without a word. */
  leave: (socket: DeviceSocket) => void;
  /** What any other frame does to the device; `hello` among them. */
  onMessage?: (message: JsonObject & { type: string }, socket: DeviceSocket) => void;
}

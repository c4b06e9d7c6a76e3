import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { WebSocket, type RawData } from 'ws';

import { systemClock } from '../base/clock.ts';
import { keepAlive } from './keepAlive.ts';
import {
  deliver,
  faultOfEnds,
  faultOfText,
  noteProbe,
  readMessages,
  type McpTransport,
  type MessageFault,
} from './readMessages.ts';
import type { ServerEndpoint, WireObserver } from './types.ts';

const subprotocol = 'mcp';
const openMs = 20_000;
const closeMs = 2000;
/** `ws` closes the connection at a message of this many times the bound. Below, only its request fails. */
const hardFactor = 4;
/** A longer message is buffered only if the bound itself is larger. */
const maxBuffered = 256 * 1_048_576;

/**
 * One message a text frame, with the subprotocol `mcp` if the server has it. The SDK takes it for stdio, because it has
 * `pid` and `stderr`: silence on its probe means a legacy server, as on every transport that stays open.
 */
export class WebSocketTransport implements McpTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: McpTransport['onmessage'] & {};
  onfault?: (fault: MessageFault) => void;
  readonly pid = null;
  readonly stderr = null;
  probeId: McpTransport['probeId'];
  ignoredProbe: McpTransport['ignoredProbe'];
  /** The other side closed the connection, or it broke. */
  exitedByItself = false;
  closeCode: number | undefined;
  readonly #endpoint: Extract<ServerEndpoint, { type: 'websocket' }>;
  readonly #observer: WireObserver;
  readonly #maxMessageBytes: number;
  #socket: WebSocket | undefined;
  #isClosing = false;

  constructor(
    endpoint: Extract<ServerEndpoint, { type: 'websocket' }>,
    observer: WireObserver,
    maxMessageBytes: number,
  ) {
    this.#endpoint = endpoint;
    this.#observer = observer;
    this.#maxMessageBytes = maxMessageBytes;
  }

  /** @throws {Error} If the WebSocket cannot be opened: Node's or `ws`'s error. */
  async start(): Promise<void> {
    const socket = await this.#open([subprotocol]).catch((error: unknown) => {
      if (error instanceof Error && error.message === 'Server sent no subprotocol') return this.#open([]);
      throw error;
    });
    socket.on('error', (error) => this.onerror?.(error));
    socket.once('close', (code, reason) => {
      this.closeCode = code;
      this.exitedByItself = !this.#isClosing;
      this.#observer.onNote('close', `${code} ${reason.toString().slice(0, 200)}`.trim());
      this.onclose?.();
    });
    this.#observer.onNote('open', socket.protocol === '' ? 'Without a subprotocol' : `Subprotocol ${socket.protocol}`);
  }

  send(message: JSONRPCMessage): Promise<void> {
    noteProbe(this, message);
    const text = JSON.stringify(message);
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Error('The WebSocket is closed.'));
    this.#observer.onFrame({ direction: 'out', text, bytes: Buffer.byteLength(text) });
    return new Promise((resolve, reject) => socket.send(text, (error) => (error ? reject(error) : resolve())));
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    const socket = this.#socket;
    if (!socket || socket.readyState === WebSocket.CLOSED) return;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const timer = setTimeout(() => socket.terminate(), closeMs);
    socket.close(1000);
    await closed;
    clearTimeout(timer);
  }

  #open(protocols: string[]): Promise<WebSocket> {
    if (this.#isClosing) return Promise.reject(new Error('The WebSocket is closed.'));
    const { url, headers } = this.#endpoint;
    const socket = new WebSocket(url, protocols, {
      headers,
      handshakeTimeout: openMs,
      maxPayload: Math.max(this.#maxMessageBytes, Math.min(this.#maxMessageBytes * hardFactor, maxBuffered)),
    });
    // `close` ends a connection that is being opened, too.
    this.#socket = socket;
    keepAlive(socket, systemClock, () => this.#observer.onNote('note', 'No answer to a ping'));
    // Before the connection is open: a server may write first.
    socket.on('message', (data) => {
      // What has arrived is read in one turn of the event loop, and no more: a server may write without pause.
      if (!socket.isPaused) {
        socket.pause();
        setImmediate(() => socket.resume());
      }
      this.#receive(data);
    });
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(socket));
      socket.once('error', reject);
      socket.once('unexpected-response', (_request, { statusCode = 0 }) => {
        socket.terminate();
        reject(new UnexpectedStatusError(statusCode));
      });
    });
  }

  #receive(data: RawData): void {
    const bytes = data as Buffer;
    if (bytes.length > this.#maxMessageBytes) {
      this.#observer.onNote('note', `A message of ${bytes.length} bytes was dropped`);
      const ends = { start: bytes.subarray(0, 4096).toString(), end: bytes.subarray(-4096).toString() };
      const fault = faultOfEnds(ends, { code: 'too-large', reason: '', bytes: bytes.length });
      if (fault) this.onfault?.(fault);
      return;
    }
    const text = bytes.toString();
    this.#observer.onFrame({ direction: 'in', text, bytes: bytes.length });
    const messages = readMessages(text);
    if (messages) return deliver(this, messages);
    this.#observer.onNote('note', 'The last message is not JSON-RPC');
    const fault = faultOfText(text, bytes.length);
    if (fault) this.onfault?.(fault);
  }
}

/** The server answered the upgrade with an HTTP status. */
export class UnexpectedStatusError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The server answered with the status ${status}.`);
    this.status = status;
  }
}

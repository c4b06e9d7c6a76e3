import { GatewayConnectionError, GatewayTimeoutError } from './errors.ts';
import type { GatewaySocket } from './gatewaySocket.ts';
import type { GatewayMessage } from './messages.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';

/** Far over what a gateway sends. */
const maxMessageChars = 16 * 1024 * 1024;

/** What each type must have for the client to stand on. */
const fits: Readonly<Record<GatewayMessage['type'], (message: JsonObject) => boolean>> = {
  status: ({ status, data }) => typeof status === 'string' && isJsonObject(data),
  llm_response: ({ content }) => typeof content === 'string',
  tool_call: ({ tool_name: name }) => typeof name === 'string',
  tool_callback: ({ call_id: callId, tool_name: name, arguments: args }) =>
    typeof callId === 'string' && typeof name === 'string' && isJsonObject(args),
  tools_registered: ({ tools }) => Array.isArray(tools) && tools.every(isJsonObject),
  error: ({ code, message }) => typeof code === 'string' && typeof message === 'string',
  pong: () => true,
};

/** How one connection is made, and its listeners. */
export interface ConnectionOptions {
  url: string;
  createSocket: (url: string) => GatewaySocket;
  /** ms from the first step to `connected`. */
  timeoutMs: number;
  /** Each message after `connected`. */
  onMessage: (message: GatewayMessage) => void;
  /** Once, after it was open. */
  onClose: (error: GatewayConnectionError) => void;
}

/** One open connection. */
export interface Connection {
  /** The session that the gateway gave it. */
  sessionId: string;
  /** @throws {GatewayConnectionError} If it is no longer open. */
  send: (message: object) => void;
  close: () => void;
}

/** Connects and waits for `connected`. Rejects with a `GatewayConnectionError`, a `GatewayTimeoutError`, or the signal's reason. */
export function openConnection(options: ConnectionOptions, signal?: AbortSignal): Promise<Connection> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason as Error);
    const { url, timeoutMs, onMessage, onClose } = options;
    const socket = options.createSocket(url);
    let open: Connection | undefined;
    let ended: GatewayConnectionError | undefined;

    const timer = setTimeout(() => {
      fail(new GatewayTimeoutError(`${url} did not say "connected" within ${timeoutMs} ms.`));
    }, timeoutMs);
    const onAbort = (): void => fail(signal?.reason as Error);
    signal?.addEventListener('abort', onAbort, { once: true });

    function settle(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
    function fail(error: Error): void {
      if (open !== undefined || ended !== undefined) return;
      settle();
      ended = new GatewayConnectionError('The connection was given up.');
      socket.close();
      reject(error);
    }
    function end(error: GatewayConnectionError): void {
      if (ended !== undefined) return;
      settle();
      ended = error;
      if (open === undefined) reject(error);
      else onClose(error);
    }

    socket.addEventListener('message', ({ data }) => {
      const message = readMessage(data);
      if (message === undefined || ended !== undefined) return;
      if (open !== undefined) return onMessage(message);
      if (message.type !== 'status' || message.status !== 'connected') return;
      settle();
      open = {
        sessionId: String(message.data['session_id']),
        send(outgoing) {
          if (ended !== undefined) throw ended;
          socket.send(JSON.stringify(outgoing));
        },
        close() {
          end(new GatewayConnectionError('The connection was closed here.', 1000));
          socket.close(1000);
        },
      };
      resolve(open);
    });
    // 'close' always follows 'error' and knows more.
    socket.addEventListener('error', () => undefined);
    socket.addEventListener('close', ({ code, reason }) => {
      const why = reason === '' ? '' : `: ${reason}`;
      const what = open === undefined ? `Could not connect to ${url}` : `The connection to ${url} ended`;
      end(new GatewayConnectionError(`${what} (code ${code}${why}).`, code));
    });
  });
}

/** A frame as a message of the gateway; undefined for what is none, which is passed over. */
function readMessage(data: unknown): GatewayMessage | undefined {
  if (typeof data !== 'string' || data.length > maxMessageChars) return undefined;
  let message: JsonValue;
  try {
    message = JSON.parse(data) as JsonValue;
  } catch {
    return undefined; // Not JSON: none of the gateway's.
  }
  if (!isJsonObject(message) || typeof message['type'] !== 'string' || !Object.hasOwn(fits, message['type']))
    return undefined;
  const type = message['type'] as GatewayMessage['type'];
  // What of it is read has been looked at; a gateway may say more.
  return fits[type](message) ? (message as unknown as GatewayMessage) : undefined;
}

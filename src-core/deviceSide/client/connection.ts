import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { McpServer } from '../mcp/mcpServer.ts';
import type { OtaTarget } from './askOta.ts';
import type { CallScheduler } from './callScheduler.ts';
import type { DeviceLimits } from './clientLimits.ts';
import { isOpen, type DeviceSocket } from './deviceSocket.ts';
import type { DeviceWire } from './deviceWire.ts';
import type { DeviceIdentity } from './identity.ts';

/** Runs once after so many ms; the returned function calls it off. */
export type After = (ms: number, run: () => void) => () => void;

export interface ConnectionOptions {
  target: OtaTarget;
  identity: DeviceIdentity;
  name: string | undefined;
  server: McpServer;
  wire: DeviceWire;
  createScheduler: () => CallScheduler;
  limits: DeviceLimits;
  after: After;
  signal: AbortSignal;
  onMessage: ((message: JsonObject & { type: string }) => void) | undefined;
  onAudio: ((data: Buffer) => void) | undefined;
}

/** How a connection ended: the WebSocket's code, and the server's reason. */
export interface ConnectionEnd {
  code: number;
  reason: string;
}

/** One connection whose hello was answered. */
export interface Connection {
  readonly socket: DeviceSocket;
  readonly sessionId: string;
  /** Resolves when it has ended; never rejects. */
  readonly ended: Promise<ConnectionEnd>;
}

/** Connects, sends hello and answers messages from then on. Rejects if the server sends no hello. */
export function openConnection(options: ConnectionOptions): Promise<Connection> {
  const { target, identity, wire, limits, after, signal } = options;
  const { deviceId, clientId } = identity;
  const socket = wire.createSocket(target.url, {
    perMessageDeflate: false,
    allowSynchronousEvents: false,
    handshakeTimeout: limits.helloTimeoutMs,
    maxPayload: limits.maxPayload,
    headers: {
      'Device-Id': deviceId,
      'Client-Id': clientId,
      'Protocol-Version': '1',
      ...(target.token === undefined ? {} : { Authorization: `Bearer ${target.token}` }),
      ...wire.headers(target),
    },
  });
  const gone = new AbortController();
  const ended = new Promise<ConnectionEnd>((resolve) => {
    socket.on('close', (code, reason) => {
      gone.abort();
      resolve({ code, reason: reason.toString() });
    });
  });
  const answer = answerer({ ...options, socket, gone: gone.signal });

  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      if (greeted) return;
      settled();
      reject(error instanceof Error ? error : new Error(String(error)));
      socket.terminate();
    };
    const onAbort = (): void => fail(signal.reason);
    const stopTimer = after(limits.helloTimeoutMs, () =>
      fail(new Error(`The server answered no hello within ${limits.helloTimeoutMs / 1_000} s.`)),
    );
    const settled = (): void => {
      stopTimer();
      signal.removeEventListener('abort', onAbort);
    };
    let sessionId = '';
    let greeted = false;

    signal.addEventListener('abort', onAbort);
    // Once greeted, `close` follows and tells.
    socket.on('error', fail);
    socket.on('unexpected-response', (request, { statusCode = 0 }) => {
      const remedy = statusCode === 401 ? ' Give it the token of this server, or its OTA address.' : '';
      request.destroy();
      fail(new Error(`The server refused the connection with status ${statusCode}.${remedy}`));
    });
    socket.on('open', () => socket.send(wire.hello(options.name), {}));
    socket.on('message', (data, isBinary) => {
      if (isBinary) return options.onAudio?.(data as Buffer);
      const message = readFrame((data as Buffer).toString('utf8'));
      if (message === undefined) return;
      if (message.type === 'mcp') return answer(message['payload'], sessionId);
      wire.onMessage?.(message, socket);
      if (message.type !== 'hello') return options.onMessage?.(message);
      if (greeted || message['transport'] !== 'websocket' || !isOpen(socket)) return;
      greeted = true;
      const id = message['session_id'];
      sessionId = typeof id === 'string' ? id : '';
      settled();
      for (const frame of wire.afterHello(sessionId)) socket.send(frame, {});
      resolve({ socket, sessionId, ended });
    });
    void ended.then((end) => fail(new Error(closedBeforeHello(end))));
    if (signal.aborted) onAbort();
  });
}

/** Why Toolwire closes a connection before its hello, by the reason of its close frame. */
const closeReasons = new Map([
  ['waits-for-approval', 'This device waits for approval in Toolwire'],
  ['refused', 'This device was rejected in Toolwire'],
]);

function closedBeforeHello({ code, reason }: ConnectionEnd): string {
  const known = closeReasons.get(reason);
  if (known !== undefined) return `${known}, which closed the connection (${code}).`;
  // No frame has this code.
  if (code === 1006) return "The connection ended without a close frame (1006) before the server's hello.";
  const how = reason === '' ? '' : `, ${reason},`;
  return `The server closed the connection with code ${code}${how} before its hello.`;
}

/** Answers MCP payloads on one socket, in the order of its scheduler. */
function answerer(options: ConnectionOptions & { socket: DeviceSocket; gone: AbortSignal }) {
  const { server, wire, identity, limits, socket, gone } = options;
  const scheduler = options.createScheduler();
  const handleOptions = {
    signal: gone,
    identity: { deviceId: identity.deviceId, clientId: identity.clientId },
    runCall: scheduler.runCall,
  };

  function deliver(frame: string, method: string | undefined): void {
    if (gone.aborted || !isOpen(socket)) return;
    // A server that does not read is let go, before what waits for it fills the memory.
    if (socket.bufferedAmount > limits.maxUnsent) return socket.terminate();
    wire.deliver({ frame, method }, socket);
  }

  return (payload: JsonValue | undefined, sessionId: string): void => {
    const method = isJsonObject(payload) ? payload['method'] : undefined;
    void server.handle(payload, handleOptions).then((answered) => {
      if (answered === undefined) return;
      const frame = wire.envelope(answered, sessionId);
      scheduler.sendAnswer(() => deliver(frame, typeof method === 'string' ? method : undefined));
    });
  };
}

/** A text frame as a JSON object with a `type`; anything else is nothing to a device (docs/protocols/xiaozhi.md). */
function readFrame(text: string): (JsonObject & { type: string }) | undefined {
  let message: JsonValue;
  try {
    message = JSON.parse(text) as JsonValue;
  } catch {
    return undefined; // No JSON, so nothing to a device.
  }
  return isJsonObject(message) && hasType(message) ? message : undefined;
}

function hasType(message: JsonObject): message is JsonObject & { type: string } {
  return typeof message['type'] === 'string';
}

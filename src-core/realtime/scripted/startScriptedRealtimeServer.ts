import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { RawData, WebSocket } from 'ws';
import { systemClock, type Clock } from '../../base/clock.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { createListener } from '../../server/createListener.ts';
import { hostPolicy, originPolicy } from '../../server/policies.ts';
import type { RequestPolicy } from '../../server/types.ts';
import type { RealtimeDialectName, RealtimeScript } from '../../base/realtimeTypes.ts';
import { scriptedDialects } from './dialects.ts';
import { EventError } from './eventError.ts';
import type { ScriptedConnection } from './responseRun.ts';
import { ScriptedSession } from './scriptedSession.ts';
import type { SharedTurns } from './scriptTurns.ts';

export interface ScriptedRealtimeServerOptions {
  dialect: RealtimeDialectName;
  /** As `readRealtimeScript` returns it. Default: the built-in script, in the language of the session's instructions. */
  script?: RealtimeScript | undefined;
  /** Required as `Authorization: Bearer …` if set; 401 otherwise. */
  key?: string | undefined;
  /** Default 0. Listens on 127.0.0.1 only. */
  port?: number | undefined;
  /** ms between two pieces of the voice; 0 sends all at once, for tests. Default: playback speed. */
  paceMs?: number | undefined;
  clock?: Clock | undefined;
  /** Receives errors of the listener itself; clients are told of their own. */
  onError?: ((error: unknown) => void) | undefined;
}

/** A running scripted server: a real WebSocket server on this machine. */
export interface ScriptedRealtimeServer {
  /** `ws://127.0.0.1:PORT/v1/realtime` */
  readonly url: string;
  /**
   * The last 10,000 events received on all connections, in order. Audio in them is replaced by its length:
   * `"audio":"<4800 bytes>"`.
   */
  readonly received: { connection: number; event: Record<string, unknown> }[];
  close(): Promise<void>;
}

const path = '/v1/realtime';
const maxConnections = 32;
/** Bytes of one event: what OpenAI takes, 15 MiB of sound in base64, fits. */
const maxPayload = 21 * 1024 * 1024;
const maxReceived = 10_000;
/** Bytes that may wait for a slow client before the voice waits, and before the connection is cut. */
const slowBytes = 1024 * 1024;
const maxWaitingBytes = 32 * 1024 * 1024;

/**
 * Starts a realtime model server on this machine that speaks a vendor's protocol and says what its script says
 * (docs/protocols/realtime.md): the default model of the Realtime pane, which therefore works offline, and the test server of
 * providers.
 * @throws {ListenError} If the port is taken.
 */
export async function startScriptedRealtimeServer(
  options: ScriptedRealtimeServerOptions,
): Promise<ScriptedRealtimeServer> {
  const { script, key, port = 0, paceMs, clock = systemClock, onError = () => {} } = options;
  const dialect = scriptedDialects[options.dialect];
  const received: ScriptedRealtimeServer['received'] = [];
  const shared: SharedTurns = { calls: new Map(), dropped: new Set() };
  const sockets = new Set<WebSocket>();
  let connections = 0;

  const listener = createListener({ port, maxConnections, onError });
  listener.upgrade({
    path,
    policies: [hostPolicy(), originPolicy(), keyPolicy(key), betaHeaderPolicy(dialect.name)],
    maxPayload,
    handle(socket, _request, url) {
      connections += 1;
      const connection = connections;
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      const model = url.searchParams.get('model')?.slice(0, 200) ?? dialect.model;
      const session = new ScriptedSession({
        dialect,
        model,
        script,
        shared,
        connection: createConnection(socket, { clock, paceMs }),
      });
      runSession(session, socket, (event) => {
        received.push({ connection, event });
        if (received.length > maxReceived) received.shift();
      });
    },
  });
  const address = await listener.listen();
  return {
    url: `ws://${address.host}:${address.port}${path}`,
    received,
    async close() {
      for (const socket of sockets) socket.terminate();
      await listener.close();
    },
  };
}

function createConnection(socket: WebSocket, pace: Pick<ScriptedConnection, 'clock' | 'paceMs'>): ScriptedConnection {
  let drained = Promise.resolve();

  function send(data: string | Buffer): void {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > maxWaitingBytes) return socket.terminate();
    if (socket.bufferedAmount <= slowBytes) return socket.send(data);
    drained = new Promise((resolve) => socket.send(data, () => resolve()));
  }

  return {
    ...pace,
    send: (type, fields) => send(JSON.stringify({ type, event_id: `event_${randomUUID()}`, ...fields })),
    drained: () => drained,
    drop: () => socket.terminate(),
    sendGarbage() {
      send('{"type":"response.audio.delta","delta":');
      send('null');
      send('{"type":42}');
      send(Buffer.from([0, 255, 1, 254]));
    },
  };
}

/** Feeds a session from its socket until either ends. */
function runSession(session: ScriptedSession, socket: WebSocket, onEvent: (event: JsonObject) => void): void {
  socket.on('message', (data, isBinary) => {
    const event = isBinary ? undefined : parse(data);
    if (event === undefined) {
      session.refuse(new EventError({ code: 'invalid_json', message: 'The frame is not JSON text.' }));
      return;
    }
    onEvent(withoutSound(event));
    session.take(event);
  });
  // The close event reports what broke the connection.
  socket.on('error', () => socket.terminate());
  socket.on('close', () => session.close());
  session.open();
}

function parse(data: RawData): JsonValue | undefined {
  try {
    return JSON.parse(String(data)) as JsonValue;
  } catch {
    return undefined; // The caller answers that the frame is not JSON.
  }
}

function withoutSound(event: JsonValue): JsonObject {
  if (!isJsonObject(event)) return { value: event };
  const { audio } = event;
  return typeof audio === 'string' ? { ...event, audio: `<${Buffer.byteLength(audio, 'base64')} bytes>` } : event;
}

/** Requires `Authorization: Bearer KEY`, if a key is set. */
function keyPolicy(key: string | undefined): RequestPolicy {
  if (key === undefined) return () => undefined;
  // Digests have one length, so that the time of a comparison reveals nothing of the key.
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const wanted = digest(`Bearer ${key}`);
  return ({ headers }) =>
    timingSafeEqual(digest(headers.authorization ?? ''), wanted)
      ? undefined
      : { status: 401, message: 'Incorrect API key provided.' };
}

/** The beta requires its header; OpenAI's current API refuses it. */
function betaHeaderPolicy(dialect: RealtimeDialectName): RequestPolicy {
  return ({ headers }) => {
    const isBeta = headers['openai-beta'] === 'realtime=v1';
    if (dialect === 'openai' && isBeta) {
      return {
        status: 400,
        message: 'The Realtime Beta API is no longer supported: leave out the header OpenAI-Beta.',
      };
    }
    if (dialect === 'openai-beta' && !isBeta)
      return { status: 400, message: 'The beta needs the header "OpenAI-Beta: realtime=v1".' };
    return undefined;
  };
}

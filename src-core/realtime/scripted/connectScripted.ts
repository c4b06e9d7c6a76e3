import { randomUUID } from 'node:crypto';
import type { RawData, WebSocket } from 'ws';
import type { Clock } from '../../base/clock.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { RealtimeScript } from '../realtimeProfile.ts';
import type { ScriptedDialect } from './dialect.ts';
import { EventError } from './eventError.ts';
import { ScriptedSession } from './scriptedSession.ts';
import { ScriptTurns } from './scriptTurns.ts';
import type { SharedTurns } from './scriptTurns.ts';
import { VoicePace } from './voicePace.ts';

/** Bytes that may wait for a slow client before the voice waits, and before the connection is cut. */
const slowBytes = 1024 * 1024;
const maxWaitingBytes = 32 * 1024 * 1024;

/** Puts a session of the scripted server on an open socket. */
export function connectScripted(
  socket: WebSocket,
  options: {
    dialect: ScriptedDialect;
    model: string;
    scriptFor: (chinese: boolean) => RealtimeScript;
    shared: SharedTurns;
    clock: Clock;
    /** As in `ScriptedRealtimeServerOptions`. */
    paceMs: number | undefined;
    /** Hears of each event that came, its sound cut. */
    onEvent: (event: JsonObject) => void;
  },
): void {
  const { dialect, model, scriptFor, shared, clock, paceMs, onEvent } = options;
  let drained = Promise.resolve();

  function send(data: string | Buffer): void {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > maxWaitingBytes) return socket.terminate();
    if (socket.bufferedAmount <= slowBytes) return socket.send(data);
    drained = new Promise((resolve) => socket.send(data, () => resolve()));
  }

  const session = new ScriptedSession({
    dialect,
    model,
    send: (type, fields) => send(JSON.stringify({ type, event_id: `event_${randomUUID()}`, ...fields })),
    createTurns: (isChinese) => new ScriptTurns(() => scriptFor(isChinese()), shared),
    createPace: () => new VoicePace({ clock, paceMs, drained: () => drained }),
    drop: () => socket.terminate(),
    sendGarbage() {
      send('{"type":"response.audio.delta","delta":');
      send('null');
      send('{"type":42}');
      send(Buffer.from([0, 255, 1, 254]));
    },
  });
  socket.on('message', (data, isBinary) => {
    const event = isBinary ? undefined : parse(data);
    if (event === undefined) {
      session.refuse(new EventError({ code: 'invalid_json', message: 'The frame is not JSON text.' }));
      return;
    }
    onEvent(withoutSound(event));
    session.take(event);
  });
  // What broke the connection is told by its end.
  socket.on('error', () => socket.terminate());
  socket.on('close', () => session.close());
  session.open();
}

function parse(data: RawData): JsonValue | undefined {
  try {
    return JSON.parse(String(data)) as JsonValue;
  } catch {
    return undefined; // Whoever asks answers that it is not valid JSON.
  }
}

function withoutSound(event: JsonValue): JsonObject {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) return { value: event };
  const { audio } = event;
  return typeof audio === 'string' ? { ...event, audio: `<${Buffer.byteLength(audio, 'base64')} bytes>` } : event;
}

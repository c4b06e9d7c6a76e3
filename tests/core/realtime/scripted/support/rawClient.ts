import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { JsonObject, JsonValue } from '../../../../../src-core/base/json.ts';
import type { RealtimeDialectName } from '../../../../../src-core/base/realtimeTypes.ts';
import type { ScriptedRealtimeServerOptions } from '../../../../../src-core/realtime/scripted/startScriptedRealtimeServer.ts';
import { speak } from '../../../../../src-core/realtime/scripted/voice.ts';
import { startScriptedRealtimeServer } from '../../../../../src-core/realtime/scripted/startScriptedRealtimeServer.ts';

export interface ServerEvent extends JsonObject {
  type: string;
}

/** A client that sends and reads frames as they are. */
export interface RawClient {
  socket: WebSocket;
  /** All events that came; what is none is there as `invalid`. */
  events: ServerEvent[];
  send: (...events: object[]) => void;
  /** Resolves with the next event of that type that no call has given yet. */
  next: (type: string) => Promise<ServerEvent>;
  closed: Promise<number>;
}

/** Starts a server that says all at once; closed with the test. */
export async function startServer(options: Partial<ScriptedRealtimeServerOptions> = {}) {
  const server = await startScriptedRealtimeServer({ dialect: 'openai', paceMs: 0, ...options });
  onTestFinished(() => server.close());
  return server;
}

export async function openClient(
  url: string,
  dialect: RealtimeDialectName,
  headers: Record<string, string> = {},
): Promise<RawClient> {
  const beta = dialect === 'openai-beta' ? { 'OpenAI-Beta': 'realtime=v1' } : {};
  const socket = new WebSocket(url, { headers: { ...beta, ...headers } });
  const events: ServerEvent[] = [];
  const given = new Set<ServerEvent>();
  const waiting = new Set<() => void>();
  const wake = (): void => [...waiting].forEach((check) => check());
  const closed = once(socket, 'close').then(([code]) => code as number);
  socket.on('error', () => {});
  socket.on('message', (data, isBinary) => {
    events.push(isBinary ? { type: 'invalid' } : read((data as Buffer).toString()));
    wake();
  });
  onTestFinished(() => socket.terminate());
  const client: RawClient = {
    socket,
    events,
    send: (...sent) => sent.forEach((event) => socket.send(JSON.stringify(event))),
    next: (type) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const event = events.find((other) => other.type === type && !given.has(other));
          if (event === undefined) return;
          waiting.delete(check);
          given.add(event);
          resolve(event);
        };
        waiting.add(check);
        check();
        void closed.then((code) => reject(new Error(`closed with ${code} before ${type} came`)));
      }),
    closed,
  };
  await once(socket, 'open');
  await client.next('session.created');
  return client;
}

function read(text: string): ServerEvent {
  try {
    const value = JSON.parse(text) as JsonValue;
    const isEvent = typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
    return isEvent ? (value as ServerEvent) : { type: 'invalid' };
  } catch {
    return { type: 'invalid' };
  }
}

/** Somebody says something for a second or two, and is silent for one: `append` events. */
export function spokenAudio(sampleRate: number, { silence = true } = {}): object[] {
  const parts = [...speak('what is the time now please', sampleRate)].map(({ pcm }) => Buffer.from(pcm.buffer));
  if (silence) parts.push(Buffer.alloc(sampleRate * 2));
  return parts.map((part) => ({ type: 'input_audio_buffer.append', audio: part.toString('base64') }));
}

/** `session.update` with one tool, and transcription, as a dialect takes it. */
export function sessionUpdate(dialect: RealtimeDialectName, more: JsonObject = {}): object {
  const tool = {
    name: 'clock_get_time',
    description: 'Tells the time.',
    parameters: { type: 'object', properties: {} },
  };
  if (dialect === 'openai') {
    const audio = { input: { transcription: { model: 'whisper-1' } } };
    return {
      type: 'session.update',
      session: { type: 'realtime', audio, tools: [{ type: 'function', ...tool }], ...more },
    };
  }
  const tools = dialect === 'qwen' ? [{ type: 'function', function: tool }] : [{ type: 'function', ...tool }];
  const transcription = { input_audio_transcription: { model: 'any' } };
  return { type: 'session.update', session: { ...transcription, tools, ...more } };
}

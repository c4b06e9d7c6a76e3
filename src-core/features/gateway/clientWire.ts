import type { RawData, WebSocket } from 'ws';

import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import { describeMessage } from './describeFrame.ts';
import type { FrameEntry, FrameNote } from '../frames/frameLog.ts';
import type { ServerMessage } from './messages.ts';

/** How a connection ended. */
export interface ClientClose {
  /** As the socket reports it; 1006 if no close frame was received. */
  code: number;
  /** In a few words: who ended it, and why. */
  reason: string;
}

/** One client's open socket, its limits, and the callbacks for its messages. */
export interface ClientWireOptions {
  socket: WebSocket;
  clock: Clock;
  /** ms between our pings, and of silence after which the connection ends (docs/protocols/gateway.md#limits). */
  pingIntervalMs: number;
  pingTimeoutMs: number;
  onText: (text: string) => void;
  onBinary: () => void;
  onClose: (close: ClientClose) => void;
  /** Called for each frame when it is received or sent. */
  onFrame: (frame: FrameEntry) => void;
}

/** Bytes that may wait for a client that does not read. */
const maxUnsent = 8 * 1024 * 1024;
/** ms from our close frame to cutting the connection. */
const closeGraceMs = 2_000;

/** One client's WebSocket: sends messages, receives frames, keeps the heartbeat, and enforces the close. */
export class ClientWire {
  readonly #options: ClientWireOptions;
  readonly counters = { framesIn: 0, framesOut: 0, bytesIn: 0, bytesOut: 0 };
  /** Epoch ms of the last frame or pong. */
  lastSeenAt: number;
  #heardAt: number;
  #ourReason: string | undefined;
  #error: Error | undefined;
  #stopHeartbeat: () => void = () => {};
  #stopTerminate: () => void = () => {};

  constructor(options: ClientWireOptions) {
    this.#options = options;
    const { socket, clock } = options;
    this.lastSeenAt = clock.wall();
    this.#heardAt = clock.now();
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('ping', () => this.#heard());
    socket.on('pong', () => this.#heard());
    socket.on('error', (error) => (this.#error = error));
    socket.on('close', (code) => this.#closed(code));
    this.#beat();
  }

  /** Sends a message with a timestamp. Returns false if the connection is no longer open. */
  send(message: ServerMessage): boolean {
    const stamped = { ...message, timestamp: new Date(this.#options.clock.wall()).toISOString() };
    // JSON by what is in it; an interface has no index signature to say so.
    return this.#send(JSON.stringify(stamped), describeMessage(stamped as unknown as JsonObject));
  }

  /** Sends text unchanged. Returns false if the connection is no longer open. */
  sendRaw(text: string): boolean {
    return this.#send(text, { type: 'raw', summary: 'sent by hand' });
  }

  /** Nothing more is read from the client until `resume`. */
  pause(): void {
    this.#options.socket.pause();
  }

  resume(): void {
    this.#options.socket.resume();
  }

  /** Closes with a close frame (`reason`: at most 123 bytes), and cuts the connection if none is returned. */
  close(code: number, reason: string): void {
    if (this.#ourReason !== undefined) return;
    this.#ourReason = reason;
    const { socket, clock } = this.#options;
    this.#options.onFrame(closeFrame('out', code, reason));
    // A paused socket would not receive the answer.
    socket.resume();
    socket.close(code, reason);
    this.#stopTerminate = clock.after(closeGraceMs, () => socket.terminate());
  }

  #send(text: string, note: FrameNote): boolean {
    const { socket, onFrame } = this.#options;
    if (socket.readyState !== socket.OPEN) return false;
    if (socket.bufferedAmount > maxUnsent) {
      this.#ourReason ??= `it does not read: ${socket.bufferedAmount} bytes wait for it`;
      socket.terminate();
      return false;
    }
    const data = Buffer.from(text);
    socket.send(data, { binary: false });
    this.counters.framesOut += 1;
    this.counters.bytesOut += data.length;
    onFrame({ direction: 'out', kind: 'text', bytes: data.length, text, note });
    return true;
  }

  #receive(data: RawData, isBinary: boolean): void {
    this.#heard();
    const { length } = data as Buffer;
    this.counters.framesIn += 1;
    this.counters.bytesIn += length;
    if (isBinary) {
      const note = { type: 'invalid', summary: `${length} binary bytes` };
      this.#options.onFrame({ direction: 'in', kind: 'binary', bytes: length, note });
      this.#options.onBinary();
    } else {
      this.#options.onText((data as Buffer).toString('utf8'));
    }
  }

  #heard(): void {
    const { clock } = this.#options;
    this.lastSeenAt = clock.wall();
    this.#heardAt = clock.now();
  }

  /** Any frame or pong is a sign of life; our ping asks for one (docs/protocols/gateway.md#limits). */
  #beat(): void {
    const { socket, clock, pingIntervalMs, pingTimeoutMs } = this.#options;
    const left = this.#heardAt + pingTimeoutMs - clock.now();
    if (left <= 0) return this.close(1011, `no sign of life for ${pingTimeoutMs / 1_000} s`);
    this.#stopHeartbeat = clock.after(Math.min(pingIntervalMs, left), () => {
      if (socket.readyState !== socket.OPEN) return;
      socket.ping();
      this.#beat();
    });
  }

  #closed(code: number): void {
    this.#stopHeartbeat();
    this.#stopTerminate();
    const reason =
      this.#ourReason ?? this.#error?.message ?? (code === 1006 ? 'without a close frame' : 'by the client');
    this.#options.onFrame(closeFrame('in', code, reason));
    this.#options.onClose({ code, reason });
  }
}

function closeFrame(direction: FrameEntry['direction'], code: number, reason: string): FrameEntry {
  return { direction, kind: 'close', bytes: 0, note: { type: 'close', summary: `${code} ${reason}` } };
}

import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import type { Clock } from '../../../base/clock.ts';
import { AudioMeter } from '../audio/audioMeter.ts';
import { BinaryRuns } from '../audio/binaryRuns.ts';
import { frameAudio } from '../audio/frameAudio.ts';
import {
  binaryVersionOf,
  isJsonText,
  payloadOf,
  readBinaryFrame,
  type BinaryVersion,
} from '../audio/readBinaryFrame.ts';
import type { FrameFault } from '../../../contract/deviceInfo.ts';
import { readFrameText, type FrameText } from './frameText.ts';
import type { DeviceLimits } from '../limits.ts';
import { notificationNote } from './rpcPeer.ts';
import { textFrame } from './textFrame.ts';
import type { DeviceInfo } from '../../../contract/deviceInfo.ts';
import type { FrameEntry, FrameNote, FrameRecorder } from '../../frames/frameLog.ts';

/** How a connection ended. */
export interface WireClose {
  /** As the socket reports it; 1006 if no close frame was received. */
  code: number;
  /** Why we ended it; absent if the device did. */
  ourReason?: string;
  /** We ended it because the device had connected again. */
  isReplaced?: true;
  /** The socket's error: a frame over the limit, a reset. */
  error?: Error;
  /** A frame of the device broke the WebSocket's rules or limits. */
  broken?: true;
}

/** Text that was received from a device. */
export interface WireText extends FrameText {
  /** Of a message of more than `maxParsed` bytes only its beginning. */
  text: string;
  /** Of the whole message. */
  bytes: number;
  kind: 'text' | 'binary';
}

/** One device's open socket, its limits, and the callbacks for its frames and its end. */
export interface DeviceWireOptions {
  socket: WebSocket;
  /** The TCP socket below it. */
  transport: Pick<Duplex, 'cork' | 'uncork' | 'write' | 'prependListener' | 'off'>;
  frames: FrameRecorder;
  /** The hub's id of the device. */
  deviceId: string;
  /** It has to be admitted first: until `admit` its frames are held. */
  uninvited: boolean;
  clock: Clock;
  limits: Pick<
    DeviceLimits,
    'keepAliveMs' | 'closeGraceMs' | 'maxUnsent' | 'maxEarlyBytes' | 'maxPayload' | 'maxParsed'
  >;
  /** A text without effect that keeps a board connected, sent whenever we were silent for `keepAliveMs`. */
  keepAliveText: string;
  /** The text was sent, and a ping with it. */
  onKeepAlive: () => void;
  /** Text of a text frame, or JSON in a binary one. */
  onText: (message: WireText) => void;
  /** The first binary frame of a run that is not JSON: returns the call whose answer it may be. */
  onStray: (isAudio: boolean) => string | undefined;
  /** More than `maxEarlyBytes` arrived before `admit`. Nothing more is read from the device. */
  onFlood: () => void;
  onClose: (close: WireClose) => void;
}

/** The problem of JSON in a frame that carries audio. */
export const inBinary = 'in a binary frame';

/** ms between two log lines about keep-alives: one for each would fill the log. */
const keepAliveNoteMs = 600_000;

/** One device's WebSocket: counts and logs frames, sends keep-alives, enforces the close. */
export class DeviceWire {
  readonly #options: DeviceWireOptions;
  /** The hub's id of the device. Replaced once the hello names the device. */
  deviceId: string;
  /** Called with each packet of the device's audio. */
  onAudio: ((opus: Uint8Array) => void) | undefined;
  readonly counters: DeviceInfo['counters'] = { framesIn: 0, framesOut: 0, binaryIn: 0, invalidIn: 0 };
  /** What was wrong with frames that could not be read. */
  readonly faults = new Set<FrameFault>();
  /** Epoch ms of the last received frame, including pings and pongs. */
  lastSeenAt: number;
  #lastFrameAt: number;
  readonly #audio = new AudioMeter();
  readonly #binary: BinaryRuns;
  #version: BinaryVersion = 1;
  #sentThisTurn = false;
  #corked = false;
  #uninvited: boolean;
  #earlyBytes = 0;
  #flooded = false;
  #keepAlives = { sent: 0, notedAt: -Infinity };
  #ourReason: string | undefined;
  #error: Error | undefined;
  #broken = false;
  #lastSentAt: number;
  #stopKeepAlive: () => void = () => {};
  #stopTerminate: () => void = () => {};

  /** Without pings and pongs. */
  readonly msSinceFrame = (): number => this.#options.clock.now() - this.#lastFrameAt;

  constructor(options: DeviceWireOptions) {
    this.#options = options;
    const { socket, clock } = options;
    this.deviceId = options.deviceId;
    this.#uninvited = options.uninvited;
    this.#binary = new BinaryRuns({ clock, log: (entry) => void this.#log(entry), onStray: options.onStray });
    this.lastSeenAt = clock.wall();
    this.#lastSentAt = this.#lastFrameAt = clock.now();
    // Before `ws`, which would collect a large frame before it reports it.
    options.transport.prependListener('data', this.#countEarly);
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    // Frames of the WebSocket itself; py-xiaozhi pings every 20 s.
    for (const sign of ['ping', 'pong'] as const) socket.on(sign, () => (this.lastSeenAt = clock.wall()));
    socket.on('error', (error) => {
      this.#broken = 'code' in error && String(error.code).startsWith('WS_ERR_');
      this.#error = this.#explain(error);
    });
    socket.on('close', (code) => this.#closed(code));
  }

  /** We have begun to end it. The device may send until the connection is cut. */
  get closing(): boolean {
    return this.#ourReason !== undefined;
  }

  /** Audio of this connection; `undefined` until some is received. */
  get audio(): DeviceInfo['audio'] {
    return this.#audio.figures(this.#options.clock.now());
  }

  /** `version` of the device's hello: how its binary frames are to be read. */
  set protocolVersion(version: unknown) {
    this.#version = binaryVersionOf(version);
  }

  get protocolVersion(): BinaryVersion {
    return this.#version;
  }

  /** Sends text. `logged` replaces it in the log if it holds a secret; the note is logged with it. */
  send(text: string, note: FrameNote, logged = text): void {
    if (!this.#takes()) return;
    const { frame, bytes } = textFrame(text);
    this.#options.transport.write(frame);
    this.note({ direction: 'out', kind: 'text', bytes, text: logged, note });
  }

  /** Sends one Opus packet as the connection frames it; a run of them is one line in the log. */
  sendAudio(opus: Uint8Array, timestampMs: number): void {
    const packet = Buffer.from(opus.buffer, opus.byteOffset, opus.byteLength);
    const data = frameAudio(packet, this.#version, timestampMs);
    if (!this.#put(data, true)) return;
    this.#binary.add('out', data.length, this.#version === 2 ? timestampMs : undefined);
  }

  /** Sends one frame unchanged. Returns its `seq` in the log, or `undefined` if the connection is ending. */
  sendRaw(data: Buffer, entry: Pick<FrameEntry, 'text' | 'note'> & { kind: 'text' | 'binary' }): number | undefined {
    if (!this.#put(data, entry.kind === 'binary')) return undefined;
    return this.#add({ direction: 'out', bytes: data.length, ...entry });
  }

  #put(data: Buffer, binary: boolean): boolean {
    if (!this.#takes()) return false;
    this.#options.socket.send(data, { binary });
    return true;
  }

  /** Whether a frame may be sent now. If so, it is counted, and the caller must send it. */
  #takes(): boolean {
    const { socket, limits, clock } = this.#options;
    if (socket.readyState !== socket.OPEN) return false;
    if (socket.bufferedAmount > limits.maxUnsent) {
      this.end(`it does not read: ${socket.bufferedAmount} bytes wait for it`);
      return false;
    }
    this.#gather();
    this.counters.framesOut += 1;
    this.#lastSentAt = clock.now();
    return true;
  }

  /**
   * The first frame of a turn of the event loop is sent at once, later ones of the same turn in one write: writes are
   * most of the work of concurrent calls, and a single call does not wait.
   */
  #gather(): void {
    if (this.#corked) return;
    if (this.#sentThisTurn) {
      this.#corked = true;
      this.#options.transport.cork();
      return;
    }
    this.#sentThisTurn = true;
    process.nextTick(this.#endTurn);
  }

  readonly #endTurn = (): void => {
    this.#sentThisTurn = false;
    if (!this.#corked) return;
    this.#corked = false;
    this.#options.transport.uncork();
  };

  /** Adds an entry to the log and counts it if it could not be read. Returns its `seq`. */
  note(entry: FrameEntry): number {
    if (entry.note.type === 'invalid') this.counters.invalidIn += 1;
    // A message has the time of its arrival, however long it took to read.
    const isMessage = entry.direction === 'in' && (entry.kind === 'text' || entry.kind === 'binary');
    return this.#add(isMessage ? { at: this.lastSeenAt, ...entry } : entry);
  }

  readonly #countEarly = (chunk: Buffer): void => {
    const { socket, limits, onFlood } = this.#options;
    this.#earlyBytes += chunk.length;
    if (this.#flooded || this.#earlyBytes <= limits.maxEarlyBytes) return;
    this.#flooded = true;
    socket.pause();
    onFlood();
  };

  /** Its hello is being answered: listeners get its earlier frames, and the limit for early bytes ends. */
  admit(): void {
    this.#options.transport.off('data', this.#countEarly);
    if (!this.#uninvited) return;
    this.#uninvited = false;
    this.#options.frames.admit(this.deviceId);
  }

  #add(entry: FrameEntry): number {
    this.#binary.end();
    return this.#log(entry);
  }

  #log(entry: FrameEntry): number {
    return this.#options.frames.add({ source: 'device', connection: this.deviceId, held: this.#uninvited, ...entry });
  }

  /** Starts the keep-alive. Call it after hello, never before (docs/protocols/xiaozhi.md#hello). */
  startKeepAlive(): void {
    const { socket, clock, limits, onKeepAlive } = this.#options;
    this.#stopKeepAlive();
    const idle = clock.now() - this.#lastSentAt;
    this.#stopKeepAlive = clock.after(Math.max(0, limits.keepAliveMs - idle), () => {
      if (socket.readyState !== socket.OPEN) return;
      if (clock.now() - this.#lastSentAt >= limits.keepAliveMs && this.#keepAlive()) onKeepAlive();
      this.startKeepAlive();
    });
  }

  /**
   * Sends the keep-alive now, to detect a connection that broke unnoticed: the timer of the next one did not run while
   * the computer slept.
   */
  checkNow(): void {
    // Whether the device is idle is decided at the next keep-alive, when it has had time to answer this one.
    if (this.#keepAlive()) this.startKeepAlive();
  }

  #keepAlive(): boolean {
    const { socket, clock, keepAliveText } = this.#options;
    const data = Buffer.from(keepAliveText);
    if (!this.#put(data, false)) return false;
    // A missing pong does not end the connection: some boards send none (docs/protocols/xiaozhi.md#messages).
    socket.ping();
    const { sent, notedAt } = this.#keepAlives;
    this.#keepAlives.sent += 1;
    if (clock.now() - notedAt < keepAliveNoteMs) return true;
    const note = notificationNote('notifications/ping');
    if (sent > 0) note.summary += ` × ${sent + 1}`;
    this.#keepAlives = { sent: 0, notedAt: clock.now() };
    this.note({ direction: 'out', kind: 'text', bytes: data.length, text: keepAliveText, note });
    return true;
  }

  /**
   * Closes with a close frame (`reason`: at most 123 bytes), and cuts the connection soon after: a board does not
   * answer the frame (docs/protocols/xiaozhi.md#messages).
   */
  close(code: number, reason: string): void {
    if (this.#ourReason !== undefined) return;
    this.#ourReason = reason;
    const { socket, clock, limits } = this.#options;
    this.note({ direction: 'out', kind: 'close', bytes: 0, note: { type: 'close', summary: `${code} ${reason}` } });
    socket.close(code, reason);
    this.#stopTerminate = clock.after(limits.closeGraceMs, () => socket.terminate());
  }

  /** Cuts the connection at once. */
  end(reason: string): void {
    this.#ourReason ??= reason;
    this.#options.socket.terminate();
  }

  #explain(error: Error): Error {
    if (!('code' in error) || error.code !== 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return error;
    return new Error(`it sent a message larger than ${this.#options.limits.maxPayload} bytes`, { cause: error });
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#flooded) return;
    const { clock } = this.#options;
    this.lastSeenAt = clock.wall();
    this.#lastFrameAt = clock.now();
    this.counters.framesIn += 1;
    if (isBinary) return this.#receiveBinary(data as Buffer);
    this.#receiveText(data as Buffer, { bytes: (data as Buffer).length, kind: 'text' });
  }

  #receiveText(data: Buffer, about: Pick<WireText, 'bytes' | 'kind' | 'problem'>): void {
    const { maxParsed } = this.#options.limits;
    const text = data.length > maxParsed ? { text: data.toString('utf8', 0, maxParsed) } : readFrameText(data);
    this.#options.onText({ ...text, ...about });
  }

  #receiveBinary(data: Buffer): void {
    this.counters.binaryIn += 1;
    const frame = readBinaryFrame(data, this.#version);
    if (frame.kind === 'json') {
      this.#receiveText(payloadOf(data, this.#version), { bytes: data.length, kind: 'binary' });
    } else if (this.#version === 1 && isJsonText(data)) {
      this.#receiveText(data, { bytes: data.length, kind: 'binary', problem: inBinary });
    } else if (frame.kind === 'audio') {
      this.#audio.add(frame.bytes, this.#options.clock.now());
      this.#binary.add('in', data.length, frame.timestampMs);
      this.onAudio?.(data.subarray(data.length - frame.bytes));
    } else {
      this.#audio.addMalformed();
      this.counters.invalidIn += 1;
      this.faults.add('audio');
      this.#binary.addMalformed(data, frame.reason);
    }
  }

  #closed(code: number): void {
    this.#stopKeepAlive();
    this.#stopTerminate();
    this.#binary.end();
    if (this.#ourReason === undefined) this.lastSeenAt = this.#options.clock.wall();
    this.#options.onClose({
      code,
      ...(this.#ourReason === undefined ? {} : { ourReason: this.#ourReason }),
      ...(this.#error === undefined ? {} : { error: this.#error }),
      ...(this.#broken ? { broken: true } : {}),
    });
  }
}

import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import type { Clock } from '../tools/clock.ts';
import type { DeviceLimits } from './limits.ts';
import type { DeviceInfo } from './types.ts';
import type { WireEntry, WireLog, WireNote } from './wireLog.ts';

/** How a connection ended. */
export interface WireClose {
  /** As the socket tells it; 1006 where no close frame came. */
  code: number;
  /** Why we ended it; absent where the device did. */
  ourReason?: string;
  /** What the socket complained of: a frame over the limit, a reset. */
  error?: Error;
}

/** One device's open socket, its limits, and who hears of its frames and its end. */
export interface DeviceWireOptions {
  socket: WebSocket;
  /** The TCP socket below it. */
  transport: Pick<Duplex, 'cork' | 'uncork'>;
  log: WireLog;
  clock: Clock;
  limits: Pick<DeviceLimits, 'keepAliveMs' | 'closeGraceMs' | 'maxUnsent' | 'maxPayload'>;
  /** Harmless text that keeps a board from giving up on us; asked for after each `keepAliveMs` of our silence. */
  keepAlive: () => void;
  onText: (text: string, bytes: number) => void;
  onClose: (close: WireClose) => void;
}

/** Binary frames are counted and noted in runs of at most this many, never one by one and never parsed. */
const binaryRun = 100;

/** One device's WebSocket: frames in and out, counted and logged; keep-alive; a close that ends (spec/xiaozhi.md §1.3). */
export class DeviceWire {
  readonly #options: DeviceWireOptions;
  readonly counters: DeviceInfo['counters'] = { framesIn: 0, framesOut: 0, binaryIn: 0, invalidIn: 0 };
  /** Epoch ms of the last frame that came. */
  lastSeenAt: number;
  #gathering = false;
  #binary = { frames: 0, bytes: 0 };
  #ourReason: string | undefined;
  #error: Error | undefined;
  #lastSentAt: number;
  #stopKeepAlive: () => void = () => {};
  #stopTerminate: () => void = () => {};

  constructor(options: DeviceWireOptions) {
    this.#options = options;
    const { socket, clock } = options;
    this.lastSeenAt = clock.wall();
    this.#lastSentAt = clock.now();
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('error', (error) => (this.#error = this.#explain(error)));
    socket.on('close', (code) => this.#closed(code));
  }

  /** Sends text. The note goes to the log with it. */
  send(text: string, note: WireNote): void {
    const { socket, limits, clock } = this.#options;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > limits.maxUnsent) {
      this.end(`it does not read: ${socket.bufferedAmount} bytes wait for it`);
      return;
    }
    this.#gather();
    const data = Buffer.from(text);
    socket.send(data, { binary: false });
    this.counters.framesOut += 1;
    this.#lastSentAt = clock.now();
    this.note({ direction: 'out', kind: 'text', bytes: data.length, text, note });
  }

  /** Frames of one turn of the event loop leave in one write: with many calls in flight, that is most of the work. */
  #gather(): void {
    if (this.#gathering) return;
    this.#gathering = true;
    const { transport } = this.#options;
    transport.cork();
    process.nextTick(() => {
      this.#gathering = false;
      transport.uncork();
    });
  }

  /** Writes to the log, and counts what could not be read. Gives the entry's `seq`. */
  note(entry: WireEntry): number {
    if (entry.note.type === 'invalid') this.counters.invalidIn += 1;
    return this.#options.log.add(entry);
  }

  /** Starts to keep the device from giving up on us; call it after hello, never before (spec/xiaozhi.md §1.2). */
  startKeepAlive(): void {
    const { socket, clock, limits, keepAlive } = this.#options;
    this.#stopKeepAlive();
    const idle = clock.now() - this.#lastSentAt;
    this.#stopKeepAlive = clock.after(Math.max(0, limits.keepAliveMs - idle), () => {
      if (socket.readyState !== socket.OPEN) return;
      if (clock.now() - this.#lastSentAt >= limits.keepAliveMs) keepAlive();
      this.startKeepAlive();
    });
  }

  /**
   * Closes with a close frame (`reason`: at most 123 bytes), and cuts the connection soon after: a board answers
   * neither (spec/xiaozhi.md §1.3).
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
    const { clock, onText } = this.#options;
    this.lastSeenAt = clock.wall();
    this.counters.framesIn += 1;
    const bytes = (data as Buffer).length;
    if (isBinary) {
      this.counters.binaryIn += 1;
      this.#binary.frames += 1;
      this.#binary.bytes += bytes;
      if (this.#binary.frames >= binaryRun) this.#noteBinary();
      return;
    }
    this.#noteBinary();
    onText((data as Buffer).toString('utf8'), bytes);
  }

  #noteBinary(): void {
    const { frames, bytes } = this.#binary;
    if (frames === 0) return;
    this.#binary = { frames: 0, bytes: 0 };
    this.note({
      direction: 'in',
      kind: 'binary',
      bytes,
      note: { type: 'audio', summary: `${frames} audio frame${frames === 1 ? '' : 's'}` },
    });
  }

  #closed(code: number): void {
    this.#stopKeepAlive();
    this.#stopTerminate();
    this.#noteBinary();
    this.#options.onClose({
      code,
      ...(this.#ourReason === undefined ? {} : { ourReason: this.#ourReason }),
      ...(this.#error === undefined ? {} : { error: this.#error }),
    });
  }
}

import { WebSocket, type RawData } from 'ws';
import type { Clock } from '../../base/clock.ts';
import { realtimeLimits } from '../limits.ts';
import { describeClose, describeFailure, describeRefusal } from './describeRefusal.ts';
import { RealtimeConnectionError } from './connectionError.ts';

export interface RealtimeSocketOptions {
  /** With the model in it. */
  url: URL;
  headers: Readonly<Record<string, string>>;
  clock: Clock;
  onOpen: () => void;
  /** Takes the key out of what the server says as it closes. */
  mask: (text: string) => string;
  /** A frame of text; undefined for a binary one, which no dialect has. */
  onFrame: (text: string | undefined, bytes: number) => void;
  /** Called once, whatever ended it; also if it never opened. */
  onClose: (error: RealtimeConnectionError) => void;
}

/** One WebSocket to a realtime server: back-pressure, a heartbeat, a guaranteed close. Only `headers` has the key. */
export class RealtimeSocket {
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #where: string;
  readonly #waiting = new Set<() => void>();
  readonly #closed: Promise<undefined>;
  #opened = false;
  #alive = true;
  #failure: RealtimeConnectionError | undefined;
  #stopHeartbeat = (): void => {};

  constructor({ url, headers, clock, mask, onOpen, onFrame, onClose }: RealtimeSocketOptions) {
    this.#clock = clock;
    this.#where = url.host;
    this.#socket = new WebSocket(url, {
      headers: { ...headers },
      perMessageDeflate: false,
      allowSynchronousEvents: false,
      maxPayload: realtimeLimits.frameBytes,
      followRedirects: false,
    });
    const socket = this.#socket;
    const ended = Promise.withResolvers<undefined>();
    this.#closed = ended.promise;
    socket.on('open', () => {
      this.#opened = true;
      this.#beat();
      onOpen();
    });
    socket.on('unexpected-response', (request, response) => {
      this.#failure ??= describeRefusal(response.statusCode ?? 0, this.#where);
      response.resume();
      request.destroy();
      // ws leaves the end to whoever listens to this event.
      socket.terminate();
    });
    socket.on('message', (data: RawData, binary) => {
      this.#alive = true;
      const bytes = data as Buffer;
      onFrame(binary ? undefined : bytes.toString('utf8'), bytes.length);
    });
    socket.on('pong', () => (this.#alive = true));
    socket.on('error', (error) => {
      this.#failure ??= this.#opened ? brokenOff(error, this.#where) : describeFailure(error, this.#where);
    });
    socket.on('close', (code, reason) => {
      this.#stopHeartbeat();
      this.#release();
      ended.resolve(undefined);
      onClose(this.#failure ?? describeClose(code, mask(reason.toString('utf8')), this.#where));
    });
  }

  /** Sends a frame; false if the connection is not open. */
  send(text: string): boolean {
    if (this.#socket.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(text, () => {
      if (this.#socket.bufferedAmount < realtimeLimits.bufferedBytes) this.#release();
    });
    return true;
  }

  /** Resolves once little enough lies in the socket, or it has ended. */
  drained(): Promise<void> {
    if (this.#socket.readyState !== WebSocket.OPEN || this.#socket.bufferedAmount < realtimeLimits.bufferedBytes)
      return Promise.resolve();
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  /** Ends it: politely first, and for good after the time of grace. Resolves when it is closed. */
  close(): Promise<void> {
    const stop = this.#clock.after(realtimeLimits.closeGraceMs, () => this.#socket.terminate());
    this.#socket.close(1000);
    return this.#closed.finally(stop);
  }

  /** Ends it at once, with this error. */
  abandon(error: RealtimeConnectionError): void {
    this.#failure ??= error;
    this.#socket.terminate();
  }

  #beat(): void {
    this.#stopHeartbeat = this.#clock.after(realtimeLimits.heartbeatMs, () => {
      if (!this.#alive) {
        const message = `${this.#where} has not answered for ${(2 * realtimeLimits.heartbeatMs) / 1000} s.`;
        this.abandon(new RealtimeConnectionError(message, { final: false }));
        return;
      }
      this.#alive = false;
      this.#socket.ping();
      this.#beat();
    });
  }

  #release(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

function brokenOff(error: Error, where: string): RealtimeConnectionError {
  const message = `The connection to ${where} broke: ${error.message.slice(0, 200)}.`;
  return new RealtimeConnectionError(message, { final: false });
}

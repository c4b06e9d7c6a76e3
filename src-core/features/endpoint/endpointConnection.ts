import { WebSocket } from 'ws';

import type { Clock } from '../../base/clock.ts';
import { localize, type Localized } from '../../base/messages/localize.ts';
import { keepAlive } from '../../mcp/keepAlive.ts';
import { parseMessage } from '../../mcp/readMessages.ts';
import { newCallIdFor, ofCall, type McpFrames } from '../frames/mcp/mcpFrames.ts';
import type { EndpointPeer } from './endpointPeer.ts';

const firstDelayMs = 1_000;
const longestDelayMs = 60_000;
/** A connection that lived so long was a good one: the next delay is the first again. */
const goodLifeMs = 60_000;
const handshakeMs = 15_000;
/** Bytes of one message. */
const maxPayload = 1024 * 1024;
/** Bytes of answers that the other side has not received yet. */
const maxUnsent = 8 * 1024 * 1024;

/** Why a connection ended, and when it is tried again. */
export type ConnectionState =
  | { state: 'off' }
  | { state: 'connecting' }
  | { state: 'connected'; since: number }
  /** The connection is tried again by itself. `retryAt`: epoch ms. */
  | { state: 'waiting'; reason: Localized; retryAt: number }
  /** The user has to connect it. */
  | { state: 'stopped'; reason: Localized };

/** How a connection ended. */
interface Ending {
  code: number;
  /** The status of the response, if the address answered without a WebSocket. */
  status?: number;
  /** The code of Node, such as ECONNREFUSED. Sentences of Node and ws may contain the address, which is a secret. */
  cause?: string;
  /** A ping was not answered. */
  isSilent?: true;
  /** It asks, but does not receive the answers. */
  isStuck?: true;
}

interface EndpointConnectionOptions {
  url: string;
  createPeer: (connection: { send: (text: string) => void; onIdle: () => void }) => EndpointPeer;
  clock: Clock;
  /** Opens the recording of a connection. */
  record: () => McpFrames;
  onChange: () => void;
}

/**
 * One connection at a time to one address. Dials out, answers, and dials again: after 1 s, then twice as long each time up to 60 s. It
 * stops for the user if the other side says that another connection has taken its place (1000) or that the token is wrong (1008, HTTP 401
 * and 403).
 */
export class EndpointConnection {
  readonly #options: EndpointConnectionOptions;
  #state: ConnectionState = { state: 'off' };
  #delayMs = firstDelayMs;
  #endDial: (() => void) | undefined;
  #cancelRetry: (() => void) | undefined;
  #openPeer: EndpointPeer | undefined;
  #isStale = false;

  constructor(options: EndpointConnectionOptions) {
    this.#options = options;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Connects now, whatever stopped it before. */
  start(): void {
    this.#leave();
    this.#delayMs = firstDelayMs;
    this.#dial();
  }

  stop(): void {
    this.#leave();
    this.#become({ state: 'off' });
  }

  /** Connects again as soon as no call runs, so that the other side reads the list of tools again. */
  republish(): void {
    this.#isStale = true;
    this.#renewIfStale();
  }

  #become(next: ConnectionState): void {
    this.#state = next;
    this.#options.onChange();
  }

  #leave(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    this.#endDial?.();
    this.#endDial = undefined;
    this.#openPeer = undefined;
  }

  #renewIfStale(): void {
    const isIdle = this.#state.state === 'connected' && this.#openPeer?.running === 0;
    if (!this.#isStale || !isIdle) return;
    this.#leave();
    this.#dial();
  }

  #ended(ending: Ending, openedAt: number | undefined): void {
    const { clock } = this.#options;
    this.#endDial = undefined;
    this.#openPeer = undefined;
    const reason = describe(ending);
    if (isFinal(ending)) return this.#become({ state: 'stopped', reason });
    if (openedAt !== undefined && clock.now() - openedAt >= goodLifeMs) this.#delayMs = firstDelayMs;
    const wait = this.#delayMs;
    this.#delayMs = Math.min(wait * 2, longestDelayMs);
    this.#cancelRetry = clock.after(wait, () => this.#dial());
    this.#become({ state: 'waiting', reason, retryAt: clock.wall() + wait });
  }

  #dial(): void {
    const { url, createPeer, clock, record } = this.#options;
    this.#cancelRetry = undefined;
    const socket = new WebSocket(url, { maxPayload, handshakeTimeout: handshakeMs, perMessageDeflate: false });
    keepAlive(socket, clock, () => (ending = { isSilent: true }));
    const frames = record();
    let openedAt: number | undefined;
    let ending: Partial<Ending> = {};
    let isLeft = false;
    const peer = createPeer({
      send: (text) => {
        if (socket.readyState !== WebSocket.OPEN) return;
        const bytes = Buffer.byteLength(text);
        if (socket.bufferedAmount + bytes > maxUnsent) {
          ending = { isStuck: true };
          return socket.terminate();
        }
        frames.add({ direction: 'out', text, bytes });
        socket.send(text, (error) => error && frames.note('note', 'A message was not sent: the connection ended.'));
      },
      onIdle: () => this.#renewIfStale(),
    });
    this.#endDial = () => {
      isLeft = true;
      peer.close();
      if (socket.readyState === WebSocket.OPEN) socket.close(1000);
      else socket.terminate();
    };
    socket.on('open', () => {
      if (isLeft) return;
      openedAt = clock.now();
      // The other side reads the list from here on.
      this.#isStale = false;
      frames.note('open', 'Connected to the endpoint');
      this.#openPeer = peer;
      this.#become({ state: 'connected', since: clock.wall() });
    });
    // Some programs send their text as binary.
    socket.on('message', (data: Buffer) => {
      if (isLeft) return;
      const text = data.toString('utf8');
      const message = parseMessage(text);
      ofCall(newCallIdFor(message), () => {
        frames.add({ direction: 'in', text, bytes: data.length });
        peer.receive(message);
      });
    });
    socket.on('unexpected-response', (_request, { statusCode }) => {
      ending = { status: statusCode ?? 0 };
      socket.terminate();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (ending.status === undefined && error.code !== undefined) ending = { cause: error.code };
    });
    socket.on('close', (code) => {
      if (openedAt !== undefined) frames.note('close', `The connection ended (${code})`);
      if (isLeft) return;
      peer.close();
      this.#ended({ code, ...ending }, openedAt);
    });
    this.#become({ state: 'connecting' });
  }
}

function isFinal({ code, status }: Ending): boolean {
  return code === 1000 || code === 1008 || status === 401 || status === 403;
}

function describe({ code, status, cause, isSilent, isStuck }: Ending): Localized {
  if (isSilent) return localize('endpoint.silent');
  if (isStuck) return localize('endpoint.stuck');
  if (status !== undefined)
    return status === 401 || status === 403
      ? localize('endpoint.tokenRefused')
      : localize('endpoint.noWebSocket', { status });
  if (cause !== undefined) return localize('endpoint.unreachable', { cause });
  if (code === 1000) return localize('endpoint.replaced');
  return code === 1008 ? localize('endpoint.tokenRefused') : localize('endpoint.closed', { code });
}

import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

export type WireObject = Record<string, unknown> & { type: string };

/** One connection of a client, steered event by event. */
export class RealtimePeer {
  readonly headers: IncomingHttpHeaders;
  readonly url: string;
  readonly received: WireObject[] = [];
  readonly closed: Promise<number>;
  readonly #socket: WebSocket;
  #wake = Promise.withResolvers<undefined>();
  #taken = 0;

  constructor(socket: WebSocket, { headers, url }: { headers: IncomingHttpHeaders; url: string }) {
    this.headers = headers;
    this.url = url;
    this.#socket = socket;
    this.closed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('message', (data: Buffer) => {
      this.received.push(JSON.parse(data.toString('utf8')) as WireObject);
      this.#wake.resolve(undefined);
      this.#wake = Promise.withResolvers();
    });
  }

  /** The next event of this type that was not taken; those before it are passed over. */
  async next(type: string): Promise<WireObject> {
    for (;;) {
      while (this.#taken < this.received.length) {
        const event = this.received[this.#taken];
        this.#taken += 1;
        if (event?.type === type) return event;
      }
      await this.#wake.promise;
    }
  }

  send(...events: WireObject[]): void {
    for (const event of events) this.#socket.send(JSON.stringify(event));
  }

  sendRaw(data: string | Buffer): void {
    this.#socket.send(data);
  }

  /** Greets, and answers the first settings as they came. */
  async greet(): Promise<WireObject> {
    this.send({ type: 'session.created', session: { id: 'sess_1' } });
    const update = await this.next('session.update');
    this.send({ type: 'session.updated', session: update.session });
    return update;
  }

  /** Resolves when the client has read all that was sent, and what it sent in answer is here. */
  async settled(): Promise<void> {
    this.#socket.ping();
    await once(this.#socket, 'pong');
  }

  /** Stops reading; the returned function goes on. */
  pause(): () => void {
    this.#socket.pause();
    return () => this.#socket.resume();
  }

  close(code = 1000, reason = ''): void {
    this.#socket.close(code, reason);
  }

  /** As a network that went away. */
  drop(): void {
    this.#socket.terminate();
  }
}

export interface RealtimeSocketServer {
  url: string;
  /** The next connection, in the order they came. */
  nextPeer: () => Promise<RealtimePeer>;
  close: () => Promise<void>;
}

/** A real WebSocket server that does nothing by itself, for orders of events that no good server has. */
export async function startRealtimeSocket(options: { status?: number } = {}): Promise<RealtimeSocketServer> {
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    verifyClient: (_info, answer) => answer(options.status === undefined, options.status ?? 200),
  });
  await once(server, 'listening');
  const peers: RealtimePeer[] = [];
  const waiting: ((peer: RealtimePeer) => void)[] = [];
  server.on('connection', (socket, request) => {
    const peer = new RealtimePeer(socket, { headers: request.headers, url: request.url ?? '' });
    const next = waiting.shift();
    if (next === undefined) peers.push(peer);
    else next(peer);
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/v1/realtime`,
    nextPeer() {
      const peer = peers.shift();
      return peer === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(peer);
    },
    async close() {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

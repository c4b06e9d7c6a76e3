import type { NatsConnection, Msg, MsgHdrs, PublishOptions } from '@nats-io/transport-node';

import type { Clock } from '../../base/clock.ts';
import { describeThrown } from '../../base/describeThrown.ts';
import { brokerProblem, deniedPermission, deniedText } from './brokerProblem.ts';
import { connectionOptions, type BusAddress } from './connectionOptions.ts';

/** A message of another node; untrusted until a schema has read it. */
export interface BusMessage {
  /** The last token of its subject. */
  topic: string;
  /** Where an answer goes. */
  reply: string | undefined;
  /** JSON; undefined if it is none. */
  data: unknown;
  bytes: number;
  headers: MsgHdrs | undefined;
  /** The subject has no subscriber, so NATS did not deliver the message. */
  isUndelivered: boolean;
}

/**
 * Whether a message was sent. `away`: the broker is not connected. `large`: the broker takes no message of this size. `busy`: the broker
 * has not taken 4 MiB of earlier messages yet.
 */
export type Published = 'sent' | 'away' | 'large' | 'busy';

interface BusOptions {
  prefix: string;
  name: string;
  clock: Clock;
  /** Called when `isConnected` or `problem` changes. */
  onChange: () => void;
  /** Called with what a handler of a message throws. */
  onError: (error: unknown, where: string) => void;
}

interface Extras {
  reply?: string | undefined;
  headers?: Record<string, string>;
}

interface Outgoing {
  subject: string;
  bytes: Uint8Array;
  options: PublishOptions;
}

interface Subscription {
  subject: string;
  onMessage: (message: BusMessage) => void;
  stop?: () => void;
}

/** ms between attempts to reach a broker that was never reached. */
const retryMs = 1_000;

/** ms in which permissions that the broker denies are gathered. */
const gatherMs = 1_000;
/** So many of them are counted. */
const maxDenied = 20;
/** ms for which an error of a connection that goes on is its problem. */
const problemMs = 10_000;
/** ms in which a closing connection sends what it has; a broker that is stopped takes nothing. */
const drainMs = 1_500;
/** Bytes of a message, if the broker does not say. */
const usualPayload = 1_048_576;

/** Bytes that the broker may not have taken yet: of all messages, and of those of answers that are sent in pieces. */
const maxUntaken = { all: 4_194_304, pieces: 524_288 };
/** After so many bytes, the broker is asked whether it has taken them. */
const askAfterBytes = maxUntaken.pieces;

const noResponders = 503;

/**
 * The connection of this node to the other nodes of its cluster, over NATS. Subjects are relative to the cluster. It is made in the
 * background, and again whenever the broker comes back. `@nats-io` is loaded here only.
 */
export class Bus {
  readonly #options: BusOptions;
  readonly #subscriptions = new Set<Subscription>();
  #connection: NatsConnection | undefined;
  #isConnected = false;
  #outages = 0;
  #problem: string | undefined;
  #stopExpiring: (() => void) | undefined;
  /** Permissions that the broker has denied in the last `problemMs`, and when, by their subject without its last token. */
  readonly #denied = new Map<string, { text: string; at: number }>();
  /** The problem of those that were gathered until one was permitted. Later ones do not change it, or the log would have a line for each. */
  #deniedProblem: string | undefined;
  #stopGathering: (() => void) | undefined;
  #isClosed = false;
  #stopWaiting: (() => void) | undefined;
  #createHeaders: (() => MsgHdrs) | undefined;
  /** Messages of this turn of the event loop. They leave in one write, which costs as much as the rest of a call. */
  #outgoing: Outgoing[] = [];
  /** Bytes of messages that the broker has not confirmed. */
  #untaken = 0;
  #isAsking = false;
  #taken = Promise.withResolvers<undefined>();
  readonly #opening: Promise<void>;

  constructor(address: BusAddress, options: BusOptions) {
    this.#options = options;
    this.#opening = this.#open(address).catch((error: unknown) => this.#change(false, describeThrown(error)));
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** How often the connection was lost: messages may have been lost with it. */
  get outages(): number {
    return this.#outages;
  }

  /** Whether pieces of long answers wait, so that other messages do not wait for them. */
  get isLoaded(): boolean {
    return this.#untaken >= maxUntaken.pieces;
  }

  /** Resolves once the broker has taken more messages, or the connection to it is lost. */
  untilTaken(): Promise<undefined> {
    return this.#taken.promise;
  }

  /** Why a message with arguments is `large`. */
  get tooLong(): string {
    return `With these arguments, the message is longer than the ${this.maxBytes.toLocaleString('en')} bytes that the broker accepts. Shorten the arguments, or raise "max_payload" on the broker.`;
  }

  /** Bytes of a message that the broker takes. */
  get maxBytes(): number {
    return this.#connection?.info?.max_payload ?? usualPayload;
  }

  /** Why it is not connected, or what the broker refuses. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Whether it refused messages or subscriptions lately. Known before `problem` says which. */
  get isDenied(): boolean {
    return this.#denied.size > 0;
  }

  /**
   * `data` is JSON, or bytes of JSON. Never throws. `sent`: it leaves with the others of this turn of the event loop, unless the
   * connection is lost in it. What NATS kept until a broker is back would arrive after its sender has given up:
   * nothing is kept.
   */
  publish(subject: string, data: object, reply?: string): Published {
    return this.publishOutside(`${this.#options.prefix}.${subject}`, data, { reply });
  }

  /** The same for a subject that is not relative to the cluster, such as one of JetStream; the reply is. */
  publishOutside(subject: string, data: object, { reply, headers }: Extras): Published {
    const connection = this.#connection;
    if (connection === undefined || !this.#isConnected || connection.isClosed() || connection.isDraining())
      return 'away';
    const bytes = data instanceof Uint8Array ? data : Buffer.from(JSON.stringify(data));
    if (bytes.length > this.maxBytes) return 'large';
    if (this.#untaken >= maxUntaken.all) return 'busy';
    const options: PublishOptions = {};
    if (reply !== undefined) options.reply = `${this.#options.prefix}.${reply}`;
    const names = headers === undefined ? [] : Object.entries(headers);
    if (names.length > 0) options.headers = this.#headersOf(names);
    this.#untaken += bytes.length;
    this.#outgoing.push({ subject, bytes, options });
    if (this.#outgoing.length === 1) setImmediate(() => this.#flush());
    return 'sent';
  }

  /** Also after later reconnections. Returns the function that ends the subscription. */
  subscribe(subject: string, onMessage: (message: BusMessage) => void): () => void {
    return this.subscribeOutside(`${this.#options.prefix}.${subject}`, onMessage);
  }

  /** The same for a subject that is not relative to the cluster. */
  subscribeOutside(subject: string, onMessage: (message: BusMessage) => void): () => void {
    const one: Subscription = { subject, onMessage };
    this.#subscriptions.add(one);
    this.#attach(one);
    return () => {
      this.#subscriptions.delete(one);
      one.stop?.();
    };
  }

  /** Sends what was published, and disconnects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopWaiting?.();
    this.#stopExpiring?.();
    this.#stopGathering?.();
    for (const { stop } of this.#subscriptions) stop?.();
    // A connection attempt that is under way ends by its own time limit.
    if (this.#connection === undefined) return;
    const connection = this.#connection;
    this.#flush();
    const drained = connection.drain().catch(() => undefined);
    await Promise.race([drained, this.#wait(drainMs)]);
    this.#stopWaiting?.();
    this.#countTaken(this.#untaken);
    await connection.close();
    await this.#opening;
  }

  async #open(address: BusAddress): Promise<void> {
    const { connect, headers, nkeyAuthenticator } = await import('@nats-io/transport-node');
    this.#createHeaders = headers;
    const options = {
      ...connectionOptions(address, this.#options.name),
      ...(address.nkeySeed !== undefined && {
        authenticator: nkeyAuthenticator(new TextEncoder().encode(address.nkeySeed)),
      }),
    };
    while (!this.#isClosed && this.#connection === undefined) {
      try {
        // Brokers name others, which NATS would try in turn: why this node may not join is the answer of those in the settings.
        if (!options.ignoreClusterUpdates) await (await connect({ ...options, ignoreClusterUpdates: true })).close();
        this.#connection = await connect(options);
      } catch (error) {
        this.#change(false, brokerProblem(error, { url: address.url, hasNkey: address.nkeySeed !== undefined }));
        await this.#wait(retryMs);
      }
    }
    if (this.#connection === undefined) return;
    if (this.#isClosed) return this.#connection.close();
    this.#follow(this.#connection, address).catch((error: unknown) =>
      this.#options.onError(error, 'following the connection to the broker'),
    );
    for (const one of this.#subscriptions) this.#attach(one);
    await this.#connection.flush();
    if (!this.#isClosed) this.#change(true, undefined);
  }

  #flush(): void {
    const messages = this.#outgoing;
    this.#outgoing = [];
    const connection = this.#connection;
    if (connection === undefined || !this.#isConnected || connection.isClosed() || connection.isDraining())
      return this.#countTaken(this.#untaken);
    for (const { subject, bytes, options } of messages)
      try {
        connection.publish(subject, bytes, options);
      } catch (error) {
        this.#options.onError(error, 'sending to the cluster');
      }
    this.#askWhetherTaken(connection);
  }

  /** The broker answers a flush once it has read everything before it. NATS rejects it if the connection is lost. */
  #askWhetherTaken(connection: NatsConnection): void {
    if (this.#isAsking || this.#untaken < askAfterBytes) return;
    this.#isAsking = true;
    const bytes = this.#untaken;
    const end = (taken: number): void => {
      this.#isAsking = false;
      this.#countTaken(taken);
      this.#askWhetherTaken(connection);
    };
    connection.flush().then(
      () => end(bytes),
      () => end(this.#untaken),
    );
  }

  #countTaken(bytes: number): void {
    this.#untaken = Math.max(0, this.#untaken - bytes);
    this.#taken.resolve(undefined);
    this.#taken = Promise.withResolvers<undefined>();
  }

  #headersOf(names: [string, string][]): MsgHdrs {
    if (this.#createHeaders === undefined) throw new Error('not connected');
    const created = this.#createHeaders();
    for (const [name, value] of names) created.set(name, value);
    return created;
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(ms, resolve);
      this.#stopWaiting = () => {
        cancel();
        resolve();
      };
    });
  }

  async #follow(connection: NatsConnection, { url, nkeySeed }: BusAddress): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect' || status.type === 'staleConnection') {
        // Each attempt that the broker refuses also ends a connection: its reason stays.
        if (this.#isConnected || this.#problem === undefined)
          this.#change(false, 'The connection to the broker was lost.');
      } else if (status.type === 'reconnect') {
        this.#stopGathering?.();
        this.#stopGathering = undefined;
        this.#forgetDenied();
        this.#change(true, undefined);
      }
      if (status.type === 'error') {
        const denied = deniedPermission(status.error);
        if (denied === undefined) this.#show(brokerProblem(status.error, { url, hasNkey: nkeySeed !== undefined }));
        else this.#gather(denied);
      }
    }
  }

  /** The broker may refuse one message and go on. */
  #show(problem: string): void {
    this.#stopExpiring?.();
    this.#change(this.#isConnected, problem);
    this.#stopExpiring = this.#options.clock.after(problemMs, () => {
      this.#forgetDenied();
      if (this.#isConnected) this.#change(true, undefined);
    });
  }

  /** A user without rights is refused all of its subscriptions: that is one problem. The last token of a reply's subject is unique. */
  #gather(denied: string): void {
    const pattern = denied.slice(0, denied.lastIndexOf('.'));
    const { clock } = this.#options;
    const { text = denied } = this.#denied.get(pattern) ?? {};
    if (this.#denied.has(pattern) || this.#denied.size < maxDenied)
      this.#denied.set(pattern, { text, at: clock.now() });
    this.#stopGathering ??= clock.after(gatherMs, () => {
      this.#stopGathering = undefined;
      const permitted = [...this.#denied].filter(([, { at }]) => clock.now() - at > problemMs);
      for (const [each] of permitted) this.#denied.delete(each);
      if (permitted.length > 0) this.#deniedProblem = undefined;
      const texts = Array.from(this.#denied.values(), (each) => each.text);
      this.#deniedProblem ??= deniedText(texts, this.#denied.size === maxDenied);
      this.#show(this.#deniedProblem);
    });
  }

  #forgetDenied(): void {
    this.#denied.clear();
    this.#deniedProblem = undefined;
  }

  #change(isConnected: boolean, problem: string | undefined): void {
    if (isConnected === this.#isConnected && problem === this.#problem) return;
    if (this.#isConnected && !isConnected) this.#outages += 1;
    this.#isConnected = isConnected;
    this.#problem = problem;
    this.#options.onChange();
  }

  #attach(one: Subscription): void {
    const subscription = this.#connection?.subscribe(one.subject, {
      callback: (error, message) => {
        if (this.#isClosed) return;
        if (error !== null) return this.#attachLater(one);
        // An error that reached the client would end its connection.
        try {
          one.onMessage(this.#read(message));
        } catch (cause) {
          this.#options.onError(cause, `a message of the cluster, ${one.subject}`);
        }
      },
    });
    if (subscription !== undefined) one.stop = () => subscription.unsubscribe();
  }

  /** The broker has refused the subscription, and NATS has dropped it. Until it is accepted, its refusals renew the problem. */
  #attachLater(one: Subscription): void {
    if (!this.#subscriptions.has(one)) return;
    one.stop = this.#options.clock.after(problemMs / 2, () => this.#attach(one));
  }

  #read({ subject, reply, data, headers }: Msg): BusMessage {
    const own = `${this.#options.prefix}.`;
    return {
      topic: subject.slice(subject.lastIndexOf('.') + 1),
      reply: reply?.startsWith(own) ? reply.slice(own.length) : undefined,
      data: parseMessage(data),
      bytes: data.length,
      headers,
      isUndelivered: data.length === 0 && headers?.code === noResponders,
    };
  }
}

/** JSON; undefined if it is none. */
export function parseMessage(data: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString()) as unknown;
  } catch {
    // The schema of the message refuses it.
    return undefined;
  }
}

import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../base/json.ts';
import { describeThrown } from '../../base/describeThrown.ts';
import type { McpServer } from '../mcp/mcpServer.ts';
import { checkOptions } from '../../base/checkOptions.ts';
import { askOta, type OtaTarget } from './askOta.ts';
import { backoffMs, type ReconnectOptions } from './backoff.ts';
import { createConcurrentScheduler, type CallScheduler } from './callScheduler.ts';
import { defaultDeviceLimits, type DeviceLimits } from './clientLimits.ts';
import { openConnection, type After, type Connection } from './connection.ts';
import { isGone, isOpen, type DeviceSocket } from './deviceSocket.ts';
import type { DeviceWire } from './deviceWire.ts';
import { randomMac, type DeviceIdentity } from './identity.ts';
import { standardWire } from './standardWire.ts';

/** `waiting` is between two attempts. */
export type DeviceClientState = 'idle' | 'connecting' | 'connected' | 'waiting' | 'closed';

export interface DeviceClientOptions {
  /** `http(s)://…` is an OTA address to ask first, before each attempt; `ws(s)://…` the WebSocket itself. */
  url: string;
  /** Answers what the server asks. */
  server: McpServer;
  /** `Authorization: Bearer …`; what OTA hands out wins. */
  token?: string;
  /** A MAC address; a made-up, locally administered one by default. */
  deviceId?: string;
  clientId?: string;
  /** Board and version for OTA. */
  board?: string;
  version?: string;
  /** What people see it called (`device_name` of hello). */
  name?: string;
  /** Connects again whenever the connection is lost, and until the first one works. Off by default. */
  reconnect?: boolean | ReconnectOptions;
  /** Closes the client when it aborts. */
  signal?: AbortSignal;
  /** Hears of each change of state; `reason` says why it was lost or closed. */
  onState?: (state: DeviceClientState, reason?: string) => void;
  /** Frames that are not MCP: tts, stt, llm, system, alert … (docs/protocols/xiaozhi.md#messages). */
  onMessage?: (message: JsonObject & { type: string }) => void;
  /** One Opus frame. */
  onAudio?: (data: Buffer) => void;
  wire?: DeviceWire;
  createScheduler?: () => CallScheduler;
  limits?: Partial<DeviceLimits>;
  /** Timers; the system's by default. */
  after?: After;
}

const knownOptions: Readonly<Record<keyof DeviceClientOptions, true>> = {
  url: true,
  server: true,
  token: true,
  deviceId: true,
  clientId: true,
  board: true,
  version: true,
  name: true,
  reconnect: true,
  signal: true,
  onState: true,
  onMessage: true,
  onAudio: true,
  wire: true,
  createScheduler: true,
  limits: true,
  after: true,
};

const systemAfter: After = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** A device's connection to a xiaozhi server: OTA, hello, MCP, and coming back when it is lost. */
export class DeviceClient {
  readonly identity: Readonly<DeviceIdentity>;
  readonly #options: DeviceClientOptions;
  readonly #wire: DeviceWire;
  readonly #limits: DeviceLimits;
  readonly #after: After;
  readonly #stopped = new AbortController();
  readonly #signal: AbortSignal;
  #state: DeviceClientState = 'idle';
  #connection: Connection | undefined;
  #failures = 0;

  /** @throws TypeError if the address is none, or for an option that does not exist. */
  constructor(options: DeviceClientOptions) {
    checkOptions('DeviceClient', options, knownOptions);
    if (!URL.canParse(options.url) || !/^(https?|wss?):$/.test(new URL(options.url).protocol))
      throw new TypeError(`"url" must be an http, https, ws or wss address; it is "${options.url}".`);
    this.#options = options;
    this.#wire = options.wire ?? standardWire;
    this.#limits = { ...defaultDeviceLimits, ...options.limits };
    this.#after = options.after ?? systemAfter;
    this.identity = {
      deviceId: options.deviceId ?? randomMac(),
      clientId: options.clientId ?? randomUUID(),
      board: options.board ?? 'toolwire-device',
      version: options.version ?? '1.0.0',
    };
    const { signal } = options;
    this.#signal = signal === undefined ? this.#stopped.signal : AbortSignal.any([signal, this.#stopped.signal]);
    signal?.addEventListener('abort', () => void this.close(), { once: true });
  }

  get state(): DeviceClientState {
    return this.#state;
  }

  /** `session_id` of the server's hello; empty before, and if it has none. */
  get sessionId(): string {
    return this.#connection?.sessionId ?? '';
  }

  /**
   * Connects and says hello. Resolves when the server's hello came. Without `reconnect` it rejects when that fails;
   * with it, only when the client is closed first.
   */
  async connect(): Promise<void> {
    this.#signal.throwIfAborted();
    if (this.#state !== 'idle' && this.#state !== 'closed') throw new Error(`The device is ${this.#state} already.`);
    const failure = await this.#attempts();
    if (failure !== undefined) throw failure;
  }

  /** Sends a text frame: `listen`, `abort`, a notification. False if no connection is open. */
  send(message: JsonObject): boolean {
    const socket = this.#openSocket();
    socket?.send(JSON.stringify(message), {});
    return socket !== undefined;
  }

  /** Sends one Opus frame. False if no connection is open. */
  sendAudio(data: Uint8Array): boolean {
    const socket = this.#openSocket();
    socket?.send(data, { binary: true });
    return socket !== undefined;
  }

  /** Cuts the connection without a word, as a lost power supply does. With `reconnect` the device comes back. */
  terminate(): void {
    this.#connection?.socket.terminate();
  }

  /** Leaves, and stays away: `connect` rejects from now on. Resolves when the socket is gone. */
  async close(): Promise<void> {
    this.#stopped.abort();
    const connection = this.#connection;
    if (connection !== undefined && !isGone(connection.socket)) {
      if (this.#openSocket() === undefined) connection.socket.terminate();
      else this.#wire.leave(connection.socket);
      const stopTimer = this.#after(this.#limits.closeGraceMs, () => connection.socket.terminate());
      await connection.ended;
      stopTimer();
    }
    this.#become('closed', 'closed here');
  }

  #openSocket(): DeviceSocket | undefined {
    const socket = this.#state === 'connected' ? this.#connection?.socket : undefined;
    return socket !== undefined && isOpen(socket) ? socket : undefined;
  }

  /** Tries to connect until it succeeds. Otherwise returns the reason why there is no further attempt. */
  async #attempts(): Promise<Error | undefined> {
    for (;;) {
      // What an earlier connection left half open ends here, as when a board wakes up again.
      this.#connection?.socket.terminate();
      this.#connection = undefined;
      this.#become('connecting');
      try {
        await this.#open();
        return undefined;
      } catch (error) {
        const failure = error instanceof Error ? error : new Error(describeThrown(error));
        if (!(await this.#waits(failure.message))) return failure;
      }
    }
  }

  async #open(): Promise<void> {
    const { url, token, server, name, onMessage, onAudio } = this.#options;
    const signal = this.#signal;
    const said: OtaTarget = url.startsWith('http') ? await askOta({ url, identity: this.identity, signal }) : { url };
    const target: OtaTarget = token === undefined ? said : { token, ...said };
    const connection = await openConnection({
      target,
      identity: this.identity,
      name,
      server,
      wire: this.#wire,
      createScheduler: this.#options.createScheduler ?? createConcurrentScheduler,
      limits: this.#limits,
      after: this.#after,
      signal,
      onMessage,
      onAudio,
    });
    if (signal.aborted) {
      connection.socket.terminate();
      throw new Error('The device was closed while it connected.');
    }
    this.#connection = connection;
    this.#failures = 0;
    this.#become('connected');
    void connection.ended.then(({ code, reason }) =>
      this.#lost(code === 1006 ? 'no close frame (1006)' : `code ${code}${reason === '' ? '' : `, ${reason}`}`),
    );
  }

  async #lost(reason: string): Promise<void> {
    if (await this.#waits(reason)) await this.#attempts();
  }

  /** Waits before the next attempt. False if there is none: the client is then closed, for this reason. */
  async #waits(reason: string): Promise<boolean> {
    const { reconnect = false } = this.#options;
    if (reconnect === false || this.#signal.aborted) {
      this.#become('closed', reason);
      return false;
    }
    const ms = backoffMs(this.#failures, reconnect === true ? {} : reconnect);
    this.#failures += 1;
    this.#become('waiting', reason);
    await new Promise<void>((resolve) => {
      const end = (): void => {
        stopTimer();
        this.#signal.removeEventListener('abort', end);
        resolve();
      };
      const stopTimer = this.#after(ms, end);
      this.#signal.addEventListener('abort', end);
    });
    if (!this.#signal.aborted) return true;
    this.#become('closed', 'closed here');
    return false;
  }

  #become(next: DeviceClientState, reason?: string): void {
    if (this.#state === next) return;
    this.#state = next;
    this.#options.onState?.(next, reason);
  }
}

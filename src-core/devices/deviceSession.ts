import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { ToolError } from '../tools/errors.ts';
import type { JsonObject } from '../tools/json.ts';
import type { Clock } from '../tools/clock.ts';
import { closeText } from './closeText.ts';
import { frameTypeOf, isJsonObject, readDeviceMessage, salvageRpcId } from './deviceMessage.ts';
import { DeviceToolClient } from './deviceToolClient.ts';
import { DeviceWire } from './deviceWire.ts';
import type { DeviceWireOptions, WireClose } from './deviceWire.ts';
import type { DeviceLimits } from './limits.ts';
import { maskSecrets } from './maskSecrets.ts';
import { plainText } from './plainText.ts';
import { notificationNote } from './rpcPeer.ts';
import type { DeviceInfo, DeviceState } from './types.ts';
import type { WireLog, WireNote } from './wireLog.ts';

/** One device's open socket, and who hears of what it says. */
export interface DeviceSessionOptions extends Pick<DeviceWireOptions, 'transport'> {
  socket: WebSocket;
  log: WireLog;
  clock: Clock;
  limits: DeviceLimits;
  clientInfo: { name: string; version: string };
  /** What messages call the device. */
  name: () => string;
  /** The device has said hello: from here on it is the one that its Device-Id means. */
  onHello: (hello: JsonObject) => void;
  /** State, tools or error changed. */
  onChange: () => void;
}

const startsWithHello = 'A device starts with {"type":"hello",…}; check that it is pointed at the right address.';

/** One device's connection from the open socket to its end (spec/xiaozhi.md §1.2 to §1.4). */
export class DeviceSession {
  readonly #options: DeviceSessionOptions;
  readonly #sessionId = randomUUID();
  readonly wire: DeviceWire;
  readonly client: DeviceToolClient;
  state: DeviceState = 'hello';
  error: DeviceInfo['error'];
  /** `version` of hello. */
  protocolVersion: number | undefined;
  /** ms of the last answered request. */
  latencyMs: number | undefined;
  /** Hello came on this connection. */
  greeted = false;
  /** The connection is gone. */
  ended = false;
  #stopHelloTimer: () => void;
  #handshake: AbortController | undefined;

  constructor(options: DeviceSessionOptions) {
    this.#options = options;
    const { socket, transport, log, clock, limits, clientInfo, name } = options;
    this.wire = new DeviceWire({
      socket,
      transport,
      log,
      clock,
      limits,
      keepAlive: () =>
        this.#sendMcp('{"jsonrpc":"2.0","method":"notifications/ping"}', notificationNote('notifications/ping')),
      onText: (text, bytes) => this.#receive(text, bytes),
      onClose: (close) => this.#closed(close),
    });
    this.client = new DeviceToolClient({
      name,
      clock,
      limits,
      clientInfo,
      send: (payload, note) => this.#sendMcp(payload, note),
    });
    this.#stopHelloTimer = clock.after(limits.helloTimeoutMs, () =>
      this.refuse(
        'no-hello',
        `It opened the connection but said no hello within ${limits.helloTimeoutMs / 1_000} s. ${startsWithHello}`,
        1002,
      ),
    );
  }

  /** Ends the connection for a reason of ours. */
  close(code: number, reason: string): void {
    this.wire.close(code, reason);
  }

  /** Turns the device away before it is one: what is wrong stays as the error, the connection ends. */
  refuse(code: string, message: string, closeCode: number): void {
    this.#stopHelloTimer();
    this.#become('failed', { code, message });
    this.wire.close(closeCode, code);
  }

  #receive(text: string, bytes: number): void {
    const message = readDeviceMessage(text);
    if (!this.greeted) {
      const type = message.ok ? frameTypeOf(message.type) : 'invalid';
      if (this.state === 'failed') return this.#logIn(text, bytes, { type, summary: 'after the refusal' });
      const isHello = message.ok && message.type === 'hello';
      this.#logIn(text, bytes, { type, summary: isHello ? 'hello' : 'not hello' });
      if (isHello) this.#hello(message.body);
      else
        this.refuse(
          'not-hello',
          `Its first message is ${message.ok ? `"${plainText(message.type)}"` : message.reason}, not a hello. ${startsWithHello}`,
          1002,
        );
      return;
    }
    if (!message.ok) return this.#logIn(text, bytes, this.#salvage(text, message.reason));
    if (message.type === 'mcp') {
      const note = this.client.onMcpMessage(message.body['payload'], text.length);
      if (note.durationMs !== undefined) this.latencyMs = note.durationMs;
      return this.#logIn(text, bytes, note);
    }
    this.#logIn(text, bytes, { type: frameTypeOf(message.type), summary: summaryOf(message.type, message.body) });
    if (message.type === 'hello') this.#hello(message.body);
    if (message.type === 'ping') this.wire.send('{"type":"pong"}', { type: 'pong', summary: 'pong' });
  }

  #salvage(text: string, reason: string): WireNote {
    const id = salvageRpcId(text);
    return id === undefined
      ? { type: 'invalid', summary: reason }
      : { ...this.client.onBrokenAnswer(id, text, reason), summary: `answer #${id}, ${reason}` };
  }

  #hello(hello: JsonObject): void {
    this.#stopHelloTimer();
    const { version, features } = hello;
    if (typeof version === 'number') this.protocolVersion = version;
    this.greeted = true;
    this.#options.onHello(hello);
    this.wire.send(
      JSON.stringify({
        type: 'hello',
        version: 1,
        transport: 'websocket',
        session_id: this.#sessionId,
        audio_params: { format: 'opus', sample_rate: 24_000, channels: 1, frame_duration: 60 },
      }),
      { type: 'hello', summary: 'hello' },
    );
    this.wire.startKeepAlive();
    if (isJsonObject(features) && features['mcp'] === true) {
      void this.#initialize();
    } else {
      this.#become('ready', {
        code: 'no-mcp',
        message: 'Its hello does not offer "features":{"mcp":true}, so it has no tools.',
      });
    }
  }

  async #initialize(): Promise<void> {
    this.#handshake?.abort(new ToolError('cancelled', 'Another hello came.'));
    const handshake = new AbortController();
    this.#handshake = handshake;
    this.#become('initializing');
    try {
      await this.client.initialize({ signal: handshake.signal, onListing: () => this.#become('listing') });
      this.#become('ready', this.listProblem());
    } catch (error) {
      if (handshake.signal.aborted || this.ended) return;
      const what = error instanceof Error ? error.message : String(error);
      const where = this.state === 'listing' ? 'list-failed' : 'initialize-failed';
      this.#become('failed', {
        code: where,
        message: `${what} The connection is open; ask for the tools again, or restart the device.`,
      });
    }
  }

  /** Why the list of tools is not whole, where it is not. */
  listProblem(): DeviceInfo['error'] {
    const { problems } = this.client;
    if (problems.length === 0) return undefined;
    const more = problems.length > 5 ? `; and ${problems.length - 5} more` : '';
    return {
      code: 'list-incomplete',
      message: `Some tools may be missing: ${problems.slice(0, 5).join('; ')}${more}.`,
    };
  }

  /** Asks for the tools again; a failed handshake is made good so. */
  async refreshTools(): Promise<void> {
    await this.client.updateTools();
    this.#become('ready', this.listProblem());
  }

  #closed(close: WireClose): void {
    this.#stopHelloTimer();
    this.ended = true;
    const how =
      close.ourReason ?? close.error?.message ?? (close.code === 1006 ? 'without a close frame' : 'by the device');
    // With the call that it cut off, so that the close stands in that call's exchange.
    const callId = this.client.runningCallId;
    const note: WireNote = { type: 'close', summary: `${close.code} ${how}` };
    if (callId !== undefined) note.callId = callId;
    this.wire.note({ direction: 'in', kind: 'close', bytes: 0, note });
    this.client.onDisconnect(close);
    this.#handshake?.abort(new ToolError('disconnected', 'The connection ended.'));
    if (this.state !== 'failed') {
      this.state = this.state === 'ready' ? 'closed' : 'failed';
      this.error = {
        code: close.error === undefined ? 'disconnected' : 'connection-broken',
        message: `${closeText(this.#options.name(), close)}.`,
      };
    }
    this.#options.onChange();
  }

  #become(state: DeviceState, error?: DeviceInfo['error']): void {
    if (this.ended) return;
    this.state = state;
    this.error = error;
    this.#options.onChange();
  }

  #sendMcp(payload: string, note: WireNote): void {
    this.wire.send(`{"session_id":"${this.#sessionId}","type":"mcp","payload":${payload}}`, note);
  }

  #logIn(text: string, bytes: number, note: WireNote): void {
    // What belongs to a request of ours is kept to the byte; credentials stand in what a device says by itself.
    const kept = note.rpcId === undefined ? maskSecrets(text) : text;
    this.wire.note({ direction: 'in', kind: 'text', bytes, text: kept, note });
  }
}

function summaryOf(type: string, body: JsonObject): string {
  const state = plainText(body['state'], 24);
  return `${plainText(type, 48) ?? 'message without a type'}${state === undefined ? '' : ` ${state}`}`;
}

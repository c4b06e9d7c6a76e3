import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { ToolError } from '../../../base/errors.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { Clock } from '../../../base/clock.ts';
import { approvalAlert } from '../entry/approvalAlert.ts';
import { ConnectionCourse } from './connectionCourse.ts';
import { frameTypeOf, isCutMcp, readDeviceMessage, salvageRpcId, type DeviceMessage } from '../wire/deviceMessage.ts';
import type { DevicePeer } from '../wire/devicePeer.ts';
import { DeviceToolClient, type DeviceToolClientOptions } from './deviceToolClient.ts';
import { DeviceWire, inBinary, type DeviceWireOptions, type WireClose, type WireText } from '../wire/deviceWire.ts';
import { leftAsAsked } from '../health/departure.ts';
import { textFault } from '../health/frameFault.ts';
import type { ConnectionProgress } from '../doctor/connectionProgress.ts';
import { handshakeCause } from '../doctor/handshakeCause.ts';
import type { DeviceLimits } from '../limits.ts';
import { maskSecrets } from '../../../base/maskSecrets.ts';
import type { UnreadableAnswer } from '../wire/rpcPeer.ts';
import { maxFrameInError } from './brokenAnswer.ts';
import { closeNote } from '../wire/closeText.ts';
import { messageSummary } from '../wire/messageSummary.ts';
import { plainText } from '../wire/plainText.ts';
import { readHello, type DeviceHello } from '../wire/readHello.ts';
import { serverHello } from '../wire/serverHello.ts';
import type { DeviceInfo, DeviceState, DoctorCause, DoctorStepId } from '../../../contract/deviceInfo.ts';
import type { VoiceMessage } from '../voice/voiceMessage.ts';
import { readListen, type ListenMessage, type VoiceTap } from '../voice/voiceTap.ts';
import type { FrameNote } from '../../frames/frameLog.ts';

/** One device's open socket, and the listener for its messages. */
export interface DeviceSessionOptions extends Pick<DeviceWireOptions, 'transport' | 'frames' | 'deviceId'> {
  socket: WebSocket;
  clock: Clock;
  limits: DeviceLimits;
  clientInfo: { name: string; version: string };
  peer: DevicePeer;
  /** What its tools are asked for and compared with, and where it posts pictures. */
  tools: Pick<DeviceToolClientOptions, 'vision' | 'listUserTools' | 'formerTools'>;
  /** What messages call the device. */
  name: () => string;
  /** The language of its screen, as it told OTA (`zh-CN`); `undefined` if it did not. */
  language: () => string | undefined;
  /** Its first hello came. False: its hello is held until `admit` is called, or `approvalTimeoutMs` pass. */
  mayEnter: (hello: DeviceHello) => boolean;
  /** It begins to listen or recognised its wake word, and no voice tap is set. */
  onListen: (listen: ListenMessage) => void;
  /** A hello is answered: from here on it is the one that its Device-Id means. */
  onHello: (hello: DeviceHello) => void;
  /** State, tools or error changed. */
  onChange: () => void;
}

const startsWithHello = 'A device starts with {"type":"hello",…}; check that it is pointed at the right address.';

/** Text frames from a device that waits for approval or was refused, before its connection is cut. */
const maxOverheard = 100;

/** One device's connection from the open socket to its end. */
export class DeviceSession {
  readonly #options: DeviceSessionOptions;
  readonly #sessionId = randomUUID();
  readonly wire: DeviceWire;
  readonly client: DeviceToolClient;
  readonly #course: ConnectionCourse;
  /** What it said in its last hello. */
  hello: DeviceHello | undefined;
  #voiceTap: VoiceTap | undefined;
  #idle = false;
  #overheard = 0;
  #isReplaced = false;
  /** By the clock. Until then, binary frames are its voice: audio may arrive for 2 s after it has stopped. */
  #speaksUntil = -Infinity;
  #stopTimer: () => void;
  #handshake: AbortController | undefined;

  constructor(options: DeviceSessionOptions) {
    this.#options = options;
    const { socket, transport, frames, deviceId, clock, limits, clientInfo, name } = options;
    this.#course = new ConnectionCourse(clock);
    this.wire = new DeviceWire({
      socket,
      transport,
      frames,
      deviceId,
      uninvited: options.peer.remote,
      clock,
      limits,
      keepAliveText: this.#envelope('{"jsonrpc":"2.0","method":"notifications/ping"}'),
      onKeepAlive: () => this.#noteIdle(),
      onText: (message) => this.#receive(message),
      onStray: (isAudio) =>
        isAudio && clock.now() < this.#speaksUntil ? undefined : this.client.onUnmatched('it is binary'),
      onFlood: () => this.#refuseFlood(),
      onClose: (close) => this.#closed(close),
    });
    this.client = new DeviceToolClient({
      name,
      clock,
      limits,
      clientInfo,
      ...options.tools,
      msSinceFrame: this.wire.msSinceFrame,
      send: (payload, note) => this.#sendMcp(payload, note),
    });
    this.#stopTimer = clock.after(limits.helloTimeoutMs, () =>
      this.refuse(
        'hello',
        'no-hello',
        `It opened the connection but sent no hello within ${limits.helloTimeoutMs / 1_000} s. ${startsWithHello}`,
        1002,
      ),
    );
  }

  get peer(): DevicePeer {
    return this.#options.peer;
  }

  get state(): DeviceState {
    return this.#course.state;
  }

  get error(): DeviceInfo['error'] {
    return this.#course.error;
  }

  /** How far it has come, for the doctor. */
  get progress(): ConnectionProgress {
    return this.#course.progress;
  }

  /** Its hello was answered. */
  get admitted(): boolean {
    return this.#course.admitted;
  }

  /** The connection is gone. */
  get ended(): boolean {
    return this.#course.ended;
  }

  /** Its hello has arrived and waits for the user's approval. */
  get held(): boolean {
    return this.state === 'approval' && !this.ended && !this.wire.closing;
  }

  /** Open, but nothing has come for `idleMs`, not even the answer to a ping: it may be gone without a word. */
  get idle(): boolean {
    const { clock, limits } = this.#options;
    return !this.ended && clock.wall() - this.wire.lastSeenAt >= limits.idleMs;
  }

  /** Who has its voice. */
  get voiceTap(): VoiceTap | undefined {
    return this.#voiceTap;
  }

  set voiceTap(tap: VoiceTap | undefined) {
    this.#voiceTap = tap;
    this.wire.onAudio = tap && ((opus) => tap.onAudio(opus));
  }

  /** Sends a message about its voice. */
  sendVoice({ type, ...message }: VoiceMessage): void {
    const text = JSON.stringify({ session_id: this.#sessionId, type, ...message });
    this.wire.send(text, { type, summary: messageSummary(type, message) });
  }

  /** Ends the connection for a reason of ours. */
  close(code: number, reason: string): void {
    this.wire.close(code, reason);
  }

  /** Ends the connection since the device has connected again. */
  replace(reason = 'the device connected again'): void {
    this.#isReplaced = true;
    this.wire.close(1000, reason);
  }

  /** Turns the device away at a station: what is wrong stays as the error, the connection ends. */
  refuse(step: DoctorStepId, cause: DoctorCause, message: string, closeCode = 1008): void {
    this.#stopTimer();
    this.#course.fail(step, cause, message);
    this.#options.onChange();
    if (!this.ended) this.wire.close(closeCode, cause);
  }

  /** Answers the hello that was held. */
  admit(): void {
    if (!this.held || this.hello === undefined) return;
    this.#greet(this.hello);
  }

  #receive(received: WireText): void {
    if (!this.admitted) return this.#receiveEarly(received);
    const { text, bytes, kind } = received;
    const { maxParsed } = this.#options.limits;
    if (bytes > maxParsed) return this.#logIn(text, bytes, this.#refuseLarge(text, bytes), kind);
    const message = readMessage(received);
    if (!message.ok) return this.#logIn(text, bytes, this.#salvage(received, message.reason), kind);
    if (message.type === 'mcp') {
      const note = this.client.onMcpMessage(message.body['payload'], text.length);
      return this.#logIn(text, bytes, note, kind);
    }
    const { type, body } = message;
    this.#logIn(text, bytes, { type: frameTypeOf(type), summary: messageSummary(type, body) }, kind);
    // On a connection that is being closed, another may speak for the device already.
    if (message.type === 'hello' && !this.wire.closing) this.#greet(readHello(message.body));
    if (type === 'listen') this.#heardListen(body);
    if (type === 'abort') this.#voiceTap?.onAbort();
    if (message.type === 'ping') this.wire.send('{"type":"pong"}', { type: 'pong', summary: 'pong' });
  }

  #heardListen(body: JsonObject): void {
    const listen = readListen(body);
    if (listen === undefined || this.wire.closing) return;
    const begins = listen.state !== 'stop';
    this.#speaksUntil = begins ? Infinity : this.#options.clock.now() + 2_000;
    if (this.#voiceTap !== undefined) this.#voiceTap.onListen(listen);
    else if (begins) this.#options.onListen(listen);
  }

  /** Before the hello is answered nothing else counts, and nothing goes out but the alert of `#hold`. */
  #receiveEarly(received: WireText): void {
    const { text, bytes } = received;
    if (this.state !== 'hello' || this.wire.closing) return this.#overhear(text, bytes);
    const message = readMessage(received);
    if (!message.ok || message.type !== 'hello') {
      const type = message.ok ? frameTypeOf(message.type) : 'invalid';
      this.#logIn(text, bytes, { type, summary: 'not hello' });
      const what = message.ok ? `"${plainText(message.type)}"` : message.reason;
      return this.refuse('hello', 'not-hello', `Its first message is ${what}, not a hello. ${startsWithHello}`, 1002);
    }
    const hello = readHello(message.body);
    const mayEnter = this.#options.mayEnter(hello);
    this.#logIn(text, bytes, { type: 'hello', summary: 'hello' });
    if (mayEnter) this.#greet(hello);
    else if (this.state === 'hello') this.#hold(hello);
  }

  #refuseFlood(): void {
    if (this.wire.closing) return this.wire.end('it sends data without being approved');
    const kB = this.#options.limits.maxEarlyBytes / 1_024;
    const message = `It sent more than ${kB} kB before its hello was answered. Let it send only its hello, and wait for the answer.`;
    this.refuse(this.held ? 'approval' : 'hello', 'too-much-data', message, 1009);
  }

  /** Logs a frame of a device that is not approved, without parsing it. Too many of them end the connection. */
  #overhear(text: string, bytes: number): void {
    this.#overheard += 1;
    const summary = this.held ? 'before the approval' : 'after the refusal';
    this.#logIn(text, bytes, { type: 'event', summary });
    if (this.#overheard >= maxOverheard) this.wire.end('it sends data without being approved');
  }

  /** Waits for the user, but not so long that the device gives up first: both clients wait 10 s. */
  #hold(hello: DeviceHello): void {
    const { clock, limits } = this.#options;
    this.#stopTimer();
    this.hello = hello;
    this.#stopTimer = clock.after(limits.approvalTimeoutMs, () =>
      this.refuse(
        'approval',
        'waits-for-approval',
        `It was not approved within ${limits.approvalTimeoutMs / 1_000} s. Approve it, then let it reconnect.`,
      ),
    );
    this.#course.hold();
    this.wire.send(approvalAlert(this.#options.language()), { type: 'alert', summary: 'alert: approval needed' });
    this.#options.onChange();
  }

  #noteIdle(): void {
    if (this.idle === this.#idle) return;
    this.#idle = this.idle;
    this.#options.onChange();
  }

  #salvage({ text, bytes, problem }: WireText, reason: string): FrameNote {
    const fault = problem === inBinary ? 'binary' : textFault(text, problem === undefined);
    this.wire.faults.add(fault);
    const id = salvageRpcId(text) ?? (isCutMcp(text) ? this.client.onlyWaiting : undefined);
    if (id === undefined) return this.#unreadable(reason, { frame: text.slice(0, maxFrameInError), fault });
    const note = this.client.onBrokenAnswer({ id, text, bytes, reason, fault });
    return { ...note, summary: `answer #${id}, ${reason}` };
  }

  /** It may be the answer to the call that waits: it stands in that call's exchange. */
  #unreadable(summary: string, unreadable?: UnreadableAnswer): FrameNote {
    return { type: 'invalid', summary, callId: this.client.onUnmatched(`it is ${summary}`, unreadable) };
  }

  /** The request that the message answers fails. `text` is the beginning of the message. */
  #refuseLarge(text: string, bytes: number): FrameNote {
    const reason = `${bytes} bytes, more than the ${this.#options.limits.maxParsed} that are read`;
    const id = salvageRpcId(text);
    return id === undefined
      ? this.#unreadable(`not read: ${reason}`)
      : { ...this.client.onLargeAnswer(id, bytes), summary: `answer #${id}, not read: ${reason}` };
  }

  #greet(hello: DeviceHello): void {
    this.#stopTimer();
    this.hello = hello;
    this.wire.protocolVersion = hello.version;
    this.#course.admit();
    this.wire.admit();
    this.#options.onHello(hello);
    this.wire.send(serverHello(this.#sessionId), { type: 'hello', summary: 'hello' });
    this.wire.startKeepAlive();
    this.#handshake?.abort(new ToolError('cancelled', 'Another hello arrived.'));
    if (hello.mcp) {
      void this.#initialize();
    } else {
      this.#enter('ready', {
        code: 'no-mcp',
        message: 'Its hello does not offer "features":{"mcp":true}, so it has no tools.',
      });
    }
  }

  async #initialize(): Promise<void> {
    const handshake = new AbortController();
    this.#handshake = handshake;
    this.#enter('initializing');
    try {
      await this.client.initialize({ signal: handshake.signal, onListing: () => this.#listing() });
      this.#listed();
    } catch (error) {
      if (handshake.signal.aborted || this.ended) return;
      const what = error instanceof Error ? error.message : String(error);
      const station = this.state === 'listing' ? 'tools' : 'initialize';
      this.#course.fail(
        station,
        handshakeCause(station, error, this.wire.counters.invalidIn),
        `${what} The connection is open; ask for the tools again, or restart the device.`,
      );
      this.#options.onChange();
    }
  }

  #listing(): void {
    this.#course.list();
    this.#options.onChange();
  }

  #listed(): void {
    this.#course.listed(this.client.listProblem);
    this.#options.onChange();
  }

  /** Asks for the tools again; a failed handshake is made good so. If cancelled, the tools stay as they are. */
  async refreshTools(signal?: AbortSignal): Promise<void> {
    await this.client.updateTools(signal && { signal });
    this.#listed();
  }

  #closed(end: WireClose): void {
    const close: WireClose = this.#isReplaced ? { ...end, isReplaced: true } : end;
    this.#stopTimer();
    this.#course.end();
    // One time for the call's result and the device's card.
    const endedAt = this.#options.clock.now();
    // With the call that it cut off, so that the close stands in that call's exchange.
    const call = this.client.callAtEnd;
    const note = closeNote(close, call, call !== undefined && leftAsAsked(close, call));
    this.wire.note({ direction: 'in', kind: 'close', bytes: 0, note });
    this.client.onDisconnect(close, endedAt);
    this.#voiceTap?.onEnd();
    this.voiceTap = undefined;
    this.#handshake?.abort(new ToolError('disconnected', 'The connection ended.'));
    this.#course.leave(close, { name: this.#options.name, call, endedAt });
    this.#options.onChange();
  }

  #enter(state: DeviceState, error?: DeviceInfo['error']): void {
    this.#course.enter(state, error);
    this.#options.onChange();
  }

  #sendMcp(payload: string, note: FrameNote): void {
    const text = this.#envelope(payload);
    // The first request carries the device's token for pictures.
    this.wire.send(text, note, note.method === 'initialize' ? maskSecrets(text) : text);
  }

  #envelope(payload: string): string {
    return `{"session_id":"${this.#sessionId}","type":"mcp","payload":${payload}}`;
  }

  #logIn(text: string, bytes: number, note: FrameNote, kind: 'text' | 'binary' = 'text'): void {
    // An answer to a request of ours is kept as it came. What a device says by itself may hold credentials.
    const mask = note.rpcId === undefined;
    this.wire.note({ direction: 'in', kind, bytes, text, note, mask, at: this.wire.lastSeenAt });
  }
}

function readMessage({ text, problem }: WireText): DeviceMessage {
  return problem === undefined ? readDeviceMessage(text) : { ok: false, reason: problem };
}

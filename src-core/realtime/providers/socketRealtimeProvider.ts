import { systemClock, type Clock } from '../../base/clock.ts';
import { describeThrown } from '../../base/describeThrown.ts';
import type { JsonObject } from '../../base/json.ts';
import { RequestError } from '../../base/requestError.ts';
import {
  BaseRealtimeProvider,
  type RealtimeConnectionState,
  type RealtimeSessionFacts,
  type RealtimeSessionUpdate,
  type ToolOutputOptions,
} from '../baseRealtimeProvider.ts';
import { ChunkType, EventChunk } from '../chunks.ts';
import { RealtimeConnectionError } from '../connection/connectionError.ts';
import { connectionHeaders } from '../connection/connectionHeaders.ts';
import { connectionUrl } from '../connection/connectionUrl.ts';
import { RealtimeSocket } from '../connection/realtimeSocket.ts';
import type { RealtimeDialect } from '../dialects/realtimeDialect.ts';
import { withDifferences } from '../dialects/withDifferences.ts';
import { describeWireEvent } from '../events/describeWireEvent.ts';
import { readFrame } from '../events/readFrame.ts';
import { realtimeLimits } from '../limits.ts';
import type { RealtimeDialectDifferences, RealtimeSessionOptions } from '../../base/realtimeTypes.ts';
import { checkUpdate } from '../session/checkUpdate.ts';
import { outputText } from '../session/outputText.ts';
import { RealtimeSession } from '../session/realtimeSession.ts';

export interface RealtimeProviderOptions {
  /** `wss://host/v1/realtime`, without the model. */
  url: string;
  model: string;
  /** Sent as `Authorization: Bearer …`, never shown; absent for a server that wants none. */
  key?: string | undefined;
  voice?: string | undefined;
  /** What the session is set to from its first connection on, beside the voice. */
  session?: RealtimeSessionOptions | undefined;
  /** How the server differs from the dialect. */
  differences?: RealtimeDialectDifferences | undefined;
  /** The machine's own by default. */
  clock?: Clock | undefined;
}

/** A realtime model over a WebSocket: makes the connection, makes it again when it is lost, and keeps one conversation over all. */
export abstract class SocketRealtimeProvider extends BaseRealtimeProvider {
  readonly #dialect: RealtimeDialect;
  readonly #clock: Clock;
  readonly #key: string | undefined;
  readonly #url: URL;
  readonly #held: HeldAudio;
  readonly #settings: RealtimeSessionUpdate;
  /** Of the turn that `commitAudio` ends. */
  #turnBytes = 0;
  #session: RealtimeSession | undefined;
  #socket: RealtimeSocket | undefined;
  #state: RealtimeConnectionState = 'idle';
  #connecting: Promise<void> | undefined;
  #attempt = 0;
  #readyAt = 0;
  #stopWaiting = (): void => {};

  constructor(name: string, dialect: RealtimeDialect, options: RealtimeProviderOptions) {
    super(name);
    this.#dialect = withDifferences(dialect, options.differences);
    this.#clock = options.clock ?? systemClock;
    this.#key = options.key === '' ? undefined : options.key;
    this.#url = connectionUrl(options.url, options.model);
    this.#settings = { ...options.session, ...(options.voice !== undefined && { voice: options.voice }) };
    checkUpdate(this.#settings);
    this.#held = new HeldAudio((this.#dialect.inputSampleRate * 2 * realtimeLimits.heldAudioMs) / 1000);
  }

  override get inputSampleRate(): number {
    return this.#dialect.inputSampleRate;
  }

  override get outputSampleRate(): number {
    return this.#dialect.outputSampleRate;
  }

  override get state(): RealtimeConnectionState {
    return this.#state;
  }

  override connect({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (this.#state === 'connected' || this.#state === 'waiting') return Promise.resolve();
    if (this.#state === 'connecting' && this.#connecting !== undefined) return this.#connecting;
    this.#connecting = this.#connectFirst(signal);
    return this.#connecting;
  }

  override async updateSession(
    update: RealtimeSessionUpdate,
    options: { dropRefused?: boolean | undefined } = {},
  ): Promise<RealtimeSessionFacts> {
    checkUpdate(update);
    const session = this.#required();
    if (update.turns !== undefined) this.#turnBytes = 0;
    return session.update(update, options);
  }

  override async sendAudio(audio: Uint8Array): Promise<void> {
    const session = this.#required();
    if (audio.length % 2 !== 0) throw new RequestError('Sound is whole samples of 16 bits: an even number of bytes.');
    if (!session.ready) return this.#held.add(audio);
    this.#appendAudio(audio);
    await this.#socket?.drained();
  }

  override async commitAudio(): Promise<void> {
    const session = this.#required();
    if (!session.ready) {
      this.#held.take();
      throw new RequestError('Toolwire is reconnecting to the model. Your last words were lost: say them again.');
    }
    const heardMs = this.#turnBytes / 2 / (this.#dialect.inputSampleRate / 1_000);
    this.#turnBytes = 0;
    if (heardMs < realtimeLimits.minTurnMs) session.clearAudio();
    else session.commitAudio();
  }

  override async sendText(text: string): Promise<void> {
    const session = this.#required();
    if (text.trim() === '') throw new RequestError('The message is empty.', { field: 'text' });
    if (text.length > realtimeLimits.textCharacters)
      throw new RequestError(`The message is longer than ${realtimeLimits.textCharacters} characters.`, {
        field: 'text',
      });
    if (!session.ready)
      throw new RequestError('Toolwire is reconnecting to the model. Send the message once it is connected.');
    session.sendText(text);
  }

  override async sendImage({ data, mimeType }: { data: Uint8Array; mimeType: string }): Promise<void> {
    const session = this.#required();
    checkImage(data, mimeType);
    if (!session.ready)
      throw new RequestError('Toolwire is reconnecting to the model. Send the picture once it is connected.');
    session.sendImage(data, mimeType);
    await this.#socket?.drained();
  }

  override async sendToolOutput(toolCallId: string, output: string, options: ToolOutputOptions = {}): Promise<void> {
    const text = outputText(output, { isError: options.isError === true });
    if (this.#required().answerCall(toolCallId, text)) return;
    throw new RequestError(`No call ${toolCallId.slice(0, 200)} waits for an output: it has one, or never was.`);
  }

  override async interrupt({ playedMs }: { playedMs?: number | undefined } = {}): Promise<void> {
    this.#required().interrupt(playedMs);
  }

  override async disconnect(): Promise<void> {
    const before = this.#state;
    if (before === 'idle' || before === 'closed') return this.#socket?.close();
    this.#state = 'closed';
    this.#stopWaiting();
    const socket = this.#socket;
    const error = new RealtimeConnectionError('The connection was closed here.', { final: true });
    this.#endSession(error);
    if (before !== 'connecting') this.#emitDisconnected(error.message);
    // Nobody needs a farewell from a server that has not greeted.
    if (before === 'connecting') socket?.abandon(error);
    await socket?.close();
  }

  async #connectFirst(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    this.#state = 'connecting';
    this.#attempt = 0;
    const session = new RealtimeSession({
      dialect: this.#dialect,
      clock: this.#clock,
      settings: this.#settings,
      emit: (chunk) => this.emit(chunk),
      send: (event) => this.#sendEvent(event),
      mask: (text) => this.#masked(text),
    });
    this.#session = session;
    const stop = (): void => {
      if (this.#session !== session) return;
      this.#socket?.abandon(new RealtimeConnectionError('Connecting was cancelled.', { final: true }));
    };
    signal?.addEventListener('abort', stop, { once: true });
    try {
      await this.#open();
    } catch (error) {
      // Whoever disconnected may have connected again.
      if (this.#session === session) {
        this.#state = 'closed';
        this.#endSession(error as Error);
      }
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  /** One connection, from the first byte to a session that can be used. */
  async #open(): Promise<void> {
    const session = this.#required();
    const opened = Promise.withResolvers<undefined>();
    const stop = this.#clock.after(realtimeLimits.connectMs, () => {
      const what = `${this.#url.host} has not begun a session for ${realtimeLimits.connectMs / 1000} s. Check the address.`;
      socket.abandon(new RealtimeConnectionError(what, { final: false, field: 'url' }));
    });
    let greeted = false;
    /** What the server said before it closed: why it does not want us. */
    let complaint = '';
    const greet = (): void => {
      if (greeted) return;
      greeted = true;
      this.emit(new EventChunk({ type: ChunkType.EVENT_REALTIME_CONNECTED }));
      // Whoever heard it may have ended the connection.
      if (this.#socket !== socket || this.#isClosed) return;
      session.begin().then(
        () => {
          stop();
          if (this.#isClosed) return;
          this.#becomeReady();
          opened.resolve(undefined);
        },
        (error: unknown) => {
          // A server that refuses the settings refuses them again.
          socket.abandon(new RealtimeConnectionError(describeThrown(error), { final: true, cause: error }));
        },
      );
    };
    const socket = new RealtimeSocket({
      url: this.#url,
      clock: this.#clock,
      headers: connectionHeaders(this.#dialect, this.#key),
      mask: (text) => this.#masked(text),
      onOpen: () => this.#note('in', 'open', ''),
      onFrame: (text, bytes) => {
        if (this.#socket !== socket || this.#isClosed) return;
        const read = text === undefined ? { problem: 'a binary frame' } : readFrame(text);
        if ('problem' in read)
          return this.#note('in', 'invalid', this.#masked(`${read.problem}: ${text ?? ''}`), { bytes });
        const { event } = read;
        const type = this.#dialect.dialectNames?.get(read.type) ?? read.type;
        this.#note('in', read.type, this.#masked(text ?? ''), { bytes, event, meaning: type });
        if (type === 'error' && this.#state !== 'connected') complaint = session.errorOf(event).message;
        if (type === 'session.created') greet();
        else session.receive(type, event);
      },
      onClose: (closed) => {
        stop();
        const error = complaint === '' ? closed : closed.because(complaint);
        this.#note('in', this.#state === 'closed' ? 'close' : 'lost', this.#masked(error.message));
        opened.reject(error);
        if (this.#socket !== socket) return;
        this.#socket = undefined;
        if (this.#state === 'connected') this.#lost(error);
      },
    });
    this.#socket = socket;
    await opened.promise;
  }

  /** Behind a getter, since whoever hears an event may change it in between. */
  get #isClosed(): boolean {
    return this.#state === 'closed';
  }

  #becomeReady(): void {
    this.#state = 'connected';
    this.#readyAt = this.#clock.now();
    this.#turnBytes = 0;
    for (const piece of this.#held.take()) this.#appendAudio(piece);
  }

  /** A connection that was in use is gone: tries again, unless that cannot help. */
  #lost(error: RealtimeConnectionError): void {
    if (this.#clock.now() - this.#readyAt >= realtimeLimits.steadyMs) this.#attempt = 0;
    this.#retry(error);
  }

  #retry(error: RealtimeConnectionError): void {
    const delay = error.final ? undefined : realtimeLimits.reconnectDelaysMs[this.#attempt];
    if (delay === undefined) {
      this.#state = 'closed';
      this.#endSession(error);
      const given = error.final ? '' : ` Given up after ${this.#attempt} attempts.`;
      return this.#emitDisconnected(`${error.message}${given}`);
    }
    const wasConnected = this.#state === 'connected';
    this.#state = 'waiting';
    this.#attempt += 1;
    this.#session?.lost(error, { ended: false });
    if (this.#isClosed) return;

    this.#stopWaiting = this.#clock.after(delay, () => {
      this.#open().catch((failure: unknown) => {
        if (this.#state === 'waiting') this.#retry(failure as RealtimeConnectionError);
      });
    });
    // Last: whoever hears it may end the connection.
    if (wasConnected) this.#emitDisconnected(`${error.message} Connecting again.`);
  }

  #endSession(error: Error): void {
    this.#session?.lost(error, { ended: true });
    this.#held.take();
  }

  #emitDisconnected(detail: string): void {
    this.emit(new EventChunk({ type: ChunkType.EVENT_REALTIME_DISCONNECTED, detail: this.#masked(detail) }));
  }

  #appendAudio(audio: Uint8Array): void {
    this.#turnBytes += audio.length;
    for (let start = 0; start < audio.length; start += realtimeLimits.audioPieceBytes) {
      const piece = audio.subarray(start, start + realtimeLimits.audioPieceBytes);
      const base64 = Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('base64');
      this.#sendEvent({ type: 'input_audio_buffer.append', audio: base64 });
    }
  }

  #sendEvent(event: JsonObject): boolean {
    const meaning = String(event.type);
    const type = this.#dialect.serverNames?.get(meaning) ?? meaning;
    const text = JSON.stringify({ ...event, type });
    if (this.#socket?.send(text) !== true) return false;
    this.#note('out', type, this.#masked(text), { bytes: Buffer.byteLength(text), event, meaning });
    return true;
  }

  #note(
    direction: 'in' | 'out',
    type: string,
    text: string,
    more: { bytes?: number; event?: JsonObject; meaning?: string } = {},
  ): void {
    this.noteWire(describeWireEvent({ direction, at: this.#clock.wall(), type, text, ...more }));
  }

  #masked(text: string): string {
    return maskKey(text, this.#key);
  }

  #required(): RealtimeSession {
    if (this.#session === undefined || this.#state === 'idle' || this.#state === 'closed')
      throw new RequestError('There is no connection to the model. Connect first.');
    return this.#session;
  }
}

/** Sound that waits for a session to take it; above the limit the oldest goes. */
class HeldAudio {
  readonly #limit: number;
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  add(piece: Uint8Array): void {
    // A caller may use its buffer again; and one piece alone can be more than all that is kept.
    const kept = piece.slice(-this.#limit);
    this.#pieces.push(kept);
    this.#bytes += kept.length;
    while (this.#bytes > this.#limit) this.#bytes -= this.#pieces.shift()?.length ?? 0;
  }

  take(): Uint8Array[] {
    this.#bytes = 0;
    return this.#pieces.splice(0);
  }
}

/** Shorter keys could be part of anything, and a server's error would be cut to pieces. */
const shortestKey = 8;

/** The text with the key taken out of it: servers repeat it in their errors. */
function maskKey(text: string, key: string | undefined): string {
  return key === undefined || key.length < shortestKey ? text : text.replaceAll(key, '•••');
}

/** @throws RequestError for what no server takes as a picture */
function checkImage(data: Uint8Array, mimeType: string): void {
  if (!/^image\/[a-z0-9.+-]+$/.test(mimeType))
    throw new RequestError('The picture must have a type such as image/jpeg.', { field: 'mimeType' });
  if (data.length === 0) throw new RequestError('The picture is empty.', { field: 'image' });
  if (data.length <= realtimeLimits.imageBytes) return;
  throw new RequestError(`The picture has more than ${realtimeLimits.imageBytes} bytes. Make it smaller.`, {
    field: 'image',
  });
}

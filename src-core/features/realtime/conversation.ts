import { bytesFromPcm } from '../../audio/pcm.ts';
import { PcmResampler } from '../../audio/pcmResampler.ts';
import type { RealtimeSessionInfo, RealtimeUpdate } from '../../contract/types/realtime.ts';
import type { ToolDiscoveryService } from '../../engine/discovery.ts';
import type { BaseRealtimeProvider } from '../../realtime/baseRealtimeProvider.ts';
import { AudioChunk, ChunkType, ImageChunk, TextChunk, ToolOutputChunk, type AnyChunk } from '../../realtime/chunks.ts';
import type { RealtimeProfile, RealtimeSessionOptions } from '../../base/realtimeTypes.ts';
import { RealtimeStation } from '../../realtime/stations/realtimeStation.ts';
import type { ToolCallConfig } from '../../base/calls.ts';
import { describeThrown } from '../../base/describeThrown.ts';
import { RequestError } from '../../base/requestError.ts';
import type { FrameRecorder } from '../frames/frameLog.ts';
import { ModelCalls, type ModelCallsOptions } from './modelCalls.ts';
import { ConversationRecord } from './record/conversationRecord.ts';
import { SessionSetup } from './sessionSetup.ts';
import { SessionTools, type ToolChoice } from './sessionTools.ts';
import { VoiceFeed } from './voiceFeed.ts';

/** Receives the model's output besides the pages: a device. */
export interface ConversationListener {
  /** The model's output and events, in order. */
  onChunk(chunk: AnyChunk): void;
  /** Discards the voice that was not played yet. Returns how many ms of the response were played, if known. */
  onFlush(): number | undefined;
  /** The conversation has ended, for this reason. */
  onClose(reason: string): void;
}

/** The dependencies of every conversation of a workbench. */
export interface ConversationServices extends Pick<
  ModelCallsOptions,
  'toolRegistryManager' | 'questions' | 'policy' | 'clock' | 'onError'
> {
  discovery: ToolDiscoveryService;
  config: () => ToolCallConfig;
  /** Records the events of the wire. */
  frames: Pick<FrameRecorder, 'add'>;
  onChange: () => void;
  /** Called once the conversation has ended. */
  onEnd: () => void;
}

/** The options that one conversation starts with. */
export interface ConversationStart {
  id: string;
  profile: RealtimeProfile;
  provider: BaseRealtimeProvider;
  from: RealtimeSessionInfo['from'];
  plan: RealtimeSessionInfo['plan'];
  instructions: string;
  voice: string;
  session: RealtimeSessionOptions;
  choice: ToolChoice;
}

/** One conversation with a realtime model, from its first byte to its end, and its record afterwards. */
export class RealtimeConversation {
  readonly #start: ConversationStart;
  readonly #services: ConversationServices;
  readonly #station: RealtimeStation;
  readonly #record: ConversationRecord;
  readonly #setup: SessionSetup;
  readonly #calls: ModelCalls;
  readonly #microphone: Microphone;
  readonly #voice = new VoiceFeed();
  readonly #startedAt: number;
  #listener: ConversationListener | undefined;
  #state: RealtimeSessionInfo['state'] = 'connecting';
  #reason: string | undefined;
  #closedAt: number | undefined;
  #ending: Promise<void> | undefined;

  constructor(start: ConversationStart, services: ConversationServices) {
    const { id: connection, provider, plan, instructions, voice, session, choice } = start;
    const { discovery, config, clock, frames } = services;
    this.#start = start;
    this.#services = services;
    this.#startedAt = clock.wall();
    this.#record = new ConversationRecord({
      clock,
      addFrame: (frame) => frames.add({ source: 'realtime', connection, ...frame }),
    });
    this.#setup = new SessionSetup({
      initial: { instructions, voice, session, choice },
      tools: new SessionTools({ discovery, config }),
      clock,
      send: (change) => this.#station.update(change),
      onLeftOut: (leftOut, offered) =>
        this.#record.remark(`${leftOut} tools were left out: a model takes ${offered}. Choose which.`, {
          failed: true,
        }),
      onChange: services.onChange,
    });
    this.#calls = new ModelCalls({
      ...services,
      methodOf: (name) => this.#setup.methodOf(name),
      tools: this.#record.tools,
      moment: () => this.#record.moment,
    });
    this.#microphone = new Microphone(provider.inputSampleRate);
    this.#station = new RealtimeStation({ provider, execute: plan === 'station' ? this.#calls.run : undefined });
    this.#station.onChunk((chunk) => this.#hear(chunk));
    provider.setWireHandler((event) => {
      this.#record.wire(event);
      services.onChange();
    });
  }

  get id(): string {
    return this.#start.id;
  }

  get profileId(): string {
    return this.#start.profile.id;
  }

  get isClosed(): boolean {
    return this.#state === 'closed';
  }

  /** Calls without an output. */
  get openCalls(): number {
    return this.#calls.open;
  }

  /** Samples a second that the model takes. */
  get inputSampleRate(): number {
    return this.#start.provider.inputSampleRate;
  }

  /** Samples a second of the model's voice. */
  get outputSampleRate(): number {
    return this.#start.provider.outputSampleRate;
  }

  /** Receives the output besides the pages; only one, the last one set. */
  set listener(listener: ConversationListener | undefined) {
    this.#listener = listener;
  }

  /** Connects and sets the session. If that fails, closes the conversation and rejects with the reason. */
  async open(options: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    try {
      await this.#setup.begin((session) => this.#station.open(session, options));
      this.#requireOpen();
      this.#state = 'connected';
      // The tools may have changed while the model greeted.
      this.toolsChanged();
    } catch (error) {
      await this.close(describeThrown(error));
      throw error;
    } finally {
      this.#services.onChange();
    }
  }

  /** Changes the session; what is absent stays. Rejects with a `RequestError` if the server rejects the change. */
  async update(change: Parameters<SessionSetup['update']>[0]): Promise<void> {
    this.#requireOpen();
    await this.#setup.update(change);
  }

  /** Tools were added, removed or changed: the model is updated soon, once for all of them. */
  toolsChanged(): void {
    if (this.#state === 'closed' || this.#state === 'connecting') return;
    this.#setup.toolsChanged((error) => {
      if (this.#state === 'closed') return;
      this.remark(`The tools could not be changed: ${describeThrown(error)}`, { failed: true });
    });
  }

  /** Audio of the user. Resolves when there is room for more. */
  async sendAudio(pcm: Int16Array, sampleRate: number): Promise<void> {
    this.#requireOpen();
    this.#record.soundIn();
    await this.#send(this.#microphone.take(pcm, sampleRate));
  }

  /** What ends the user's turns: the server at pauses, which is the default, or `endAudio`. */
  async takeTurns(turns: 'server' | 'client'): Promise<void> {
    this.#requireOpen();
    await this.#setup.takeTurns(turns);
  }

  /** The user has stopped for now. A server that detects pauses gets silence, so that it notices. */
  async endAudio(): Promise<void> {
    this.#requireOpen();
    this.#record.soundEnded();
    if (this.#setup.turns === 'server') {
      await this.#send(this.#microphone.end());
    } else {
      await this.#send(this.#microphone.rest());
      await this.#station.commitAudio();
      this.#record.turnEnded();
    }
    this.#services.onChange();
  }

  async sendText(text: string): Promise<void> {
    this.#requireOpen();
    this.#calls.addUserText(text);
    await this.#station.process(new TextChunk({ data: text, source: 'user' }));
    this.#record.typed(text);
    this.#services.onChange();
  }

  async sendImage(data: Uint8Array, mimeType: string): Promise<void> {
    this.#requireOpen();
    await this.#station.process(new ImageChunk({ data, mimeType }));
    this.#record.pictureShown(data.length);
    this.#services.onChange();
  }

  /** Interrupts the model's speech, of which `playedMs` were played; if a device plays it, the device's count is used. */
  async interrupt({ playedMs }: { playedMs?: number | undefined } = {}): Promise<void> {
    this.#requireOpen();
    this.#voice.flush();
    const heard = this.#listener?.onFlush() ?? playedMs;
    if (heard !== undefined) this.#record.heard(heard);
    await this.#station.interrupt({ playedMs: heard });
    this.#services.onChange();
  }

  /** Plan B: the user's answer to a waiting call. */
  async answerCall({ callId, output, isError }: { callId: string; output: string; isError: boolean }): Promise<void> {
    this.#requireOpen();
    this.#calls.requireWaiting(callId);
    const chunk = new ToolOutputChunk({ callId, output, isError });
    await this.#station.process(chunk);
    this.#calls.end(chunk);
    this.#listener?.onChunk(chunk);
    this.#services.onChange();
  }

  /** Adds an event of the workbench to the timeline. */
  remark(label: string, options: { failed?: boolean } = {}): void {
    this.#record.remark(label, options);
    this.#services.onChange();
  }

  voice(signal?: AbortSignal): ReturnType<VoiceFeed['subscribe']> {
    return this.#voice.subscribe(signal);
  }

  updates(revision: number): RealtimeUpdate {
    return { session: this.info(), ...this.#record.since(revision) };
  }

  info(): RealtimeSessionInfo {
    const { id, profile, provider, from, plan } = this.#start;
    return {
      id,
      profileId: profile.id,
      label: profile.label,
      dialect: profile.dialect,
      model: profile.model,
      from,
      plan,
      state: this.#state,
      startedAt: this.#startedAt,
      ...this.#setup.info(),
      ...(this.#closedAt !== undefined && { closedAt: this.#closedAt }),
      ...(this.#reason !== undefined && { reason: this.#reason }),
      inputSampleRate: provider.inputSampleRate,
      outputSampleRate: provider.outputSampleRate,
      ...this.#record.facts(),
    };
  }

  /** Cancels the running calls and ends the connection; may be called again. The record stays. */
  async close(reason: string): Promise<void> {
    if (this.#state !== 'closed') {
      this.#state = 'closed';
      this.#reason = reason;
      this.#closedAt = this.#services.clock.wall();
      this.#setup.close();
      this.#record.end();
      this.#voice.end();
      this.#listener?.onClose(reason);
      this.#services.onChange();
      this.#ending = this.#station.close().finally(() => this.#services.onEnd());
    }
    await this.#ending;
  }

  #hear(chunk: AnyChunk): void {
    if (this.#state === 'closed') return;
    if (chunk.type === ChunkType.TOOL_CALL) this.#calls.begin(chunk, { waits: this.#start.plan === 'downstream' });
    if (chunk.type === ChunkType.TOOL_OUTPUT) this.#calls.end(chunk);
    if (chunk.type === ChunkType.TEXT && chunk.source === 'user') this.#calls.addUserText(chunk.data);
    this.#record.chunk(chunk);
    this.#listener?.onChunk(chunk);
    switch (chunk.type) {
      case ChunkType.AUDIO_RAW:
        this.#voice.push(chunk);
        break;
      case ChunkType.EVENT_VAD_START:
        this.#speechBegan();
        break;
      case ChunkType.EVENT_REALTIME_DISCONNECTED:
        this.#disconnected(chunk.detail ?? 'The connection has ended.');
        break;
      case ChunkType.EVENT_REALTIME_SESSION_UPDATED:
        if (this.#state !== 'reconnecting') break;
        this.#state = 'connected';
        this.#reason = undefined;
        break;
      default:
        break;
    }
    this.#services.onChange();
  }

  /** The server ends its response by itself; the workbench stops the playback and reports how much was played. */
  #speechBegan(): void {
    this.#voice.flush();
    const playedMs = this.#listener?.onFlush();
    if (playedMs === undefined) return;
    this.#record.heard(playedMs);
    this.#station.interrupt({ playedMs }).catch((error: unknown) => this.#services.onError(error, 'a realtime model'));
  }

  #disconnected(reason: string): void {
    if (this.#state === 'closed') return;
    if (this.#start.provider.state === 'closed') {
      this.close(reason).catch((error: unknown) => this.#services.onError(error, 'a realtime model'));
      return;
    }
    this.#voice.flush();
    this.#state = 'reconnecting';
    this.#reason = reason;
  }

  async #send(audio: Uint8Array): Promise<void> {
    if (audio.length === 0) return;
    const { inputSampleRate: sampleRate } = this.#start.provider;
    await this.#station.process(new AudioChunk({ data: audio, sampleRate, source: 'user' }));
  }

  #requireOpen(): void {
    if (this.#state !== 'closed') return;
    throw new RequestError(`This conversation has ended: ${this.#reason ?? ''}`, { field: 'id' });
  }
}

/** ms of silence after which a server that listens for pauses notices one. */
const silenceMs = 1_000;

/** The user's sound of any rate, as the model takes it. */
class Microphone {
  readonly #rate: number;
  #input: { rate: number; resampler: PcmResampler } | undefined;

  constructor(rate: number) {
    this.#rate = rate;
  }

  /** Sound as it goes to the model; empty while it is gathered. */
  take(pcm: Int16Array, sampleRate: number): Uint8Array {
    if (sampleRate === this.#rate) return Buffer.concat([this.rest(), bytesFromPcm(pcm)]);
    const rest = this.#input?.rate === sampleRate ? Buffer.alloc(0) : this.rest();
    this.#input ??= { rate: sampleRate, resampler: new PcmResampler(sampleRate, this.#rate) };
    return Buffer.concat([rest, bytesFromPcm(this.#input.resampler.push(pcm))]);
  }

  /** What was gathered, and silence behind it. */
  end(): Uint8Array {
    return Buffer.concat([this.rest(), Buffer.alloc((this.#rate * silenceMs) / 500)]);
  }

  /** What was gathered. */
  rest(): Uint8Array {
    const rest = this.#input?.resampler.flush();
    this.#input = undefined;
    return rest === undefined ? Buffer.alloc(0) : bytesFromPcm(rest);
  }
}

import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { RealtimeSessionFacts, RealtimeSessionUpdate } from '../baseRealtimeProvider.ts';
import { ChunkType, EventChunk, TextChunk, TextDeltaChunk, type AnyChunk } from '../chunks.ts';
import type { RealtimeDialect } from '../dialects/realtimeDialect.ts';
import { fieldOf, objectOf, objectsOf, textOf } from '../events/eventFields.ts';
import { realtimeLimits } from '../limits.ts';
import { ConversationMemory } from './conversationMemory.ts';
import { imageItem, messageItem } from './conversationItems.ts';
import { ResponseGate } from './responseGate.ts';
import { SentEvents, type EventPurpose } from './sentEvents.ts';
import { hasNothingToCancel, isBusy, readServerError, type ServerError } from './serverError.ts';
import { SessionUpdates } from './sessionUpdates.ts';
import { ToolCalls } from './toolCalls.ts';
import { VoiceOut } from './voiceOut.ts';

export interface RealtimeSessionOptions {
  dialect: RealtimeDialect;
  clock: Clock;
  /** What the first connection is set to. */
  settings: RealtimeSessionUpdate;
  emit: (chunk: AnyChunk) => void;
  /** Sends an event; false if the connection is closed. */
  send: (event: JsonObject) => boolean;
  /** Removes the key from the server's messages. */
  mask: (text: string) => string;
}

/**
 * One conversation with a realtime model, over as many connections as it takes: what the server's events mean, and what
 * answers them (docs/protocols/realtime.md). Knows nothing of sockets.
 */
export class RealtimeSession {
  readonly #dialect: RealtimeDialect;
  readonly #options: RealtimeSessionOptions;
  readonly #sent = new SentEvents();
  readonly #memory = new ConversationMemory();
  readonly #updates: SessionUpdates;
  readonly #gate: ResponseGate;
  readonly #voice: VoiceOut;
  readonly #calls: ToolCalls;
  #ready = false;
  #toldBefore = false;
  /** The requested response must not be played. */
  #muteNext = false;

  constructor(options: RealtimeSessionOptions) {
    this.#options = options;
    this.#dialect = options.dialect;
    const { clock, dialect, emit } = options;
    this.#updates = new SessionUpdates(
      {
        clock,
        wire: (change, more) => dialect.session(change, more),
        send: (session) => this.#send({ type: 'session.update', session }, { kind: 'session.update' }),
        onLeftOut: (names, reason) =>
          this.#emitEvent(
            ChunkType.EVENT_ERROR,
            `The server refused ${names}. The session is set without it. The server said: ${reason}`,
          ),
      },
      options.settings,
    );
    this.#gate = new ResponseGate({
      clock,
      create: () => this.#send({ type: 'response.create' }, { kind: 'response.create' }),
    });
    this.#voice = new VoiceOut({ emit, sampleRate: dialect.outputSampleRate });
    this.#calls = new ToolCalls({
      emit,
      sendItem: (item, purpose) => this.#sendItem(item, purpose),
      answer: () => this.#gate.request(),
    });
  }

  /** True while the session takes sound, text and outputs. */
  get ready(): boolean {
    return this.#ready;
  }

  /**
   * Called after the server's greeting: sends the settings, then the earlier conversation. Resolves when the session
   * can be used; rejects if the server refuses the settings.
   */
  async begin(): Promise<void> {
    await this.#updates.begin();
    if (this.#toldBefore) {
      for (const text of this.#memory.texts) this.#sendItem(messageItem(text, this.#dialect), { kind: 'history' });
      this.#calls.tellAgain();
    }
    this.#toldBefore = true;
    this.#ready = true;
    this.#calls.open();
    this.#updates.open();
    this.#gate.open();
  }

  /** The connection is gone; with `ended` for good. */
  lost(error: Error, { ended }: { ended: boolean }): void {
    this.#ready = false;
    this.#updates.lost(error, { ended });
    this.#calls.lost();
    this.#memory.ended();
    this.#voice.clear();
    this.#muteNext = false;
    const cut = this.#gate.lost();
    if (cut !== undefined) this.#emitEvent(ChunkType.EVENT_RESPONSE_END, 'The connection was lost.', cut);
  }

  update(
    change: RealtimeSessionUpdate,
    options: { dropRefused?: boolean | undefined } = {},
  ): Promise<RealtimeSessionFacts> {
    return this.#updates.add(change, options);
  }

  sendText(text: string): void {
    this.#memory.said(text);
    this.#sendItem(messageItem({ role: 'user', text }, this.#dialect), { kind: 'text' });
    this.#gate.request();
  }

  /** A picture, without asking for a response. */
  sendImage(data: Uint8Array, mimeType: string): void {
    const base64 = Buffer.from(data.buffer, data.byteOffset, data.length).toString('base64');
    if (this.#dialect.images === 'items') this.#sendItem(imageItem(base64, mimeType), { kind: 'image' });
    else this.#send({ type: 'input_image_buffer.append', image: base64 }, { kind: 'image' });
  }

  /** The user's turn ends with the sound that was sent: asks for a response to it. */
  commitAudio(): void {
    this.#send({ type: 'input_audio_buffer.commit' }, { kind: 'commit' });
    this.#gate.request();
  }

  /** Discards the user's sound that was sent: it is not a turn. */
  clearAudio(): void {
    this.#send({ type: 'input_audio_buffer.clear' }, { kind: 'commit' });
  }

  /** Stores the output and sends it when possible. False if no call of this id waits for one. */
  answerCall(callId: string, output: string): boolean {
    return this.#calls.answer(callId, output);
  }

  interrupt(playedMs: number | undefined): void {
    this.#calls.silence();
    this.#gate.withdraw();
    const { active, asked, waits } = this.#gate;
    if (active !== undefined) this.#voice.mute(active);
    // The server reads the request first: there will be something to cancel.
    this.#muteNext = active === undefined && asked;
    if (active !== undefined || waits) this.#send({ type: 'response.cancel' }, { kind: 'response.cancel' });
    const cut = playedMs === undefined ? undefined : this.#voice.cutAt(playedMs);
    if (cut === undefined || !this.#dialect.truncates) return;
    this.#voice.clearPosition();
    const { itemId, contentIndex, audioEndMs } = cut;
    this.#send(
      { type: 'conversation.item.truncate', item_id: itemId, content_index: contentIndex, audio_end_ms: audioEndMs },
      { kind: 'truncate' },
    );
  }

  /** What the server complains of in an event, without the key. */
  errorOf(event: JsonObject): ServerError {
    const error = readServerError(event);
    return { ...error, message: this.#options.mask(error.message) };
  }

  /** One event of the server. */
  receive(type: string, event: JsonObject): void {
    switch (type) {
      case 'session.updated':
        return this.#onUpdated(event);
      case 'error':
        return this.#onError(event);
      case 'response.created':
        return this.#onResponseCreated(event);
      case 'response.done':
        return this.#onResponseDone(event);
      case 'response.output_audio.delta':
      case 'response.audio.delta':
        return this.#voice.piece(event);
      case 'response.output_audio_transcript.delta':
      case 'response.audio_transcript.delta':
      case 'response.output_text.delta':
      case 'response.text.delta':
        return this.#onWords(event);
      case 'response.output_item.done':
        return this.#calls.itemDone(objectOf(event, 'item'), this.#responseOf(event));
      case 'conversation.item.created':
      case 'conversation.item.added':
      case 'conversation.item.done':
        return this.#calls.itemKnown(objectOf(event, 'item'));
      case 'conversation.item.input_audio_transcription.completed':
        return this.#onTranscript(event);
      case 'conversation.item.input_audio_transcription.failed':
        return this.#emitEvent(ChunkType.EVENT_ERROR, `The speech was not transcribed: ${this.errorOf(event).message}`);
      case 'input_audio_buffer.speech_started':
        return this.#emitEvent(ChunkType.EVENT_VAD_START);
      case 'input_audio_buffer.speech_stopped':
        return this.#emitEvent(ChunkType.EVENT_VAD_END);
    }
  }

  #onUpdated(event: JsonObject): void {
    const dropped = this.#updates.answered(objectOf(event, 'session'));
    this.#emitEvent(ChunkType.EVENT_REALTIME_SESSION_UPDATED);
    if (dropped.length === 0) return;
    const names = dropped.slice(0, 20).join(', ');
    this.#emitEvent(
      ChunkType.EVENT_ERROR,
      `The server has silently dropped ${dropped.length} tools: ${names}. This model may not support tools.`,
    );
  }

  #onError(event: JsonObject): void {
    const error = this.errorOf(event);
    const cause = this.#causeOf(error);
    if (cause?.kind === 'session.update' && this.#updates.refused(error)) return;
    const busy = isBusy(error);
    if (cause?.kind === 'response.create' || busy) this.#muteNext = false;
    if (busy) return this.#gate.refusedAsBusy();
    // There was nothing left to cancel.
    if (cause?.kind === 'response.cancel') return;
    if (cause?.kind === 'response.create') this.#gate.refused();
    if (cause?.kind === 'output') this.#calls.refused(cause.callId);
    this.#emitEvent(ChunkType.EVENT_ERROR, error.message);
  }

  /** The event of ours that an error is about. Qwen's errors have no event id: then the words and what is on its way decide. */
  #causeOf(error: ServerError): EventPurpose | undefined {
    const named = this.#sent.purposeOf(error.eventId);
    if (named !== undefined) return named;
    if (error.param.startsWith('session')) return { kind: 'session.update' };
    if (hasNothingToCancel(error)) return { kind: 'response.cancel' };
    if (isBusy(error)) return { kind: 'response.create' };
    if (error.code === 'server_error' || error.eventId !== undefined) return undefined;
    if (this.#updates.waits) return { kind: 'session.update' };
    return this.#gate.asked ? { kind: 'response.create' } : undefined;
  }

  #onResponseCreated(event: JsonObject): void {
    const id = textOf(objectOf(event, 'response'), 'id') ?? '';
    if (this.#muteNext) this.#voice.mute(id);
    this.#muteNext = false;
    this.#gate.created(id);
    this.#calls.responseCreated(id);
    this.#emitEvent(ChunkType.EVENT_RESPONSE_START, undefined, id);
  }

  #onResponseDone(event: JsonObject): void {
    const response = objectOf(event, 'response');
    const id = textOf(response, 'id') ?? this.#gate.active ?? '';
    const status = textOf(response, 'status') ?? 'completed';
    // Servers that leave out the status of an item say it here.
    if (status === 'completed')
      for (const item of objectsOf(response, 'output').slice(0, realtimeLimits.responseItems))
        this.#calls.itemDone(item, id, { whole: true });
    this.#memory.ended();
    const details = objectOf(response, 'status_details');
    const reason = textOf(details, 'reason');
    if (status === 'failed' || fieldOf(details, 'error') !== undefined)
      this.#emitEvent(ChunkType.EVENT_ERROR, this.errorOf(details ?? {}).message, id);
    this.#emitEvent(
      ChunkType.EVENT_RESPONSE_END,
      reason === undefined ? status : `${status}: ${reason}`.slice(0, 200),
      id,
    );
    this.#calls.responseDone(id, status);
    this.#gate.done(id);
  }

  #onWords(event: JsonObject): void {
    const responseId = this.#responseOf(event);
    const data = textOf(event, 'delta') ?? '';
    if (data === '' || this.#voice.isMuted(responseId)) return;
    this.#memory.heard(data);
    this.#options.emit(new TextDeltaChunk({ data, source: 'bot', responseId }));
  }

  #onTranscript(event: JsonObject): void {
    const data = (textOf(event, 'transcript') ?? '').trim().slice(0, realtimeLimits.textCharacters);
    if (data === '') return;
    this.#memory.said(data);
    this.#options.emit(new TextChunk({ data, source: 'user' }));
  }

  #responseOf(event: JsonObject): string {
    return textOf(event, 'response_id') ?? this.#gate.active ?? '';
  }

  #emitEvent(type: EventChunk['type'], detail?: string, responseId?: string): void {
    this.#options.emit(new EventChunk({ type, detail, responseId }));
  }

  #sendItem(item: JsonObject, purpose: EventPurpose): void {
    this.#send({ type: 'conversation.item.create', item }, purpose);
  }

  #send(event: JsonObject, purpose: EventPurpose): void {
    this.#options.send({ event_id: this.#sent.add(purpose), ...event });
  }
}

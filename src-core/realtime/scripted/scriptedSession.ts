import * as z from 'zod';

import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { RealtimeScript } from '../../base/realtimeTypes.ts';
import { Conversation, newId, readItem, type SendEvent } from './conversation.ts';
import { createSession, describeVoice, readSettings, updateSession, type TurnDetection } from './dialects.ts';
import type { ScriptedDialect, SessionSettings } from './dialects.ts';
import { EventError, readField, toEventError } from './eventError.ts';
import { ResponseRun, type ScriptedConnection } from './responseRun.ts';
import { ScriptTurns, type SharedTurns } from './scriptTurns.ts';
import { LevelMeter } from '../../audio/levelMeter.ts';
import { pcmFromBytes } from '../../audio/pcm.ts';

const frameMs = 20;

/** Consecutive loud frames that start speech; a click is shorter. */
const framesToStart = 3;

const minCommitMs = 100;

/** The audio that one client sends: when the user speaks, by its level alone, and the items that result. */
class Listening {
  readonly #options: ListeningOptions;
  readonly #meter: LevelMeter;
  /** Half a sample, completed by the next append. */
  #oddByte: Buffer = Buffer.alloc(0);
  /** ms received since the last item. */
  #bufferedMs = 0;
  /** ms that became items. */
  #heardMs = 0;
  #frames = 0;
  #loudRun = 0;
  #quietRun = 0;
  /** The id of the item that the current speech becomes. */
  #speechItem: string | undefined;

  constructor(options: ListeningOptions) {
    this.#options = options;
    this.#meter = new LevelMeter(options.inputRate, frameMs);
  }

  get heardMs(): number {
    return this.#heardMs;
  }

  /**
   * Accepts the `audio` of an `input_audio_buffer.append`.
   * @throws {EventError} If it is not valid base64.
   */
  append(audio: JsonValue | undefined): void {
    if (typeof audio !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(audio) || audio.length % 4 !== 0) {
      throw new EventError({
        code: 'invalid_value',
        message: "Invalid 'audio'. Expected base64-encoded audio bytes.",
        param: 'audio',
      });
    }
    const bytes = Buffer.concat([this.#oddByte, Buffer.from(audio, 'base64')]);
    const pcm = bytes.subarray(0, bytes.length - (bytes.length % 2));
    this.#oddByte = bytes.subarray(pcm.length);
    this.#bufferedMs += (pcm.length / 2 / this.#options.inputRate) * 1_000;
    const { turnDetection } = this.#options.settings();
    if (turnDetection !== null) this.#detectTurns(pcm, turnDetection);
  }

  /**
   * Turns the received audio into an item.
   * @throws {EventError} If it has less than 100 ms.
   */
  commit(): void {
    if (this.#bufferedMs < minCommitMs) {
      throw new EventError({
        code: 'input_audio_buffer_commit_empty',
        message:
          `Error committing input audio buffer: buffer too small. Expected at least ${minCommitMs}ms of audio, ` +
          `but buffer only has ${this.#bufferedMs.toFixed(2)}ms of audio.`,
      });
    }
    this.#commit(newId('item'));
  }

  clear(): void {
    this.#emptyBuffer();
    this.stop();
    this.#options.send('input_audio_buffer.cleared', {});
  }

  /** Forgets the current speech; the audio received stays. */
  stop(): void {
    this.#speechItem = undefined;
    this.#loudRun = 0;
    this.#quietRun = 0;
  }

  #detectTurns(pcm: Buffer, detection: TurnDetection): void {
    const { send, interrupt, respond } = this.#options;
    // A threshold of 0.5 is -45 dBFS: well above a quiet room, well below a voice.
    const loud = -60 + 30 * detection.threshold;
    for (const { rms } of this.#meter.push(pcmFromBytes(pcm))) {
      this.#frames += 1;
      this.#loudRun = rms > loud ? this.#loudRun + 1 : 0;
      this.#quietRun = rms > loud ? 0 : this.#quietRun + 1;
      const nowMs = this.#frames * frameMs;
      const item = this.#speechItem;
      if (item === undefined && this.#loudRun >= framesToStart) {
        this.#speechItem = newId('item');
        const startMs = Math.max(0, nowMs - framesToStart * frameMs - detection.prefix_padding_ms);
        send('input_audio_buffer.speech_started', { audio_start_ms: startMs, item_id: this.#speechItem });
        if (detection.interrupt_response) interrupt();
      }
      if (item !== undefined && this.#quietRun > 0 && this.#quietRun * frameMs >= detection.silence_duration_ms) {
        this.#speechItem = undefined;
        send('input_audio_buffer.speech_stopped', { audio_end_ms: nowMs, item_id: item });
        this.#commit(item);
        if (detection.create_response) respond();
      }
    }
  }

  #commit(itemId: string): void {
    const { send, conversation, turns, settings } = this.#options;
    const seconds = this.#bufferedMs / 1_000;
    this.#heardMs += this.#bufferedMs;
    this.#emptyBuffer();
    turns.noteUserInput();
    send('input_audio_buffer.committed', { previous_item_id: conversation.lastId, item_id: itemId });
    const part: JsonObject = { type: 'input_audio', transcript: null };
    const item = { id: itemId, object: 'realtime.item', type: 'message', status: 'completed', role: 'user' };
    conversation.add({ ...item, content: [part] });
    if (!settings().transcribes) return;
    const transcript = turns.peek()?.turn.heard ?? `(${seconds.toFixed(1)} s)`;
    part['transcript'] = transcript;
    send('conversation.item.input_audio_transcription.completed', {
      item_id: itemId,
      content_index: 0,
      transcript,
      usage: { type: 'duration', seconds },
    });
  }

  #emptyBuffer(): void {
    this.#bufferedMs = 0;
    this.#oddByte = Buffer.alloc(0);
  }
}

export interface ScriptedSessionOptions {
  dialect: ScriptedDialect;
  model: string;
  script: RealtimeScript | undefined;
  shared: SharedTurns;
  connection: ScriptedConnection;
}

const anObject = z.record(z.string(), z.unknown());

/** One connection of the scripted server: takes the client's events and answers as the dialect's vendor does. */
export class ScriptedSession {
  readonly #dialect: ScriptedDialect;
  readonly #connection: ScriptedConnection;
  readonly #turns: ScriptTurns;
  readonly #conversation: Conversation;
  readonly #conversationId = newId('conv');
  readonly #id = newId('sess');
  readonly #listening: Listening;
  readonly #handlers: Record<string, (event: JsonObject) => void>;
  #session: JsonObject;
  #settings: SessionSettings;
  #run: ResponseRun | undefined;
  #readChars = 0;

  constructor({ dialect, model, script, shared, connection }: ScriptedSessionOptions) {
    const { send } = connection;
    this.#dialect = dialect;
    this.#connection = connection;
    this.#session = createSession(dialect, model);
    this.#settings = readSettings(dialect, this.#session);
    this.#turns = new ScriptTurns(script, shared, () => this.#settings);
    this.#conversation = new Conversation(dialect, send);
    this.#listening = new Listening({
      inputRate: dialect.inputRate,
      send,
      conversation: this.#conversation,
      turns: this.#turns,
      settings: () => this.#settings,
      interrupt: () => this.#run?.cancel('turn_detected'),
      respond: () => {
        if (!this.#isResponding) this.#respond({});
      },
    });
    this.#handlers = this.#createHandlers();
  }

  open(): void {
    this.#sendSession('session.created');
  }

  /** Takes one event. An invalid one is answered with `error`. */
  take(event: JsonValue): void {
    try {
      const fields = readField(anObject, event, 'event') as JsonObject;
      const type = readField(z.object({ type: z.unknown() }), fields, '').type as JsonValue;
      const known = Object.keys(this.#handlers);
      if (typeof type === 'string' && known.includes(type)) return this.#handlers[type]?.(fields);
      throw new EventError({
        code: 'invalid_value',
        message: `Invalid value: ${JSON.stringify(type).slice(0, 100)}. Supported values are: '${known.join("', '")}'.`,
        param: 'type',
      });
    } catch (error) {
      this.refuse(toEventError(error), isJsonObject(event) ? event['event_id'] : undefined);
    }
  }

  /** Sends an `error` about an event. */
  refuse({ type, code, message, param }: EventError, eventId: JsonValue = null): void {
    this.#connection.send('error', { error: { type, code, message, param, event_id: eventId } });
  }

  /** The connection is closed. */
  close(): void {
    this.#run?.abandon();
  }

  get #isResponding(): boolean {
    return this.#run !== undefined && !this.#run.ended;
  }

  #createHandlers(): Record<string, (event: JsonObject) => void> {
    const { send } = this.#connection;
    const conversation = this.#conversation;
    return {
      'session.update': ({ session }) => this.#update(session),
      'input_audio_buffer.append': ({ audio }) => this.#listening.append(audio),
      'input_audio_buffer.commit': () => this.#listening.commit(),
      'input_audio_buffer.clear': () => this.#listening.clear(),
      'conversation.item.create': (event) => this.#createItem(event),
      'conversation.item.truncate': (event) => this.#truncate(event),
      'conversation.item.retrieve': ({ item_id: id }) =>
        send('conversation.item.retrieved', { item: conversation.get(id, 'retrieve') }),
      'conversation.item.delete': ({ item_id: id }) =>
        send('conversation.item.deleted', { item_id: conversation.delete(id) }),
      'response.create': (event) => this.#createResponse(event),
      'response.cancel': ({ response_id: id }) => this.#cancel(id),
      // Pictures are accepted and ignored.
      ...(this.#dialect.name === 'qwen' && {
        'input_image_buffer.append': ({ image }: JsonObject) => {
          readField(z.string().max(4_000_000), image, 'image');
        },
      }),
    };
  }

  #sendSession(type: string): void {
    this.#connection.send(type, { session: { object: 'realtime.session', id: this.#id, ...this.#session } });
  }

  #update(update: JsonValue | undefined): void {
    const session = updateSession(this.#dialect, this.#session, update);
    if (this.#turns.peek()?.turn.fault === 'drop-tools') session['tools'] = [];
    this.#session = session;
    this.#settings = readSettings(this.#dialect, session);
    if (this.#settings.turnDetection === null) this.#listening.stop();
    this.#sendSession('session.updated');
  }

  #createItem({ item: value, previous_item_id: after = null }: JsonObject): void {
    const item = readItem(value);
    const callId = item.type === 'function_call_output' ? String(item['call_id']) : undefined;
    if (callId !== undefined && !this.#conversation.hasCall(callId)) {
      throw new EventError({
        code: 'invalid_tool_call_id',
        message: `Tool call ID '${callId.slice(0, 100)}' not found in conversation.`,
        param: 'item.call_id',
      });
    }
    this.#conversation.add(item, { after });
    this.#readChars += JSON.stringify(item).length;
    if (callId !== undefined) this.#turns.noteOutput(callId, String(item['output']));
    else if (item['role'] === 'user') this.#turns.noteUserInput();
  }

  #truncate({ item_id: id, content_index: index, audio_end_ms: endMs = null }: JsonObject): void {
    readField(z.literal(0), index, 'content_index');
    const item = this.#conversation.truncate(id, endMs);
    this.#connection.send('conversation.item.truncated', { item_id: item.id, content_index: 0, audio_end_ms: endMs });
  }

  #createResponse({ response = {}, event_id: eventId }: JsonObject): void {
    const request = readField(anObject, response, 'response') as JsonObject;
    if (this.#isResponding) throw this.#activeResponse();
    const fault = this.#respond(request);
    // As if the end of speech had requested a response just before the client did.
    if (fault === 'active-response') this.refuse(this.#activeResponse(), eventId);
  }

  /** Starts a response. Returns the fault of its turn. */
  #respond(request: JsonObject) {
    const { modalitiesField, modalities: schema } = this.#dialect;
    const requested = readField(schema.optional(), request[modalitiesField], `response.${modalitiesField}`);
    const modalities = requested ?? this.#settings.modalities;
    const offersTools = this.#settings.callsTools && request['tool_choice'] !== 'none';
    const plan = this.#turns.planNext(offersTools ? this.#settings.tools : []);
    this.#run = new ResponseRun({
      plan,
      dialect: this.#dialect,
      conversation: this.#conversation,
      connection: this.#connection,
      isSpoken: modalities.includes('audio'),
      description: {
        conversation_id: this.#conversationId,
        metadata: request['metadata'] ?? null,
        ...describeVoice(this.#dialect, this.#session, modalities),
      },
      heardMs: this.#listening.heardMs,
      readChars: this.#readChars + this.#settings.instructions.length,
      onCall: (callId) => this.#turns.noteCall(callId, plan.placed?.index ?? 0),
    });
    this.#run.start();
    return plan.placed?.turn.fault;
  }

  #cancel(id: JsonValue | undefined): void {
    if (!this.#isResponding || (id !== undefined && id !== this.#run?.id)) {
      throw new EventError({
        code: 'response_cancel_not_active',
        message: 'Cancellation failed: no active response found',
      });
    }
    this.#run?.cancel('client_cancelled');
  }

  #activeResponse(): EventError {
    return new EventError({
      code: 'conversation_already_has_active_response',
      message:
        `Conversation already has an active response in progress: ${this.#run?.id}. ` +
        'Wait until the response is finished before creating a new one.',
    });
  }
}

interface ListeningOptions {
  /** Samples a second. */
  inputRate: number;
  send: SendEvent;
  conversation: Conversation;
  turns: ScriptTurns;
  settings: () => SessionSettings;
  /** The user starts to speak: interrupts the response, if the session is set so. */
  interrupt: () => void;
  /** The user has stopped speaking: starts a response, if the session is set so. */
  respond: () => void;
}

import * as z from 'zod';
import { isJsonObject } from '../../base/json.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { RealtimeScript } from '../realtimeProfile.ts';
import { Conversation, newId, readItem } from './conversation.ts';
import { createSession, describeVoice, readSettings, updateSession } from './dialects.ts';
import type { ScriptedDialect, SessionSettings } from './dialects.ts';
import { EventError, readField, toEventError } from './eventError.ts';
import { Listening } from './listening.ts';
import { ResponseRun } from './responseRun.ts';
import type { ScriptedConnection } from './responseRun.ts';
import { ScriptTurns } from './scriptTurns.ts';
import type { SharedTurns } from './scriptTurns.ts';

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

import { randomUUID } from 'node:crypto';
import { describeThrown } from '../../base/describeThrown.ts';
import { isJsonObject } from '../../base/json.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { Conversation, readItem } from './conversation.ts';
import type { ScriptedDialect, SessionSettings } from './dialect.ts';
import { EventError } from './eventError.ts';
import { wrongType, text } from './fields.ts';
import { Listening } from './listening.ts';
import { addItem } from './responseEvents.ts';
import type { SendEvent } from './responseEvents.ts';
import { planThen, planTurn } from './responsePlan.ts';
import type { ResponsePlan } from './responsePlan.ts';
import { ResponseRun } from './responseRun.ts';
import type { ScriptTurns } from './scriptTurns.ts';
import type { VoicePace } from './voicePace.ts';

export interface ScriptedSessionOptions {
  dialect: ScriptedDialect;
  model: string;
  send: SendEvent;
  /** Creates the position in the script; `isChinese`: whether the session's instructions are Chinese. */
  createTurns: (isChinese: () => boolean) => ScriptTurns;
  createPace: () => VoicePace;
  drop: () => void;
  sendGarbage: () => void;
}

/** One connection of the scripted server: takes the client's events and answers as the dialect's vendor does. */
export class ScriptedSession {
  readonly #options: ScriptedSessionOptions;
  readonly #turns: ScriptTurns;
  readonly #conversation = new Conversation();
  readonly #conversationId = newId('conv');
  readonly #listening: Listening;
  readonly #handlers: Record<string, (event: JsonObject) => void>;
  #session: JsonObject;
  #settings: SessionSettings;
  #run: ResponseRun | undefined;
  #readChars = 0;

  constructor(options: ScriptedSessionOptions) {
    const { dialect, model, createTurns } = options;
    this.#options = options;
    this.#session = dialect.createSession({ id: newId('sess'), model });
    this.#settings = dialect.readSettings(this.#session);
    this.#turns = createTurns(() => this.#isChinese);
    this.#listening = new Listening({
      dialect,
      send: options.send,
      conversation: this.#conversation,
      turns: this.#turns,
      settings: () => this.#settings,
      newId,
      interrupt: () => this.#run?.cancel('turn_detected'),
      respond: () => {
        if (!this.#isSpeaking) this.#respond({});
      },
    });
    this.#handlers = {
      'session.update': (event) => this.#update(event),
      'input_audio_buffer.append': ({ audio }) => this.#listening.append(audio),
      'input_audio_buffer.commit': () => this.#listening.commit(),
      'input_audio_buffer.clear': () => this.#listening.clear(),
      'conversation.item.create': (event) => this.#createItem(event),
      'conversation.item.truncate': (event) => this.#truncate(event),
      'conversation.item.retrieve': ({ item_id: id }) =>
        this.#send('conversation.item.retrieved', { item: this.#conversation.get(id, 'retrieve') }),
      'conversation.item.delete': ({ item_id: id }) =>
        this.#send('conversation.item.deleted', { item_id: this.#conversation.delete(id) }),
      'response.create': (event) => this.#createResponse(event),
      'response.cancel': (event) => this.#cancel(event),
      // Pictures beside the sound, which are ignored here.
      ...(options.dialect.name === 'qwen' && {
        'input_image_buffer.append': (event: JsonObject) => text(4_000_000)(event['image'] ?? null, 'image'),
      }),
    };
  }

  open(): void {
    this.#send('session.created', { session: this.#session });
  }

  /** Takes one event. What is wrong with it is answered with `error`. */
  take(event: JsonValue): void {
    try {
      if (!isJsonObject(event)) throw wrongType('event', 'an object');
      const { type } = event;
      if (type === undefined) {
        throw new EventError({
          code: 'missing_required_parameter',
          message: "Missing required parameter: 'type'.",
          param: 'type',
        });
      }
      const handler =
        typeof type === 'string' && Object.hasOwn(this.#handlers, type) ? this.#handlers[type] : undefined;
      if (handler === undefined) {
        const known = Object.keys(this.#handlers).map((name) => `'${name}'`);
        const shown = JSON.stringify(type).slice(0, 100);
        throw new EventError({
          code: 'invalid_value',
          message: `Invalid value: ${shown}. Supported values are: ${known.join(', ')}.`,
          param: 'type',
        });
      }
      handler(event);
    } catch (error) {
      const told =
        error instanceof EventError
          ? error
          : new EventError({ type: 'server_error', code: 'server_error', message: describeThrown(error) });
      this.refuse(told, isJsonObject(event) ? event['event_id'] : undefined);
    }
  }

  /** Says that an event cannot be done. */
  refuse({ type, code, message, param }: EventError, eventId: JsonValue = null): void {
    this.#send('error', { error: { type, code, message, param: param ?? null, event_id: eventId } });
  }

  /** The connection is gone. */
  close(): void {
    this.#run?.abandon();
  }

  get #isChinese(): boolean {
    return /\p{Script=Han}/u.test(this.#settings.instructions);
  }

  get #isSpeaking(): boolean {
    return this.#run !== undefined && !this.#run.ended;
  }

  #send(type: string, fields: JsonObject): void {
    this.#options.send(type, fields);
  }

  #update({ session }: JsonObject): void {
    const { dialect } = this.#options;
    if (!isJsonObject(session)) throw wrongType('session', 'an object');
    const updated = dialect.updateSession(this.#session, session);
    if (this.#turns.peek()?.turn.fault === 'drop-tools') updated['tools'] = [];
    this.#session = updated;
    this.#settings = dialect.readSettings(updated);
    if (this.#settings.turnDetection === undefined) this.#listening.stop();
    this.#send('session.updated', { session: updated });
  }

  #createItem({ item: value, previous_item_id: after }: JsonObject): void {
    const { send, dialect } = this.#options;
    const item = readItem(value, () => newId('item'));
    const { type, call_id: callId, output } = item;
    const isOutput = type === 'function_call_output' && typeof callId === 'string';
    if (isOutput && !this.#conversation.hasCall(callId)) {
      throw new EventError({
        code: 'invalid_tool_call_id',
        message: `Tool call ID '${callId.slice(0, 100)}' not found in conversation.`,
        param: 'item.call_id',
      });
    }
    addItem({ item, after, whole: true, conversation: this.#conversation, dialect, send });
    this.#readChars += JSON.stringify(item).length;
    if (isOutput) this.#turns.noteOutput(callId, String(output));
    else if (item['role'] === 'user') this.#turns.noteUserInput();
  }

  #truncate({ item_id: id, content_index: index, audio_end_ms: endMs }: JsonObject): void {
    if (index !== 0)
      throw new EventError({ code: 'invalid_value', message: "'content_index' must be 0.", param: 'content_index' });
    const item = this.#conversation.truncate(id, endMs);
    this.#send('conversation.item.truncated', { item_id: item.id, content_index: 0, audio_end_ms: endMs ?? 0 });
  }

  #createResponse({ response = {}, event_id: eventId }: JsonObject): void {
    if (!isJsonObject(response)) throw wrongType('response', 'an object');
    if (this.#isSpeaking) throw activeResponse(this.#run?.id ?? '');
    const raced = this.#respond(response);
    // As if the end of speech had requested a response just before the client did.
    if (raced) this.refuse(activeResponse(this.#run?.id ?? ''), eventId);
  }

  /** Begins a response; true if the turn's fault is that the client's request comes too late. */
  #respond(request: JsonObject): boolean {
    const { dialect } = this.#options;
    const modality = dialect.readModality(request) ?? this.#settings.modality;
    const answered = this.#turns.takeAnswered();
    const placed = answered ?? this.#turns.take();
    const plan = this.#plan(placed, answered?.output, request);
    this.#run = new ResponseRun({
      ...this.#options,
      plan,
      modality,
      conversation: this.#conversation,
      conversationId: this.#conversationId,
      description: dialect.describeResponse(this.#session, modality),
      metadata: request['metadata'] ?? null,
      heardMs: this.#listening.heardMs,
      readChars: this.#readChars + this.#settings.instructions.length,
      pace: this.#options.createPace(),
      newId,
      onCall: (callId) => this.#turns.noteCall(callId, placed?.index ?? 0),
    });
    this.#run.start();
    return placed?.turn.fault === 'active-response';
  }

  #plan(
    placed: { turn: Parameters<typeof planTurn>[0]; index: number } | undefined,
    output: string | undefined,
    request: JsonObject,
  ): ResponsePlan {
    if (placed === undefined) return { say: '', calls: [], fault: undefined };
    if (output !== undefined) return planThen(placed.turn, output);
    const offers = this.#settings.callsTools && request['tool_choice'] !== 'none';
    const plan = planTurn(placed.turn, { tools: offers ? this.#settings.tools : [], chinese: this.#isChinese });
    if (plan.fault !== 'drop-socket' || this.#turns.drops(placed.index)) return plan;
    return { ...plan, fault: undefined };
  }

  #cancel({ response_id: id }: JsonObject): void {
    if (!this.#isSpeaking || (id !== undefined && id !== this.#run?.id)) {
      throw new EventError({
        code: 'response_cancel_not_active',
        message: 'Cancellation failed: no active response found',
      });
    }
    this.#run?.cancel('client_cancelled');
  }
}

function activeResponse(id: string): EventError {
  return new EventError({
    code: 'conversation_already_has_active_response',
    message: `Conversation already has an active response in progress: ${id}. Wait until the response is finished before creating a new one.`,
  });
}

function newId(kind: string): string {
  return `${kind}_${randomUUID().replaceAll('-', '').slice(0, 21)}`;
}

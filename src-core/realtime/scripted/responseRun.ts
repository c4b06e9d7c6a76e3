import { describeThrown } from '../../base/describeThrown.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Conversation, Item } from './conversation.ts';
import type { ScriptedDialect } from './dialect.ts';
import { EventError } from './eventError.ts';
import { addItem, usageOf } from './responseEvents.ts';
import type { SendEvent } from './responseEvents.ts';
import type { PlannedCall, ResponsePlan } from './responsePlan.ts';
import { speak } from './voice.ts';
import type { VoicePace } from './voicePace.ts';

const sampleRate = 24_000;
const pieceMs = 40;
const sentenceEnd = /[.!?。！？]\s*$/;
const pieceSamples = (sampleRate * pieceMs) / 1_000;

export interface ResponseRunOptions {
  plan: ResponsePlan;
  dialect: ScriptedDialect;
  conversation: Conversation;
  modality: 'audio' | 'text';
  /** What the response says of how it sounds. */
  description: JsonObject;
  metadata: JsonObject[string];
  conversationId: string;
  /** What the model took in, for the usage. */
  heardMs: number;
  readChars: number;
  send: SendEvent;
  newId: (kind: string) => string;
  pace: VoicePace;
  /** Cuts the connection without a word. */
  drop: () => void;
  /** Sends what is no event at all. */
  sendGarbage: () => void;
  onCall: (callId: string) => void;
}

/** An item that is being made. */
interface OpenItem {
  item: Item;
  place: { response_id: string; item_id: string; output_index: number };
  previousId: string | null;
  words: string;
}

/** One response, from `response.created` to `response.done`. */
export class ResponseRun {
  readonly id: string;
  readonly #options: ResponseRunOptions;
  readonly #output: Item[] = [];
  #open: OpenItem | undefined;
  #saidMs = 0;
  #wroteChars = 0;
  #ended = false;

  constructor(options: ResponseRunOptions) {
    this.#options = options;
    this.id = options.newId('resp');
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Begins; what goes wrong on the way is told as a failed response. */
  start(): void {
    this.#options.send('response.created', { response: this.#describe('in_progress', null, null) });
    this.#play().catch((error: unknown) => this.#fail(error));
  }

  /** Ends it at once, half-said as it is. Again is nothing. */
  cancel(reason: 'client_cancelled' | 'turn_detected'): void {
    this.#finish('cancelled', { type: 'cancelled', reason });
  }

  /** Ends it without a word: the connection is gone. */
  abandon(): void {
    this.#ended = true;
    this.#options.pace.stop();
  }

  async #play(): Promise<void> {
    const { plan, send, sendGarbage } = this.#options;
    if (plan.fault === 'unknown-event') send('response.daydream.delta', { response_id: this.id, delta: '…' });
    if (plan.fault === 'garbage') sendGarbage();
    if (plan.fault === 'server-error') {
      throw new EventError({
        type: 'server_error',
        code: 'server_error',
        message: 'The server had an error while processing your request.',
      });
    }
    if (plan.say !== '') await this.#say(plan.say);
    for (const call of plan.calls) if (!this.#ended) this.#call(call);
    this.#finish('completed', null);
  }

  async #say(text: string): Promise<void> {
    const { modality, dialect, plan, send, drop } = this.#options;
    const open = this.#begin({
      id: this.#options.newId('item'),
      object: 'realtime.item',
      type: 'message',
      status: 'in_progress',
      role: 'assistant',
      content: [],
    });
    const at = { ...open.place, content_index: 0 };
    const speaks = modality === 'audio';
    /** Sound of the sentence whose words are going out: as with real models, the words are ahead of it. */
    const waiting: Int16Array[] = [];
    send('response.content_part.added', {
      ...at,
      part: speaks ? { type: 'audio', transcript: '' } : { type: 'text', text: '' },
    });
    const breaks = plan.calls.length === 0;
    for (const part of speak(text, sampleRate)) {
      const half = open.words.length >= text.length / 2;
      if (breaks && half && (plan.fault === 'interrupted' || plan.fault === 'drop-socket')) {
        await this.#playSound(waiting, at);
        if (this.#ended) return;
        return plan.fault === 'interrupted' ? this.cancel('turn_detected') : drop();
      }
      open.words += part.text;
      this.#wroteChars += part.text.length;
      send(`${speaks ? dialect.events.transcript : dialect.events.text}.delta`, { ...at, delta: part.text });
      if (!speaks) continue;
      waiting.push(part.pcm);
      if (sentenceEnd.test(part.text)) await this.#playSound(waiting, at);
      if (this.#ended) return;
    }
    await this.#playSound(waiting, at);
    if (!this.#ended) this.#end('completed');
  }

  /** Sends the sound that waits, at its pace, until the response is ended. */
  async #playSound(waiting: Int16Array[], at: object): Promise<void> {
    const { dialect, send, pace } = this.#options;
    for (const pcm of waiting.splice(0)) {
      for (let from = 0; from < pcm.length; from += pieceSamples) {
        const piece = pcm.subarray(from, from + pieceSamples);
        const ms = (piece.length / sampleRate) * 1_000;
        await pace.next(ms);
        if (this.#ended) return;
        const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
        send(`${dialect.events.audio}.delta`, { ...at, delta: bytes.toString('base64') });
        this.#saidMs += ms;
      }
    }
  }

  #call({ name, argumentsText }: PlannedCall): void {
    const { newId, send, plan, drop, onCall } = this.#options;
    const callId = newId('call');
    onCall(callId);
    const open = this.#begin({
      id: newId('item'),
      object: 'realtime.item',
      type: 'function_call',
      status: 'in_progress',
      name,
      call_id: callId,
      arguments: '',
    });
    const at = { ...open.place, call_id: callId };
    for (let from = 0; from < argumentsText.length; from += 16) {
      const delta = argumentsText.slice(from, from + 16);
      open.words += delta;
      send('response.function_call_arguments.delta', { ...at, delta });
    }
    this.#wroteChars += argumentsText.length;
    if (plan.fault === 'interrupted') return this.cancel('turn_detected');
    this.#end('completed');
    if (plan.fault === 'drop-socket') drop();
  }

  #begin(item: Item): OpenItem {
    const { send, conversation, dialect } = this.#options;
    const index = this.#output.length;
    this.#output.push(item);
    send('response.output_item.added', { response_id: this.id, output_index: index, item: { ...item } });
    const previousId = addItem({ item, whole: false, conversation, dialect, send });
    return (this.#open = {
      item,
      place: { response_id: this.id, item_id: item.id, output_index: index },
      previousId,
      words: '',
    });
  }

  /** Ends the open item with everything that belongs to its end. */
  #end(status: 'completed' | 'incomplete'): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    const { send, plan, dialect } = this.#options;
    const { item, place } = open;
    item['status'] = status;
    const times = plan.fault === 'duplicate-done' ? 2 : 1;
    if (item.type === 'function_call') {
      item['arguments'] = open.words;
      const { name = '', call_id: callId = '' } = item;
      const done = { ...place, call_id: callId, ...(dialect.namesCall ? { name } : {}), arguments: open.words };
      for (let time = 0; time < times; time += 1) send('response.function_call_arguments.done', done);
    } else {
      this.#endWords(open);
    }
    for (let time = 0; time < times; time += 1) {
      send('response.output_item.done', { response_id: this.id, output_index: place.output_index, item });
    }
    if (dialect.itemEvents === 'added-and-done')
      send('conversation.item.done', { previous_item_id: open.previousId, item });
  }

  #endWords({ item, place, words }: OpenItem): void {
    const { send, dialect, modality, conversation } = this.#options;
    const at = { ...place, content_index: 0 };
    if (modality === 'text') {
      send(`${dialect.events.text}.done`, { ...at, text: words });
      send('response.content_part.done', { ...at, part: { type: 'text', text: words } });
      item['content'] = [{ type: dialect.content.text, text: words }];
      return;
    }
    conversation.noteVoice(item.id, this.#saidMs);
    send(`${dialect.events.audio}.done`, at);
    send(`${dialect.events.transcript}.done`, { ...at, transcript: words });
    send('response.content_part.done', { ...at, part: { type: 'audio', transcript: words } });
    item['content'] = [{ type: dialect.content.audio, transcript: words }];
  }

  #finish(status: 'completed' | 'cancelled' | 'failed', details: JsonObject | null): void {
    if (this.#ended) return;
    this.#end('incomplete');
    this.#ended = true;
    const { send, pace, heardMs, readChars } = this.#options;
    pace.stop();
    const usage = usageOf({ heardMs, readChars, saidMs: this.#saidMs, wroteChars: this.#wroteChars });
    send('response.done', { response: this.#describe(status, details, status === 'failed' ? null : usage) });
  }

  #fail(error: unknown): void {
    const { type, code, message } =
      error instanceof EventError
        ? error
        : new EventError({ type: 'server_error', code: 'server_error', message: describeThrown(error) });
    this.#options.send('error', { error: { type, code, message, param: null, event_id: null } });
    this.#finish('failed', { type: 'failed', error: { type, code } });
  }

  #describe(status: string, details: JsonObject | null, usage: JsonObject | null): JsonObject {
    const { description, metadata, conversationId } = this.#options;
    return {
      object: 'realtime.response',
      id: this.id,
      status,
      status_details: details,
      output: status === 'in_progress' ? [] : this.#output,
      conversation_id: conversationId,
      ...description,
      max_output_tokens: 'inf',
      usage,
      metadata,
    };
  }
}

import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import { newId, type Conversation, type Item, type SendEvent } from './conversation.ts';
import type { ScriptedDialect } from './dialects.ts';
import { toEventError } from './eventError.ts';
import type { ResponsePlan } from './scriptTurns.ts';
import { speak } from './voice.ts';

const sampleRate = 24_000;
const pieceMs = 40;
const pieceSamples = (sampleRate * pieceMs) / 1_000;
const sentenceEnd = /[.!?。！？]\s*$/;
/** ms that the voice may be sent ahead of its playback, to cover a network's jitter. */
const leadMs = 200;

/** The connection that a response is sent on. */
export interface ScriptedConnection {
  send: SendEvent;
  clock: Clock;
  /** As in `ScriptedRealtimeServerOptions`. */
  paceMs: number | undefined;
  /** Resolves when the sent data has left the buffer; at once if little waits. */
  drained: () => Promise<void>;
  /** Cuts the connection without a close frame. */
  drop: () => void;
  /** Sends frames that are not events. */
  sendGarbage: () => void;
}

export interface ResponseRunOptions {
  plan: ResponsePlan;
  dialect: ScriptedDialect;
  conversation: Conversation;
  connection: ScriptedConnection;
  isSpoken: boolean;
  /** The fields of the response that say how it sounds and where it belongs. */
  description: JsonObject;
  /** Input of the model, for the usage. */
  heardMs: number;
  readChars: number;
  onCall: (callId: string) => void;
}

/** An item that is being sent. */
interface OpenItem {
  item: Item;
  place: { response_id: string; item_id: string; output_index: number };
  previousId: string | null;
  text: string;
}

/** One response, from `response.created` to `response.done`. */
export class ResponseRun {
  readonly id = newId('resp');
  readonly #options: ResponseRunOptions;
  readonly #send: SendEvent;
  readonly #output: Item[] = [];
  #open: OpenItem | undefined;
  #startedAt: number | undefined;
  #wake = (): void => {};
  #saidMs = 0;
  #wroteChars = 0;
  #ended = false;

  constructor(options: ResponseRunOptions) {
    this.#options = options;
    this.#send = options.connection.send;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Starts the response. It is sent over time, and ends by itself or by `cancel`. */
  start(): void {
    this.#send('response.created', { response: this.#describe('in_progress', null, null) });
    this.#play().catch((error: unknown) => this.#fail(error));
  }

  /** Ends the response at once with what was sent so far. Does nothing after its end. */
  cancel(reason: 'client_cancelled' | 'turn_detected'): void {
    this.#finish('cancelled', { type: 'cancelled', reason });
  }

  /** Stops sending: the connection is closed. */
  abandon(): void {
    this.#ended = true;
    this.#wake();
  }

  async #play(): Promise<void> {
    const { say, calls, fault } = this.#options.plan;
    if (fault === 'unknown-event') this.#send('response.daydream.delta', { response_id: this.id, delta: '…' });
    if (fault === 'garbage') this.#options.connection.sendGarbage();
    if (fault === 'server-error') throw new Error('The server had an error while processing your request.');
    if (say !== '') await this.#say(say);
    for (const call of calls) if (!this.#ended) this.#call(call);
    this.#finish('completed', null);
  }

  async #say(text: string): Promise<void> {
    const { isSpoken, dialect, plan } = this.#options;
    const open = this.#begin({ type: 'message', role: 'assistant', content: [] });
    const at = { ...open.place, content_index: 0 };
    const part: JsonObject = isSpoken ? { type: 'audio', transcript: '' } : { type: 'text', text: '' };
    this.#send('response.content_part.added', { ...at, part });
    // A turn with calls is interrupted by its first call.
    const breaks = plan.calls.length === 0 && (plan.fault === 'interrupted' || plan.fault === 'drop-socket');
    /** Sound of the sentence whose words are being sent: as with real models, the words are ahead of it. */
    const waiting: Int16Array[] = [];
    for (const spoken of speak(text, sampleRate)) {
      if (breaks && open.text.length >= text.length / 2) {
        await this.#playSound(waiting, at);
        return this.#ended ? undefined : this.#break();
      }
      open.text += spoken.text;
      this.#wroteChars += spoken.text.length;
      this.#send(`${isSpoken ? dialect.events.transcript : dialect.events.text}.delta`, { ...at, delta: spoken.text });
      if (isSpoken) waiting.push(spoken.pcm);
      if (sentenceEnd.test(spoken.text)) await this.#playSound(waiting.splice(0), at);
      if (this.#ended) return;
    }
    await this.#playSound(waiting, at);
    if (!this.#ended) this.#end('completed');
  }

  /** Sends sound in pieces at playback speed, until the response has ended. */
  async #playSound(sounds: Int16Array[], at: object): Promise<void> {
    for (const pcm of sounds) {
      for (let from = 0; from < pcm.length; from += pieceSamples) {
        const piece = pcm.subarray(from, from + pieceSamples);
        await this.#untilDue();
        if (this.#ended) return;
        const delta = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('base64');
        this.#send(`${this.#options.dialect.events.audio}.delta`, { ...at, delta });
        this.#saidMs += (piece.length / sampleRate) * 1_000;
      }
    }
  }

  /** Resolves when the next piece of sound may be sent, or when the response has ended. */
  async #untilDue(): Promise<void> {
    const { clock, paceMs, drained } = this.#options.connection;
    await drained();
    if (this.#ended) return;
    this.#startedAt ??= clock.now();
    const waitMs = paceMs ?? this.#startedAt + this.#saidMs - leadMs - clock.now();
    if (waitMs <= 0) return;
    await new Promise<void>((resolve) => {
      const off = clock.after(waitMs, resolve);
      this.#wake = () => {
        off();
        resolve();
      };
    });
  }

  #call({ name, argumentsText }: ResponsePlan['calls'][number]): void {
    const callId = newId('call');
    this.#options.onCall(callId);
    const open = this.#begin({ type: 'function_call', name, call_id: callId, arguments: '' });
    for (let from = 0; from < argumentsText.length; from += 16) {
      const delta = argumentsText.slice(from, from + 16);
      open.text += delta;
      this.#send('response.function_call_arguments.delta', { ...open.place, call_id: callId, delta });
    }
    this.#wroteChars += argumentsText.length;
    if (this.#options.plan.fault !== 'interrupted') this.#end('completed');
    this.#break();
  }

  /** Does what the plan's fault breaks half-way. */
  #break(): void {
    const { plan, connection } = this.#options;
    if (plan.fault === 'interrupted') this.cancel('turn_detected');
    if (plan.fault === 'drop-socket') connection.drop();
  }

  #begin(fields: JsonObject & { type: string }): OpenItem {
    const item: Item = { id: newId('item'), object: 'realtime.item', status: 'in_progress', ...fields };
    const index = this.#output.push(item) - 1;
    this.#send('response.output_item.added', { response_id: this.id, output_index: index, item: { ...item } });
    const previousId = this.#options.conversation.add(item, { complete: false });
    const place = { response_id: this.id, item_id: item.id, output_index: index };
    this.#open = { item, place, previousId, text: '' };
    return this.#open;
  }

  /** Ends the open item with all the events of its end. */
  #end(status: 'completed' | 'incomplete'): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    const { plan, dialect, conversation } = this.#options;
    const { item, place, previousId, text } = open;
    const times = plan.fault === 'duplicate-done' ? 2 : 1;
    item['status'] = status;
    if (item.type === 'function_call') {
      item['arguments'] = text;
      const { name = '', call_id: callId = '' } = item;
      const done = { ...place, call_id: callId, arguments: text, ...(dialect.namesCall && { name }) };
      for (let time = 0; time < times; time += 1) this.#send('response.function_call_arguments.done', done);
    } else {
      this.#endText(open);
    }
    const { response_id, output_index } = place;
    for (let time = 0; time < times; time += 1)
      this.#send('response.output_item.done', { response_id, output_index, item });
    conversation.complete(item, previousId);
  }

  #endText({ item, place, text }: OpenItem): void {
    const { dialect, isSpoken, conversation } = this.#options;
    const { events, content } = dialect;
    const at = { ...place, content_index: 0 };
    if (isSpoken) {
      conversation.noteVoice(item.id, this.#saidMs);
      this.#send(`${events.audio}.done`, at);
      this.#send(`${events.transcript}.done`, { ...at, transcript: text });
    } else {
      this.#send(`${events.text}.done`, { ...at, text });
    }
    const words: JsonObject = isSpoken ? { transcript: text } : { text };
    this.#send('response.content_part.done', { ...at, part: { type: isSpoken ? 'audio' : 'text', ...words } });
    item['content'] = [{ type: isSpoken ? content.audio : content.text, ...words }];
  }

  #fail(error: unknown): void {
    const { type, code, message } = toEventError(error);
    this.#send('error', { error: { type, code, message, param: null, event_id: null } });
    this.#finish('failed', { type: 'failed', error: { type, code } });
  }

  #finish(status: 'completed' | 'cancelled' | 'failed', details: JsonObject | null): void {
    if (this.#ended) return;
    this.#end('incomplete');
    this.#ended = true;
    this.#wake();
    const { heardMs, readChars } = this.#options;
    const usage = usageOf({ heardMs, readChars, saidMs: this.#saidMs, wroteChars: this.#wroteChars });
    this.#send('response.done', { response: this.#describe(status, details, status === 'failed' ? null : usage) });
  }

  #describe(status: string, details: JsonObject | null, usage: JsonObject | null): JsonObject {
    return {
      object: 'realtime.response',
      id: this.id,
      status,
      status_details: details,
      output: status === 'in_progress' ? [] : this.#output,
      max_output_tokens: 'inf',
      usage,
      ...this.#options.description,
    };
  }
}

/** Usage as in `response.done`. Tokens are estimates: 4 characters of text, 100 ms heard, 50 ms said. */
export function usageOf(counts: {
  heardMs: number;
  readChars: number;
  saidMs: number;
  wroteChars: number;
}): JsonObject {
  const input = { text_tokens: Math.ceil(counts.readChars / 4), audio_tokens: Math.ceil(counts.heardMs / 100) };
  const output = { text_tokens: Math.ceil(counts.wroteChars / 4), audio_tokens: Math.ceil(counts.saidMs / 50) };
  const inputTokens = input.text_tokens + input.audio_tokens;
  const outputTokens = output.text_tokens + output.audio_tokens;
  return {
    total_tokens: inputTokens + outputTokens,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    input_token_details: { cached_tokens: 0, ...input },
    output_token_details: output,
  };
}

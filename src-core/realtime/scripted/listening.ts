import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Conversation } from './conversation.ts';
import type { ScriptedDialect, SessionSettings } from './dialect.ts';
import { EnergyVad } from './energyVad.ts';
import type { VadEvent } from './energyVad.ts';
import { InputAudio } from './inputAudio.ts';
import { addItem } from './responseEvents.ts';
import type { SendEvent } from './responseEvents.ts';
import type { ScriptTurns } from './scriptTurns.ts';

export interface ListeningOptions {
  dialect: ScriptedDialect;
  send: SendEvent;
  conversation: Conversation;
  turns: ScriptTurns;
  settings: () => SessionSettings;
  newId: (kind: string) => string;
  /** The user starts to speak: interrupts the response, if the session is set so. */
  interrupt: () => void;
  /** The user has stopped speaking: starts a response, if the session is set so. */
  respond: () => void;
}

/** The ear of one connection: the sound that comes, who speaks when, and the items that become of it. */
export class Listening {
  readonly #options: ListeningOptions;
  readonly #input: InputAudio;
  readonly #vad: EnergyVad;
  /** The item that the speech under way will be. */
  #speechItem: string | undefined;
  #heardMs = 0;

  constructor(options: ListeningOptions) {
    this.#options = options;
    this.#input = new InputAudio(options.dialect.inputRate);
    this.#vad = new EnergyVad(options.dialect.inputRate);
  }

  /** ms of sound that became items. */
  get heardMs(): number {
    return this.#heardMs;
  }

  /** Accepts the `audio` of an event. @throws {EventError} If it is not valid base64. */
  append(audio: JsonValue | undefined): void {
    const pcm = this.#input.append(audio);
    const { turnDetection } = this.#options.settings();
    if (turnDetection !== undefined) this.#vad.feed(pcm, turnDetection, (event) => this.#hear(event));
  }

  /** Turns the received sound into an item. @throws {EventError} If it is less than 100 ms. */
  commit(): void {
    this.#commit(this.#options.newId('item'), this.#input.commit());
  }

  clear(): void {
    this.#input.clear();
    this.#vad.reset();
    this.#options.send('input_audio_buffer.cleared', {});
  }

  /** Listens for turns no more; what came stays. */
  stop(): void {
    this.#vad.reset();
  }

  #hear({ type, atMs }: VadEvent): void {
    const { send, newId, settings, interrupt, respond } = this.#options;
    const { turnDetection } = settings();
    if (type === 'started') {
      this.#speechItem = newId('item');
      send('input_audio_buffer.speech_started', { audio_start_ms: atMs, item_id: this.#speechItem });
      if (turnDetection?.interruptsResponse === true) interrupt();
      return;
    }
    const item = this.#speechItem ?? newId('item');
    this.#speechItem = undefined;
    send('input_audio_buffer.speech_stopped', { audio_end_ms: atMs, item_id: item });
    const { ms } = this.#input;
    this.#input.clear();
    this.#commit(item, ms);
    if (turnDetection?.createsResponse === true) respond();
  }

  #commit(itemId: string, ms: number): void {
    const { send, dialect, conversation, turns, settings } = this.#options;
    this.#heardMs += ms;
    turns.noteUserInput();
    send('input_audio_buffer.committed', { previous_item_id: conversation.lastId, item_id: itemId });
    const transcript = turns.peek()?.turn.heard ?? `(${(ms / 1_000).toFixed(1)} s)`;
    const part: JsonObject = { type: 'input_audio', transcript: null };
    const item = { id: itemId, object: 'realtime.item', type: 'message', status: 'completed', role: 'user' };
    addItem({ item: { ...item, content: [part] }, whole: true, conversation, dialect, send });
    if (!settings().transcribes) return;
    part['transcript'] = transcript;
    const usage = { type: 'duration', seconds: ms / 1_000 };
    send('conversation.item.input_audio_transcription.completed', {
      item_id: itemId,
      content_index: 0,
      transcript,
      usage,
    });
  }
}

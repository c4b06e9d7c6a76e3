import { LevelMeter } from '../../audio/levelMeter.ts';
import { pcmFromBytes } from '../../audio/pcm.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { newId } from './conversation.ts';
import type { Conversation, SendEvent } from './conversation.ts';
import type { SessionSettings, TurnDetection } from './dialects.ts';
import { EventError } from './eventError.ts';
import type { ScriptTurns } from './scriptTurns.ts';

export interface ListeningOptions {
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

const frameMs = 20;
/** Consecutive loud frames that start speech; a click is shorter. */
const framesToStart = 3;
const minCommitMs = 100;

/** The audio that one client sends: when the user speaks, by its level alone, and the items that result. */
export class Listening {
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

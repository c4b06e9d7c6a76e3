import { FramePacer } from '../../../audio/framePacer.ts';
import { OpusEncoder } from '../../../audio/opusEncoder.ts';
import { pcmFromBytes } from '../../../audio/pcm.ts';
import { PcmFramer } from '../../../audio/pcmFramer.ts';
import { PcmResampler } from '../../../audio/pcmResampler.ts';
import { serverAudio } from '../../devices/wire/serverHello.ts';
import type { DeviceVoice } from '../../devices/voice/deviceVoice.ts';
import type { AudioChunk } from '../../../realtime/chunks.ts';
import type { Clock } from '../../../base/clock.ts';

interface VoiceFrame {
  opus: Uint8Array;
  /** Counts up from 0. */
  number: number;
  responseId: string;
}

const { sampleRate, frameMs } = serverAudio;

/** ms from `tts start` to the first frame: a board drops frames until its main task has switched to speaking. */
const beginMs = 120;

/** Sends the model's voice to a device: Opus as announced in our hello, in real time, each sentence with its audio. */
export class DeviceMouth {
  readonly #voice: Pick<DeviceVoice, 'send' | 'sendAudio'>;
  readonly #clock: Clock;
  readonly #encoder: OpusEncoder;
  readonly #framer = new PcmFramer(sampleRate, frameMs);
  readonly #resampler: PcmResampler | undefined;
  readonly #pacer: FramePacer<VoiceFrame>;
  /** Sentences by the number of the frame at which they begin. */
  #sentences = new Map<number, string[]>();
  #made = 0;
  #sent = 0;
  #responseId = '';
  #stopBeginning = (): void => {};
  /** The response that is playing now, and since when. */
  #heard: { responseId: string; since: number; frames: number } | undefined;

  private constructor(options: DeviceMouthOptions, encoder: OpusEncoder) {
    this.#voice = options.voice;
    this.#clock = options.clock;
    this.#encoder = encoder;
    const { sampleRate: from } = options;
    this.#resampler = from === sampleRate ? undefined : new PcmResampler(from, sampleRate);
    this.#pacer = new FramePacer({ frameMs, clock: options.clock, send: (frame) => this.#send(frame) });
  }

  static async create(options: DeviceMouthOptions): Promise<DeviceMouth> {
    return new DeviceMouth(options, await OpusEncoder.create({ sampleRate, frameMs }));
  }

  /** The number that the next frame of sound will have. */
  get next(): number {
    return this.#made;
  }

  /** The device was told that a voice follows. */
  begin(): void {
    this.#stopBeginning();
    this.#pacer.pause();
    this.#stopBeginning = this.#clock.after(beginMs, () => this.#pacer.resume());
  }

  speak({ data, responseId = '' }: AudioChunk): void {
    this.#responseId = responseId;
    const pcm = pcmFromBytes(data);
    this.#push(this.#framer.push(this.#resampler?.push(pcm) ?? pcm));
  }

  /** A sentence whose audio begins with this frame: it is sent with that frame, at once if no earlier frame waits. */
  say(text: string, frame: number): void {
    if (frame <= this.#sent) return this.#voice.send({ type: 'tts', state: 'sentence_start', text });
    const texts = this.#sentences.get(frame) ?? [];
    texts.push(text);
    this.#sentences.set(frame, texts);
  }

  /** The voice is complete: the remaining samples are sent as a last frame. */
  finish(): void {
    const tail = this.#resampler?.flush();
    if (tail !== undefined) this.#push(this.#framer.push(tail));
    const last = this.#framer.flush();
    if (last !== undefined) this.#push([last]);
    // Sentences without audio are sent with the last frame.
    const rest = [...this.#sentences].filter(([frame]) => frame >= this.#made);
    for (const [frame, texts] of rest) {
      this.#sentences.delete(frame);
      for (const text of texts) this.say(text, this.#made - 1);
    }
  }

  /** Resolves when the last frame was played, or all was flushed. */
  idle(): Promise<void> {
    return this.#pacer.idle();
  }

  /** Discards the waiting frames. Returns the ms of the response that were played. */
  flush(): number {
    // Waiting frames may belong to the response after the one that is playing.
    const { since, frames } =
      this.#heard?.responseId === this.#responseId ? this.#heard : { since: this.#clock.now(), frames: 0 };
    this.#stopBeginning();
    this.#framer.flush();
    this.#resampler?.flush();
    this.#pacer.flush();
    this.#pacer.resume();
    this.#sentences = new Map();
    this.#sent = this.#made;
    this.#heard = undefined;
    return Math.min(frames * frameMs, Math.round(this.#clock.now() - since));
  }

  /** Frees the encoder. */
  close(): void {
    this.flush();
    this.#encoder.close();
  }

  #push(frames: Int16Array[]): void {
    for (const frame of frames) {
      const number = this.#made;
      this.#made += 1;
      this.#pacer.push({ opus: this.#encoder.encode(frame), number, responseId: this.#responseId });
    }
  }

  #send({ opus, number, responseId }: VoiceFrame): void {
    for (const text of this.#sentences.get(number) ?? [])
      this.#voice.send({ type: 'tts', state: 'sentence_start', text });
    this.#sentences.delete(number);
    if (this.#heard?.responseId !== responseId) this.#heard = { responseId, since: this.#clock.now(), frames: 0 };
    this.#heard.frames += 1;
    this.#sent = number + 1;
    this.#voice.sendAudio(opus, number * frameMs);
  }
}

/** The receiver of the voice, and its format. */
export interface DeviceMouthOptions {
  voice: Pick<DeviceVoice, 'send' | 'sendAudio'>;
  /** Samples a second of the model's voice. */
  sampleRate: number;
  clock: Clock;
}

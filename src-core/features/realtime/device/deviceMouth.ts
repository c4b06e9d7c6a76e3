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

/** ms from `tts start` to the first frame: a board throws away what comes before its main task has turned to speaking. */
const beginMs = 120;

/** The model's voice on its way to a device: Opus as our hello announced it, paced as it is heard, each sentence at its sound. */
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
  /** The response that is heard now, and since when. */
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

  /** The device was told that a voice comes. */
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

  /** A sentence whose sound begins with this frame: it is told when that goes out, at once if no frame before it waits. */
  say(text: string, frame: number): void {
    if (frame <= this.#sent) return this.#voice.send({ type: 'tts', state: 'sentence_start', text });
    const texts = this.#sentences.get(frame) ?? [];
    texts.push(text);
    this.#sentences.set(frame, texts);
  }

  /** The voice has come to its end: what is left goes out as a last frame. */
  finish(): void {
    const tail = this.#resampler?.flush();
    if (tail !== undefined) this.#push(this.#framer.push(tail));
    const last = this.#framer.flush();
    if (last !== undefined) this.#push([last]);
    // Words without sound of their own are told with the last frame.
    const rest = [...this.#sentences].filter(([frame]) => frame >= this.#made);
    for (const [frame, texts] of rest) {
      this.#sentences.delete(frame);
      for (const text of texts) this.say(text, this.#made - 1);
    }
  }

  /** Resolves when the last frame was heard out, or all was flushed. */
  idle(): Promise<void> {
    return this.#pacer.idle();
  }

  /** Sends no more of what waits. Gives the ms of the response that were heard. */
  flush(): number {
    // What still waits may be of the response after the one that is heard.
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

/** Where the voice goes, and how it comes. */
export interface DeviceMouthOptions {
  voice: Pick<DeviceVoice, 'send' | 'sendAudio'>;
  /** Samples a second of the model's voice. */
  sampleRate: number;
  clock: Clock;
}

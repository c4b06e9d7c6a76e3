import { OpusDecoder, OpusPacketError } from '../../../audio/opusDecoder.ts';
import { isOpusSampleRate } from '../../../audio/opusFormat.ts';

/** Packets that wait for room on the model's connection: five seconds of 60 ms each. */
const maxOnWay = 84;

/** What becomes of a device's sound. */
export interface DeviceEarOptions {
  /** Samples a second that the model takes. */
  sampleRate: number;
  /** Resolves when there is room for more. */
  sendAudio: (pcm: Int16Array, sampleRate: number) => Promise<void>;
  /** Once for each kind: in words. */
  onProblem: (problem: string) => void;
}

/** A device's Opus packets on their way to the model. A decoder gives any rate that Opus knows: nothing is resampled here. */
export class DeviceEar {
  readonly #options: DeviceEarOptions;
  readonly #decoder: OpusDecoder;
  readonly #told = new Set<string>();
  #onWay = 0;
  #closed = false;

  private constructor(options: DeviceEarOptions, decoder: OpusDecoder) {
    this.#options = options;
    this.#decoder = decoder;
  }

  static async create(options: DeviceEarOptions): Promise<DeviceEar> {
    const { sampleRate } = options;
    // Opus has no 44.1 kHz and the like; the conversation resamples then.
    const decoder = await OpusDecoder.create({ sampleRate: isOpusSampleRate(sampleRate) ? sampleRate : 16_000 });
    return new DeviceEar(options, decoder);
  }

  hear(packet: Uint8Array): void {
    if (this.#closed) return;
    if (this.#onWay >= maxOnWay) return this.#tell('The model takes no more sound at the moment; some was left out.');
    this.#onWay += 1;
    this.#options
      .sendAudio(this.#decode(packet), this.#decoder.sampleRate)
      // The conversation has ended, and says so itself.
      .catch(() => undefined)
      .finally(() => (this.#onWay -= 1));
  }

  /** Frees the decoder; again is no error. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#decoder.close();
  }

  #decode(packet: Uint8Array): Int16Array {
    try {
      return this.#decoder.decode(packet);
    } catch (error) {
      if (!(error instanceof OpusPacketError)) throw error;
      this.#tell(`The device sent sound that cannot be read. ${error.message}`);
      return this.#decoder.conceal();
    }
  }

  #tell(problem: string): void {
    if (this.#told.has(problem) || this.#told.size >= 8) return;
    this.#told.add(problem);
    this.#options.onProblem(problem);
  }
}

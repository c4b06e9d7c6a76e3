import { bytesFromPcm } from '../../audio/pcm.ts';
import { PcmResampler } from '../../audio/pcmResampler.ts';

/** ms of silence after which a server that listens for pauses notices one. */
const silenceMs = 1_000;

/** The user's sound of any rate, as the model takes it. */
export class Microphone {
  readonly #rate: number;
  #input: { rate: number; resampler: PcmResampler } | undefined;

  constructor(rate: number) {
    this.#rate = rate;
  }

  /** Sound as it goes to the model; empty while it is gathered. */
  take(pcm: Int16Array, sampleRate: number): Uint8Array {
    if (sampleRate === this.#rate) return Buffer.concat([this.rest(), bytesFromPcm(pcm)]);
    const rest = this.#input?.rate === sampleRate ? Buffer.alloc(0) : this.rest();
    this.#input ??= { rate: sampleRate, resampler: new PcmResampler(sampleRate, this.#rate) };
    return Buffer.concat([rest, bytesFromPcm(this.#input.resampler.push(pcm))]);
  }

  /** What was gathered, and silence behind it. */
  end(): Uint8Array {
    return Buffer.concat([this.rest(), Buffer.alloc((this.#rate * silenceMs) / 500)]);
  }

  /** What was gathered. */
  rest(): Uint8Array {
    const rest = this.#input?.resampler.flush();
    this.#input = undefined;
    return rest === undefined ? Buffer.alloc(0) : bytesFromPcm(rest);
  }
}

import { floatFromPcm, pcmFromFloat } from './pcm.ts';
import { Resampler } from './resampler.ts';

/** A `Resampler` for samples of 16 bit. */
export class PcmResampler {
  readonly #resampler: Resampler;

  /** @throws {RangeError} If a rate is invalid. */
  constructor(from: number, to: number) {
    this.#resampler = new Resampler(from, to);
  }

  push(pcm: Int16Array): Int16Array {
    return pcmFromFloat(this.#resampler.push(floatFromPcm(pcm)));
  }

  /** The rest; the next piece begins a new stream. */
  flush(): Int16Array {
    return pcmFromFloat(this.#resampler.flush());
  }
}

/** Cuts a stream of sound into frames of one length, as a codec takes them. */
export class PcmFramer {
  readonly #frameSamples: number;
  #rest = new Int16Array(0);

  /** @throws {RangeError} If a frame would not be a whole number of samples. */
  constructor(sampleRate: number, frameMs: number) {
    this.#frameSamples = (sampleRate * frameMs) / 1_000;
    if (!Number.isInteger(this.#frameSamples) || this.#frameSamples < 1)
      throw new RangeError(`${frameMs} ms at ${sampleRate} samples a second is not a whole number of samples.`);
  }

  /** The frames that became whole. */
  push(pcm: Int16Array): Int16Array[] {
    const joined = new Int16Array(this.#rest.length + pcm.length);
    joined.set(this.#rest);
    joined.set(pcm, this.#rest.length);
    const frames: Int16Array[] = [];
    let at = 0;
    for (; at + this.#frameSamples <= joined.length; at += this.#frameSamples)
      frames.push(joined.slice(at, at + this.#frameSamples));
    this.#rest = joined.slice(at);
    return frames;
  }

  /** The last frame, padded with silence; `undefined` if nothing is left. */
  flush(): Int16Array | undefined {
    if (this.#rest.length === 0) return undefined;
    const frame = new Int16Array(this.#frameSamples);
    frame.set(this.#rest);
    this.#rest = new Int16Array(0);
    return frame;
  }
}

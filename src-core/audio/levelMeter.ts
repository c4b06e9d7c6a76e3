/** How loud a window of sound was. dBFS: 0 is full scale, -100 is silence. */
export interface Level {
  /** Start of the window, ms from the start of the stream. */
  atMs: number;
  rms: number;
  peak: number;
}

const silence = -100;

/** Measures a stream of sound, window by window; 50 ms each by default. */
export class LevelMeter {
  readonly #windowMs: number;
  readonly #windowSamples: number;
  #sum = 0;
  #peak = 0;
  #count = 0;
  #windows = 0;

  constructor(sampleRate: number, windowMs = 50) {
    this.#windowMs = windowMs;
    this.#windowSamples = Math.max(1, Math.round((sampleRate * windowMs) / 1_000));
  }

  /** The windows that became full. */
  push(pcm: Int16Array): Level[] {
    const levels: Level[] = [];
    for (const sample of pcm) {
      this.#sum += sample * sample;
      this.#peak = Math.max(this.#peak, Math.abs(sample));
      this.#count += 1;
      if (this.#count === this.#windowSamples) levels.push(this.#end());
    }
    return levels;
  }

  #end(): Level {
    const level = {
      atMs: this.#windows * this.#windowMs,
      rms: decibels(Math.sqrt(this.#sum / this.#count)),
      peak: decibels(this.#peak),
    };
    this.#windows += 1;
    this.#sum = 0;
    this.#peak = 0;
    this.#count = 0;
    return level;
  }
}

function decibels(amplitude: number): number {
  return Math.max(silence, 20 * Math.log10(amplitude / 32_768));
}

import type { DeviceInfo } from '../../../contract/deviceInfo.ts';

const size = 256;

/** The round trips of the last 256 calls. Adding costs one write; they are sorted when somebody asks. */
export class LatencyWindow {
  #ring: Float64Array | undefined;
  #added = 0;
  /** The figures as they were last asked for: most devices of a long list have had no answer since. */
  #figures: DeviceInfo['latency'];

  /** A round trip in ms. */
  add(ms: number): void {
    this.#ring ??= new Float64Array(size);
    this.#ring[this.#added % size] = ms;
    this.#added += 1;
    this.#figures = undefined;
  }

  /** Nearest-rank percentiles, ms; `undefined` before the first answer. */
  figures(): DeviceInfo['latency'] {
    if (this.#ring === undefined || this.#figures !== undefined) return this.#figures;
    const count = Math.min(this.#added, size);
    const sorted = this.#ring.slice(0, count).sort();
    const percentile = (part: number) => sorted[Math.ceil(part * count) - 1] ?? 0;
    return (this.#figures = {
      lastMs: this.#ring[(this.#added - 1) % size] ?? 0,
      p50Ms: percentile(0.5),
      p99Ms: percentile(0.99),
      count,
    });
  }
}

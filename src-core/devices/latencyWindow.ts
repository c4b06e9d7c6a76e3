import type { DeviceInfo } from './types.ts';

const size = 256;

/** The round trips of the last 256 answered requests. Adding costs one write; they are sorted when somebody asks. */
export class LatencyWindow {
  #ring: Float64Array | undefined;
  #added = 0;

  /** A round trip in ms. */
  add(ms: number): void {
    this.#ring ??= new Float64Array(size);
    this.#ring[this.#added % size] = ms;
    this.#added += 1;
  }

  /** Nearest-rank percentiles, ms; `undefined` before the first answer. */
  figures(): DeviceInfo['latency'] {
    if (this.#ring === undefined) return undefined;
    const count = Math.min(this.#added, size);
    const sorted = this.#ring.slice(0, count).sort();
    const percentile = (part: number) => sorted[Math.ceil(part * count) - 1] ?? 0;
    return {
      lastMs: this.#ring[(this.#added - 1) % size] ?? 0,
      p50Ms: percentile(0.5),
      p99Ms: percentile(0.99),
      count,
    };
  }
}

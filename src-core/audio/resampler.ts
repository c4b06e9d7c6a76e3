/** Swings of the sinc on each side: what decides how steep the cut-off is. */
const zeroCrossings = 48;

/** Part of half the lower rate that passes: the steep part of the filter ends just at the half. */
const cutOff = 0.93;

/** Kaiser's window: about 90 dB between what passes and what does not. */
const beta = 9;

/** Values a swing; between two of them a straight line is exact to -105 dB. */
const perSwing = 512;

const table = makeTable();

/** Values of filters that one resampler keeps, 8 MB: more than any two usual rates have (from 44.1 to 16 kHz 160 places, 42,000 values). */
const maxKeptValues = 1_048_576;

/**
 * Changes the rate of a stream of sound, band-limited: a windowed sinc whose cut-off lies below half of the lower rate,
 * so that nothing folds back. How the stream is cut into pieces makes no difference to a single sample. The sound keeps its
 * place in time: sample n of the output is the input at n × from / to; it is only given once the samples behind it came.
 */
export class Resampler {
  readonly #from: number;
  readonly #to: number;
  /** Input samples on each side that an output sample is made of. */
  readonly #reach: number;
  readonly #scale: number;
  /** The filter of each place between two input samples, by `#rest`: few places come again and again. */
  readonly #filters = new Map<number, Float64Array>();
  /** The input that is still needed; its first sample is number `#start` of the stream. */
  #kept: Float32Array;
  #start: number;
  /** The place of the next output sample: `#whole + #rest / #to` input samples. */
  #whole = 0;
  #rest = 0;

  /** @param from samples a second of the input; `to` of the output. Both whole. @throws RangeError */
  constructor(from: number, to: number) {
    if (!isRate(from) || !isRate(to))
      throw new RangeError(`Rates must be whole numbers from 1,000 to 384,000; they are ${from} and ${to}.`);
    this.#from = from;
    this.#to = to;
    this.#scale = Math.min(1, to / from);
    this.#reach = Math.ceil(zeroCrossings / this.#scale);
    // Silence came before the stream.
    this.#start = -this.#reach;
    this.#kept = new Float32Array(this.#reach);
  }

  /** Takes a piece of the input and returns the output that is complete. */
  push(input: Float32Array): Float32Array {
    if (this.#from === this.#to) return input.slice();
    const joined = new Float32Array(this.#kept.length + input.length);
    joined.set(this.#kept);
    joined.set(input, this.#kept.length);
    this.#kept = joined;
    return this.#take(this.#start + joined.length - this.#reach);
  }

  /** Gives the rest: silence follows the stream. The next piece begins a new one. */
  flush(): Float32Array {
    if (this.#from === this.#to) return new Float32Array(0);
    const rest = this.push(new Float32Array(this.#reach));
    this.#start = -this.#reach;
    this.#kept = new Float32Array(this.#reach);
    this.#whole = 0;
    this.#rest = 0;
    return rest;
  }

  /** All output samples whose place is before `end` of the input. */
  #take(end: number): Float32Array {
    const count = Math.max(0, Math.ceil(((end - this.#whole) * this.#to - this.#rest) / this.#from));
    const output = new Float32Array(count);
    for (let at = 0; at < count; at += 1) {
      output[at] = this.#sampleAt(this.#whole - this.#start, this.#filter());
      this.#rest += this.#from;
      const steps = Math.floor(this.#rest / this.#to);
      this.#whole += steps;
      this.#rest -= steps * this.#to;
    }
    const unneeded = Math.max(0, this.#whole - this.#reach - this.#start);
    this.#kept = this.#kept.slice(unneeded);
    this.#start += unneeded;
    return output;
  }

  /** What the input around a place is weighed with, from `#reach - 1` samples before it to `#reach` behind. */
  #filter(): Float64Array {
    const known = this.#filters.get(this.#rest);
    if (known !== undefined) return known;
    const fraction = this.#rest / this.#to;
    const filter = new Float64Array(2 * this.#reach);
    for (const at of filter.keys())
      filter[at] = kernelAt((at - this.#reach + 1 - fraction) * this.#scale) * this.#scale;
    if ((this.#filters.size + 1) * filter.length <= maxKeptValues) this.#filters.set(this.#rest, filter);
    return filter;
  }

  #sampleAt(index: number, filter: Float64Array): number {
    const kept = this.#kept;
    const first = index - this.#reach + 1;
    let sum = 0;
    for (let at = 0; at < filter.length; at += 1) sum += (kept[first + at] ?? 0) * (filter[at] ?? 0);
    return sum;
  }
}

function isRate(rate: number): boolean {
  return Number.isInteger(rate) && rate >= 1_000 && rate <= 384_000;
}

/** The low-pass filter at a distance in samples of the lower rate; its sum over whole distances is 1. */
function kernelAt(distance: number): number {
  const place = Math.abs(distance) * perSwing;
  const index = Math.floor(place);
  if (index >= zeroCrossings * perSwing) return 0;
  const low = table[index] ?? 0;
  return low + ((table[index + 1] ?? 0) - low) * (place - index);
}

function makeTable(): Float64Array {
  const values = new Float64Array(zeroCrossings * perSwing + 1);
  for (const at of values.keys()) {
    const distance = at / perSwing;
    const angle = Math.PI * distance * cutOff;
    const sinc = at === 0 ? 1 : Math.sin(angle) / angle;
    const window = bessel(beta * Math.sqrt(1 - (distance / zeroCrossings) ** 2)) / bessel(beta);
    values[at] = cutOff * sinc * window;
  }
  return values;
}

/** The modified Bessel function of order 0, by its series. */
function bessel(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > sum * 1e-12; k += 1) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

/** Swings of the sinc on each side: what decides how steep the cut-off is. */
export const zeroCrossings = 48;

/** Part of half the lower rate that passes: the steep part of the filter ends just at the half. */
const cutOff = 0.93;
/** Kaiser's window: about 90 dB between what passes and what does not. */
const beta = 9;
/** Values a swing; between two of them a straight line is exact to -105 dB. */
const perSwing = 512;

const table = makeTable();

/** The low-pass filter at a distance in samples of the lower rate; its sum over whole distances is 1. */
export function kernelAt(distance: number): number {
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

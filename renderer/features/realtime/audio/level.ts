/** dB below full scale at which a meter stands at nothing. */
const floorDb = 60;
/** Of the whole scale a second. */
const fallRate = 1.4;

/** How loud samples of −1 to 1 are, as a meter shows it: 0 at −60 dBFS and below, 1 at full scale. */
export function levelOf(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  if (samples.length === 0 || sum === 0) return 0;
  const db = 10 * Math.log10(sum / samples.length);
  return Math.max(0, Math.min(1, 1 + db / floorDb));
}

/** Where the bar stands now: it rises at once, and falls slowly enough to be read. */
export function fallingLevel(shown: number, level: number, elapsedMs: number): number {
  return Math.max(level, shown - (fallRate * elapsedMs) / 1_000, 0);
}

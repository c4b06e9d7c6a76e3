/** How long a client waits before it connects again. */
export interface ReconnectOptions {
  /** ms before the first attempt; doubles with each one that fails. 1,000 by default. */
  minDelayMs?: number;
  /** The longest wait, ms. 60,000 by default. */
  maxDelayMs?: number;
  /** From 0 to 1; spreads devices that lost the same server. `Math.random` by default. */
  random?: () => number;
}

/** ms to wait before attempt number `failures` + 1: half of it certain, half of it by chance. */
export function backoffMs(failures: number, options: ReconnectOptions): number {
  const { minDelayMs = 1_000, maxDelayMs = 60_000, random = Math.random } = options;
  const full = Math.min(maxDelayMs, minDelayMs * 2 ** Math.min(failures, 30));
  return Math.round(full / 2 + (random() * full) / 2);
}

import type { Clock } from '../../base/clock.ts';

/** The longest ms before each further attempt after a connection was lost or could not be made; the last one repeats. */
const retryMs = [500, 2_000, 5_000, 15_000, 60_000];
/** ms of a connection after which the delays start again. */
const steadyMs = 60_000;

/** When a server that failed is started again. */
export class Retries {
  readonly #clock: Clock;
  readonly #onRetry: () => void;
  #attempts = 0;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, onRetry: () => void) {
    this.#clock = clock;
    this.#onRetry = onRetry;
  }

  /** The next delay is the first one again. */
  reset(): void {
    this.#attempts = 0;
  }

  /** A connection of this time (`Clock.now`) has ended. */
  noteLoss(connectedAt: number): void {
    if (this.#clock.now() - connectedAt >= steadyMs) this.reset();
  }

  /** Returns when the next attempt is due, in epoch ms. */
  plan(): number {
    const longest = retryMs[Math.min(this.#attempts, retryMs.length - 1)] ?? 0;
    // Spreads the retries of servers that failed together.
    const delay = longest * (0.8 + 0.2 * Math.random());
    this.#attempts += 1;
    this.#cancel = this.#clock.after(delay, this.#onRetry);
    return this.#clock.wall() + delay;
  }

  cancel(): void {
    this.#cancel?.();
  }
}

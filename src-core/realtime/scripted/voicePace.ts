import type { Clock } from '../../base/clock.ts';

/** ms that the voice may be ahead of the ear: what a network's jitter takes. */
const leadMs = 200;

/** Delays the pieces of a voice to playback speed. */
export class VoicePace {
  readonly #clock: Clock;
  readonly #paceMs: number | undefined;
  /** Resolves when the sent data has left the buffer; at once if little waits. */
  readonly #drained: () => Promise<void>;
  #startedAt: number | undefined;
  #sentMs = 0;
  #wake = (): void => {};

  constructor(options: { clock: Clock; paceMs: number | undefined; drained: () => Promise<void> }) {
    this.#clock = options.clock;
    this.#paceMs = options.paceMs;
    this.#drained = options.drained;
  }

  /** Resolves when a piece of so many ms may go out, or when it is stopped. */
  async next(pieceMs: number): Promise<void> {
    await this.#drained();
    this.#startedAt ??= this.#clock.now();
    const due = this.#startedAt + this.#sentMs - leadMs;
    const waitMs = this.#paceMs ?? due - this.#clock.now();
    this.#sentMs += pieceMs;
    if (waitMs <= 0) return;
    await new Promise<void>((resolve) => {
      const off = this.#clock.after(waitMs, resolve);
      this.#wake = () => {
        off();
        resolve();
      };
    });
  }

  /** Ends the wait that is under way. */
  stop(): void {
    this.#wake();
  }
}

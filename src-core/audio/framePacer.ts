import type { Clock } from '../base/clock.ts';

export interface FramePacerOptions<Frame> {
  /** ms of sound in a frame. */
  frameMs: number;
  /** ms that may be sent ahead of time, so that a late timer is not audible; default 120. */
  leadMs?: number;
  /** Frames that may wait; default 10,000. */
  maxWaiting?: number;
  clock: Clock;
  send: (frame: Frame) => void;
}

/** Sends frames of sound at playback speed, whenever they arrive. */
export class FramePacer<Frame> {
  readonly #options: Required<FramePacerOptions<Frame>>;
  #waiting: Frame[] = [];
  /** When playback of the next frame begins. */
  #dueAt = 0;
  #paused = false;
  #cancelTimer: (() => void) | undefined;
  #idle: (() => void)[] = [];

  constructor(options: FramePacerOptions<Frame>) {
    this.#options = { leadMs: 120, maxWaiting: 10_000, ...options };
  }

  /** Frames that wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Returns false and drops the frame if too many wait. */
  push(frame: Frame): boolean {
    if (this.#waiting.length >= this.#options.maxWaiting) return false;
    this.#waiting.push(frame);
    this.#run();
    return true;
  }

  /** Sends nothing until `resume`. */
  pause(): void {
    this.#paused = true;
    this.#stopTimer();
  }

  resume(): void {
    this.#paused = false;
    this.#run();
  }

  /** Drops the waiting frames; returns their number. */
  flush(): number {
    const dropped = this.#waiting.length;
    this.#waiting = [];
    this.#dueAt = 0;
    this.#stopTimer();
    this.#tellIdle();
    return dropped;
  }

  /** Resolves when no frame waits and the last one has been played, or was flushed. */
  async idle(): Promise<void> {
    if (this.#waiting.length === 0 && this.#cancelTimer === undefined) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #run(): void {
    const { clock, leadMs, frameMs, send } = this.#options;
    this.#stopTimer();
    if (this.#paused) return;
    const now = clock.now();
    // Nothing was there to be sent for a while: time starts again.
    this.#dueAt = Math.max(this.#dueAt, now);
    while (this.#waiting.length > 0 && this.#dueAt - leadMs <= now) {
      const frame = this.#waiting.shift();
      this.#dueAt += frameMs;
      if (frame !== undefined) send(frame);
    }
    if (this.#waiting.length > 0) this.#wait(this.#dueAt - leadMs - now);
    else if (this.#dueAt > now) this.#wait(this.#dueAt - now);
    else this.#tellIdle();
  }

  #wait(ms: number): void {
    // `send` may have pushed another frame, and so have run this already.
    this.#stopTimer();
    this.#cancelTimer = this.#options.clock.after(ms, () => this.#run());
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #tellIdle(): void {
    const told = this.#idle;
    this.#idle = [];
    for (const resolve of told) resolve();
  }
}

import type { Clock } from '../../base/clock.ts';
import { realtimeLimits } from '../limits.ts';

export interface ResponseGateOptions {
  /** Sends `response.create`. */
  create: () => void;
  clock: Clock;
}

/** Asks for responses one at a time: a server has at most one, and refuses the next until `response.done`. */
export class ResponseGate {
  readonly #options: ResponseGateOptions;
  #open = false;
  #active: string | undefined;
  /** When we asked for one that has not begun, or were told to wait for one that we know nothing of. */
  #waitsSince: number | undefined;
  #asked = false;
  #wanted = false;
  /** What was asked for last is not wanted any more. */
  #withdrawn = false;
  #stopTimer = (): void => {};

  constructor(options: ResponseGateOptions) {
    this.#options = options;
  }

  /** The response that the server is at. */
  get active(): string | undefined {
    return this.#active;
  }

  /** One was asked for and has not begun. */
  get asked(): boolean {
    return this.#asked;
  }

  /** One has not begun that was asked for, or one is there that we know nothing of. */
  get waits(): boolean {
    return this.#waitsSince !== undefined;
  }

  /** Asks now, or when the response that is at it has ended. */
  request(): void {
    this.#wanted = true;
    this.#next();
  }

  created(responseId: string): void {
    this.#active = responseId;
    this.#settled();
  }

  done(responseId: string): void {
    if (this.#active === responseId) this.#active = undefined;
    // One that we knew nothing of.
    if (!this.#asked) this.#waitsSince = undefined;
    this.#next();
  }

  /** What has not begun yet is not wanted any more. */
  withdraw(): void {
    this.#wanted = false;
    this.#withdrawn = true;
  }

  /** The server says that it is at one that we know nothing of: ask again after it. */
  refusedAsBusy(): void {
    this.#asked = false;
    this.#waitsSince = this.#active === undefined ? this.#options.clock.now() : undefined;
    this.#wanted ||= !this.#withdrawn;
    this.#next();
  }

  /** The server wants no response now, for a reason that waiting does not change. */
  refused(): void {
    this.#settled();
    this.#next();
  }

  /** The session takes events from now on. */
  open(): void {
    this.#open = true;
    this.#next();
  }

  /** The connection is gone; what was asked for and has not begun is asked for again. Gives the response that was cut. */
  lost(): string | undefined {
    const cut = this.#active;
    this.#open = false;
    this.#wanted ||= this.#asked && !this.#withdrawn;
    this.#settled();
    this.#active = undefined;
    return cut;
  }

  #settled(): void {
    this.#asked = false;
    this.#waitsSince = undefined;
    this.#stopTimer();
  }

  #next(): void {
    this.#stopTimer();
    if (!this.#open || !this.#wanted || this.#active !== undefined) return;
    const { clock, create } = this.#options;
    const waitMs = this.#waitsSince === undefined ? 0 : this.#waitsSince + realtimeLimits.answerMs - clock.now();
    if (waitMs > 0) {
      this.#stopTimer = clock.after(waitMs, () => this.#next());
      return;
    }
    this.#wanted = false;
    this.#withdrawn = false;
    this.#asked = true;
    this.#waitsSince = clock.now();
    create();
  }
}

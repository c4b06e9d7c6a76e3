import type { Clock } from '../../tools/clock.ts';
import { realtimeLimits } from '../limits.ts';

export interface ResponseGateOptions {
  /** Sends `response.create`. */
  create: () => void;
  clock: Clock;
}

/** Asks for responses one at a time: a server has at most one, and refuses the next until `response.done` (spec/realtime.md). */
export class ResponseGate {
  readonly #options: ResponseGateOptions;
  #open = false;
  #active: string | undefined;
  /** When we asked for one that has not begun. */
  #askedAt: number | undefined;
  #wanted = false;

  constructor(options: ResponseGateOptions) {
    this.#options = options;
  }

  /** The response that the server is at. */
  get active(): string | undefined {
    return this.#active;
  }

  /** One was asked for and has not begun. */
  get asked(): boolean {
    return this.#askedAt !== undefined;
  }

  /** Asks now, or when the response that is at it has ended. */
  request(): void {
    this.#wanted = true;
    this.#next();
  }

  created(responseId: string): void {
    this.#active = responseId;
    this.#askedAt = undefined;
  }

  done(responseId: string): void {
    if (this.#active === responseId || this.#active === '') this.#active = undefined;
    this.#next();
  }

  /** What has not been asked for yet is not wanted any more. */
  withdraw(): void {
    this.#wanted = false;
  }

  /** The server says that it is at one that we know nothing of: ask again after it. */
  refusedAsBusy(): void {
    this.#askedAt = undefined;
    this.#active ??= '';
    this.#wanted = true;
  }

  /** The server wants no response now, for a reason that waiting does not change. */
  refused(): void {
    this.#askedAt = undefined;
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
    this.#wanted ||= this.#askedAt !== undefined;
    this.#askedAt = undefined;
    this.#active = undefined;
    return cut === '' ? undefined : cut;
  }

  #next(): void {
    const { clock, create } = this.#options;
    const waits = this.#askedAt !== undefined && clock.now() - this.#askedAt < realtimeLimits.answerMs;
    if (!this.#open || !this.#wanted || this.#active !== undefined || waits) return;
    this.#wanted = false;
    this.#askedAt = clock.now();
    create();
  }
}

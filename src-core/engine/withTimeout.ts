import type { Clock } from '../tools/clock.ts';
import { ToolError } from '../tools/errors.ts';
import type { JsonObject } from '../tools/json.ts';
import { afterShared } from '../tools/sharedTimer.ts';

/** Work that runs under `withTimeout`, as the work itself sees it. */
export interface TimedWork {
  /** Nobody waits for it any more. */
  readonly ended: boolean;
  /** To be called when it really begins, where `waitForStart` is set. */
  start: () => void;
  /** Cancels it for a reason of one's own. */
  stop: (reason: ToolError) => void;
  /** Has this called when it is cancelled or its time is up, beside its signal; a later one takes its place. */
  onStop: (hear: (reason: ToolError) => void) => void;
}

/** Work, and what may end it early. */
export interface WithTimeoutOptions<T> {
  run: (signal: AbortSignal, work: TimedWork) => Promise<T>;
  /** Milliseconds; `Infinity` for as long as it takes. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Sets the timer; the machine's own clock unless told. */
  after?: Clock['after'] | undefined;
  /** The time counts from `start`, not from now. */
  waitForStart?: boolean;
  /** What the work is called in errors. */
  what: string;
  /** Asked when the time is up: sentences that follow the message, and more details of the error. */
  silence?: (() => { hint?: string; details?: JsonObject }) | undefined;
}

/** Node's timers take no more. */
const maximumDelay = 2_147_483_647;

/**
 * Runs work that may be cancelled and may take too long. Rejects with a `ToolError` `timeout` or `cancelled` at that
 * moment, and aborts the signal that the work got; work that pays no heed ends unheard, whatever it comes to.
 */
export function withTimeout<T>(options: WithTimeoutOptions<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => new Running(options, resolve, reject).run());
}

/** One piece of work. An object rather than closures: one is made for every call of a tool. */
class Running<T> implements TimedWork {
  readonly #options: WithTimeoutOptions<T>;
  readonly #resolve: (value: T) => void;
  readonly #reject: (error: unknown) => void;
  readonly #controller = new AbortController();
  #onAbort: (() => void) | undefined;
  #stopTimer: (() => void) | undefined;
  #hear: ((reason: ToolError) => void) | undefined;
  ended = false;

  constructor(options: WithTimeoutOptions<T>, resolve: (value: T) => void, reject: (error: unknown) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  run(): void {
    const { run, signal, waitForStart = false } = this.#options;
    if (signal !== undefined) {
      if (signal.aborted) return this.#cancel(signal);
      this.#onAbort = () => this.#cancel(signal);
      signal.addEventListener('abort', this.#onAbort, { once: true });
    }
    if (!waitForStart) this.start();
    try {
      // Work of a foreign module may be no promise at all.
      void Promise.resolve(run(this.#controller.signal, this)).then(
        (value) => {
          if (this.#end()) this.#resolve(value);
        },
        (error: unknown) => this.#fail(error),
      );
    } catch (error) {
      // Work that throws at once rejects like any other.
      this.#fail(error);
    }
  }

  start(): void {
    const { timeoutMs, after = afterShared } = this.#options;
    if (this.ended || this.#stopTimer !== undefined || !(timeoutMs > 0 && timeoutMs < Infinity)) return;
    this.#stopTimer = after(Math.min(timeoutMs, maximumDelay), () => this.#timeOut());
  }

  stop(reason: ToolError): void {
    if (!this.#end()) return;
    this.#reject(reason);
    this.#controller.abort(reason);
    this.#hear?.(reason);
  }

  onStop(hear: (reason: ToolError) => void): void {
    this.#hear = hear;
  }

  #cancel({ reason }: AbortSignal): void {
    // Whoever cancels may say why.
    const said = reason instanceof ToolError && reason.code === 'cancelled';
    this.stop(said ? reason : new ToolError('cancelled', `${this.#options.what} was cancelled.`));
  }

  #timeOut(): void {
    const { what, timeoutMs, silence } = this.#options;
    const { hint, details } = silence?.() ?? {};
    const message = `${what} gave no answer within ${inWords(timeoutMs)}.${hint === undefined ? '' : ` ${hint}`}`;
    this.stop(new ToolError('timeout', message, { details: { timeoutMs, ...details } }));
  }

  #fail(error: unknown): void {
    if (this.#end()) this.#reject(error);
  }

  #end(): boolean {
    if (this.ended) return false;
    this.ended = true;
    this.#stopTimer?.();
    if (this.#onAbort !== undefined) this.#options.signal?.removeEventListener('abort', this.#onAbort);
    return true;
  }
}

function inWords(milliseconds: number): string {
  return milliseconds < 1_000 ? `${milliseconds} ms` : `${Number((milliseconds / 1_000).toFixed(1))} s`;
}

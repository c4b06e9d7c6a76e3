import { systemClock, type Clock } from '../base/clock.ts';
import { ToolError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';

/** Work that runs under `withTimeout`, as the work itself sees it. */
export interface TimedWork {
  /** Its result is no longer awaited. */
  readonly ended: boolean;
  /** To be called when it really begins, where `waitForStart` is set. */
  start: () => void;
  /** Cancels it for a reason of one's own. */
  stop: (reason: ToolError) => void;
}

/** Work, and what may end it early. */
export interface WithTimeoutOptions<T> {
  run: (signal: AbortSignal, work: TimedWork) => Promise<T>;
  /** Milliseconds; `Infinity` for as long as it takes. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Sets the timer; the machine's own clock by default. */
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
 * moment, and aborts the signal that the work got. What the work returns or throws after that is ignored.
 */
export async function withTimeout<T>(options: WithTimeoutOptions<T>): Promise<T> {
  const { run, timeoutMs, signal, after = systemClock.after, waitForStart = false } = options;
  if (signal?.aborted === true) throw cancelledError(options, signal);
  const controller = new AbortController();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let stopTimer: (() => void) | undefined;
  const work = {
    ended: false,
    start(): void {
      if (work.ended || stopTimer !== undefined || !(timeoutMs > 0 && timeoutMs < Infinity)) return;
      stopTimer = after(Math.min(timeoutMs, maximumDelay), () => work.stop(timeoutError(options)));
    },
    stop(reason: ToolError): void {
      if (work.ended) return;
      work.ended = true;
      reject(reason);
      controller.abort(reason);
    },
  };
  const onAbort = (): void => signal && work.stop(cancelledError(options, signal));
  signal?.addEventListener('abort', onAbort, { once: true });
  if (!waitForStart) work.start();
  try {
    // Work that throws at once rejects like any other.
    void (async () => run(controller.signal, work))().then(resolve, reject);
    return await promise;
  } finally {
    work.ended = true;
    stopTimer?.();
    signal?.removeEventListener('abort', onAbort);
  }
}

/** The reason of the signal if it is a `ToolError` `cancelled`, else one that names the work. */
function cancelledError({ what }: { what: string }, { reason }: AbortSignal): ToolError {
  const isCancelled = reason instanceof ToolError && reason.code === 'cancelled';
  return isCancelled ? reason : new ToolError('cancelled', `${what} was cancelled.`);
}

function timeoutError<T>({ what, timeoutMs, silence }: WithTimeoutOptions<T>): ToolError {
  const { hint, details } = silence?.() ?? {};
  const message = `${what} gave no answer within ${inWords(timeoutMs)}.${hint === undefined ? '' : ` ${hint}`}`;
  return new ToolError('timeout', message, { details: { timeoutMs, ...details } });
}

function inWords(milliseconds: number): string {
  return milliseconds < 1_000 ? `${milliseconds} ms` : `${Number((milliseconds / 1_000).toFixed(1))} s`;
}

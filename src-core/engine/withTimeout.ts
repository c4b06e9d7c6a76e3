import { systemClock, type Clock } from '../tools/clock.ts';
import { ToolError } from '../tools/errors.ts';

/** Work, and what may end it early. */
export interface WithTimeoutOptions<T> {
  /**
   * The work. `start` is to be called when it really begins, where `waitForStart` is set; `hasEnded` says whether
   * anybody still waits for it; `stop` cancels it for a reason of one's own.
   */
  run: (
    signal: AbortSignal,
    start: () => void,
    hasEnded: () => boolean,
    stop: (reason: ToolError) => void,
  ) => Promise<T>;
  /** Milliseconds; `Infinity` for as long as it takes. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Sets the timer; the machine's own clock unless told. */
  after?: Clock['after'] | undefined;
  /** The time counts from `start`, not from now. */
  waitForStart?: boolean;
  /** What the work is called in errors. */
  what: string;
}

/** Node's timers take no more. */
const maximumDelay = 2_147_483_647;

/**
 * Runs work that may be cancelled and may take too long. Rejects with a `ToolError` `timeout` or `cancelled` at that
 * moment, and aborts the signal that the work got; work that pays no heed ends unheard, whatever it comes to.
 */
export function withTimeout<T>({
  run,
  timeoutMs,
  signal,
  after = systemClock.after,
  waitForStart = false,
  what,
}: WithTimeoutOptions<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const controller = new AbortController();
    let stopTimer: (() => void) | undefined;
    let settled = false;

    function settle(): boolean {
      if (settled) return false;
      settled = true;
      stopTimer?.();
      signal?.removeEventListener('abort', cancel);
      return true;
    }
    function fail(error: unknown): void {
      if (settle()) reject(error);
    }
    function stop(error: ToolError): void {
      if (!settle()) return;
      reject(error);
      controller.abort(error);
    }
    function cancel(): void {
      // Whoever cancels may say why.
      const { reason } = signal ?? {};
      const said = reason instanceof ToolError && reason.code === 'cancelled';
      stop(said ? reason : new ToolError('cancelled', `${what} was cancelled.`));
    }
    function start(): void {
      if (settled || stopTimer !== undefined || !(timeoutMs > 0 && timeoutMs < Infinity)) return;
      stopTimer = after(Math.min(timeoutMs, maximumDelay), () => {
        stop(
          new ToolError('timeout', `${what} gave no answer within ${inWords(timeoutMs)}.`, {
            details: { timeoutMs },
          }),
        );
      });
    }

    if (signal?.aborted === true) {
      cancel();
      return;
    }
    signal?.addEventListener('abort', cancel, { once: true });
    if (!waitForStart) start();
    try {
      // Work of a foreign module may be no promise at all.
      void Promise.resolve(run(controller.signal, start, () => settled, stop)).then((value) => {
        if (settle()) resolve(value);
      }, fail);
    } catch (error) {
      // Work that throws at once rejects like any other.
      fail(error);
    }
  });
}

function inWords(milliseconds: number): string {
  return milliseconds < 1_000 ? `${milliseconds} ms` : `${Number((milliseconds / 1_000).toFixed(1))} s`;
}

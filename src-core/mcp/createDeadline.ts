import { McpError } from './errors.ts';

/** How long a request, or several rounds of one, may still take. */
export interface Deadline {
  /** Aborted with an `McpError` of code `timeout`. */
  readonly expired: AbortSignal;
  /** Called by `clear`, after which nothing else has an effect. */
  readonly onClear: Set<() => void>;
  /** The server has shown that it works: `timeoutMs` starts again. */
  restart(): void;
  /** The user is asked: no time passes until `resume` was called as often as `pause`. */
  pause(): void;
  resume(): void;
  clear(): void;
}

export interface DeadlineOptions {
  /** The longest silence, in ms. */
  timeoutMs: number;
  /** The longest time in all, in ms, without pauses. By default `timeoutMs`. */
  maxTotalMs?: number;
  /** The user is asked, or no longer. */
  onWait?: ((isWaiting: boolean) => void) | undefined;
}

/** Timers take no more ms. */
const longestMs = 2_147_483_647;

/** Starts both times. */
export function createDeadline({ timeoutMs, maxTotalMs = timeoutMs, onWait }: DeadlineOptions): Deadline {
  const controller = new AbortController();
  const onClear = new Set<() => void>();
  let isCleared = false;
  let leftMs = maxTotalMs;
  let startedAt = 0;
  let pauses = 0;
  let silence: NodeJS.Timeout | undefined;
  let total: NodeJS.Timeout | undefined;

  const stop = (): void => {
    clearTimeout(silence);
    clearTimeout(total);
  };
  const expire = (limitMs: number, isTotal: boolean): void => {
    stop();
    const text = isTotal ? `The request took longer than ${limitMs} ms.` : `No answer for ${limitMs} ms.`;
    controller.abort(new McpError('timeout', text, { limitMs, total: isTotal }));
  };
  const startSilence = (): void => {
    silence = setTimeout(expire, Math.min(timeoutMs, longestMs), timeoutMs, false);
  };
  const start = (): void => {
    startedAt = performance.now();
    startSilence();
    total = setTimeout(expire, Math.min(Math.max(0, leftMs), longestMs), maxTotalMs, true);
  };
  const isOver = (): boolean => controller.signal.aborted || isCleared;
  start();
  return {
    expired: controller.signal,
    onClear,
    restart() {
      if (pauses > 0 || isOver()) return;
      clearTimeout(silence);
      startSilence();
    },
    pause() {
      pauses += 1;
      if (pauses > 1 || isOver()) return;
      stop();
      leftMs -= performance.now() - startedAt;
      onWait?.(true);
    },
    resume() {
      pauses -= 1;
      if (pauses > 0 || isOver()) return;
      start();
      onWait?.(false);
    },
    clear() {
      stop();
      if (pauses > 0 && !isOver()) onWait?.(false);
      isCleared = true;
      for (const each of onClear) each();
    },
  };
}

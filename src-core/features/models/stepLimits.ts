import type { Clock } from '../../base/clock.ts';
import { ChatModelError } from './chatModel.ts';

/** What may end a step early. */
export interface StepLimitsOptions {
  /** ms for the whole step. */
  totalMs: number | undefined;
  /** ms between two parts, from the first one on. */
  chunkMs?: number | undefined;
  signal: AbortSignal | undefined;
  clock: Clock;
}

/** The limits of one step while it runs. */
export interface StepLimits {
  /** Aborts when the caller cancels or a limit is reached. */
  readonly signal: AbortSignal;
  /** Why it aborted; undefined while it has not. */
  failure: () => ChatModelError | undefined;
  /** A part has come: the next one has `chunkMs` again. */
  part: () => void;
  /** The step is over, however it ended: nothing is left running. */
  end: () => void;
}

/** Puts a caller's signal and the two limits of a step together; nothing is tried again (docs/protocols/gateway.md). */
export function startStepLimits({ totalMs, chunkMs, signal, clock }: StepLimitsOptions): StepLimits {
  const controller = new AbortController();
  let failure: ChatModelError | undefined;
  let stopChunk: (() => void) | undefined;

  function fail(error: ChatModelError): void {
    if (failure !== undefined) return;
    failure = error;
    end();
    controller.abort(error);
  }
  const onAbort = (): void => fail(new ChatModelError('cancelled', 'The step was cancelled.'));
  const stopTotal =
    totalMs === undefined ? undefined : clock.after(totalMs, () => fail(timedOut('gave no whole answer', totalMs)));

  function end(): void {
    stopTotal?.();
    stopChunk?.();
    signal?.removeEventListener('abort', onAbort);
  }

  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted === true) onAbort();
  return {
    signal: controller.signal,
    failure: () => failure,
    part() {
      stopChunk?.();
      if (chunkMs === undefined || failure !== undefined) return;
      stopChunk = clock.after(chunkMs, () => fail(timedOut('began its answer and then sent nothing', chunkMs)));
    },
    end,
  };
}

function timedOut(what: string, limitMs: number): ChatModelError {
  const seconds = `${limitMs / 1000} s`;
  return new ChatModelError('timeout', `The model ${what} for ${seconds}. Allow it more time, or try again.`, {
    details: { limitMs },
  });
}

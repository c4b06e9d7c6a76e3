import { reportError } from '../base/reportError.ts';
import type { ToolOutput, ToolProgress, ToolRegistry } from '../registry/types.ts';
import { unreadableFrames } from '../base/unreadableFrames.ts';
import type { CallInHand } from './callInHand.ts';
import type { CheckedCall } from './checkCall.ts';
import type { ExecutionOptions } from './executionOptions.ts';
import { withTimeout } from './withTimeout.ts';

/** Hands a call to its source, for as long as it may take. Rejects with a `ToolError` or what the tool threw. */
export function invokeMethod(call: CallInHand, { target, converted }: CheckedCall): Promise<ToolOutput> {
  const { options, record } = call;
  const { registry, method, qualifiedName } = target;
  const { callId, timeoutMs } = record;
  const waitForStart = registry.queued === true;
  const goesOut = (): void => {
    call.wentOutAt = performance.now();
    if (options.onWentOut !== undefined) tell(options, 'onWentOut', () => options.onWentOut?.(record));
  };
  return withTimeout({
    what: `"${options.shownName ?? qualifiedName}"`,
    silence: () => silenceOf(call, registry),
    timeoutMs,
    signal: options.signal,
    after: options.after,
    waitForStart,
    // Whatever the tool reports once its call has ended is nobody's business.
    run: (signal, work) => {
      if (options.onCallStart !== undefined) {
        tell(options, 'onCallStart', () => options.onCallStart?.(record, (reason) => work.stop(reason)));
        // Whoever hears of it may cancel it there and then: nothing goes out.
        signal.throwIfAborted();
      }
      if (!waitForStart) goesOut();
      return registry.invoke(method.name, converted.args, {
        signal,
        timeoutMs,
        callId,
        onProgress: (progress: ToolProgress) => {
          if (!work.ended) tell(options, 'onProgress', () => options.onProgress?.({ ...progress, callId }));
        },
        onUnreadable: () => (call.unreadable += 1),
        onTimed: (durationMs) => (call.timedMs = durationMs),
        onStart: () => {
          if (call.wentOutAt !== undefined || work.ended) return;
          goesOut();
          work.start();
        },
      });
    },
  });
}

/** Why there may be no answer. */
function silenceOf({ unreadable }: CallInHand, { silenceHint }: ToolRegistry): ReturnType<typeof unreadableFrames> {
  const { hint, details } = unreadableFrames(unreadable);
  const hints = [hint, silenceHint].filter((text) => text !== undefined);
  return { ...(hints.length > 0 && { hint: hints.join(' ') }), ...(details !== undefined && { details }) };
}

/** A hook that throws is reported and changes nothing. */
function tell({ onError = reportError }: ExecutionOptions, name: string, hook: () => void): void {
  try {
    hook();
  } catch (error) {
    onError(error, `the hook ${name}`);
  }
}

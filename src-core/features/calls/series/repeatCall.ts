import { setImmediate, setTimeout } from 'node:timers/promises';

import type { ExecuteInput, RepeatInput, SeriesFigures } from '../../../contract/types.ts';
import type { ToolExecutionResult } from '../../../base/calls.ts';
import { ToolError, type ToolErrorCode, type ToolErrorInfo } from '../../../base/errors.ts';
import { statusOf } from '../../../contract/stateWords.ts';
import { SeriesTally } from './seriesTally.ts';

/** ms between two figures of a series. */
const tellEveryMs = 100;
/** ms that calls without waiting may run before other work, such as a cancel, gets a turn. */
const turnMs = 10;

/** The calls never reached the tool, and no other call of the series would: the first such error ends it. */
const hopeless: ReadonlySet<ToolErrorCode> = new Set<ToolErrorCode>([
  'confirmation-required',
  'not-authorized',
  'invalid-name',
  'unknown-tool',
  'unknown-method',
  'ambiguous-name',
  'unusable-method',
  'tool-disabled',
  'not-agent-callable',
  'tool-withheld',
  'tool-changed',
  'invalid-arguments',
]);

/**
 * Makes one call many times, several at once, and yields the figures every tenth of a second; the last figures are
 * `done`. Each call has its own timeout, history entry and frames. If the tool asks first, one confirmation
 * (`confirmed`) applies to all. Ends early if `signal` aborts, if the reader stops, or if no call can succeed (a
 * tool that was removed, arguments that do not fit).
 */
export async function* repeatCall(options: {
  input: RepeatInput;
  execute: (input: ExecuteInput, signal: AbortSignal) => Promise<ToolExecutionResult>;
  signal: AbortSignal;
}): AsyncGenerator<SeriesFigures, void, void> {
  const { seriesId, count, parallel, ...call } = options.input;
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  const tally = new SeriesTally();
  const startedAt = Date.now();
  const began = performance.now();
  let turnBegan = began;
  let next = 0;
  let stopped: ToolErrorInfo | undefined;

  async function lane(): Promise<void> {
    while (next < count && !signal.aborted) {
      const callId = `${seriesId}.${(next += 1)}`;
      const result = await options.execute({ ...call, callId }, signal);
      const { durationMs, error } = result;
      tally.add(callId, {
        durationMs,
        status: statusOf(result),
        ...(error && { errorCode: error.code }),
      });
      if (stopped === undefined && result.error !== undefined && isHopeless(result.error)) {
        stopped = result.error;
        ending.abort(new ToolError('cancelled', 'The series ended: no call of it can succeed.'));
      }
      if (performance.now() - turnBegan < turnMs) continue;
      await setImmediate();
      turnBegan = performance.now();
    }
  }

  const figures = (done: boolean): SeriesFigures => ({
    seriesId,
    count,
    parallel,
    startedAt,
    done,
    ...tally.figures(performance.now() - began),
    ...(stopped && { stopped }),
  });

  const lanes = Array.from({ length: Math.min(parallel, count) }, lane);
  const all = Promise.all(lanes).then(() => true);
  try {
    for (let done = false; !done;) {
      const tick = new AbortController();
      const pause = setTimeout(tellEveryMs, false, { signal: tick.signal }).catch(() => false);
      done = await Promise.race([all, pause]);
      tick.abort();
      yield figures(done);
    }
  } finally {
    ending.abort(new ToolError('cancelled', 'The series was ended.'));
    await Promise.allSettled(lanes);
  }
}

/** Whether the tool's device disconnected before the call was sent. Earlier calls were cut off; this one was never sent. */
function isHopeless({ code, details }: ToolErrorInfo): boolean {
  return hopeless.has(code) || (code === 'disconnected' && details?.['leftMs'] !== undefined);
}

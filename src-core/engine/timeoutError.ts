import { ToolError } from '../base/errors.ts';
import { formatLimit } from '../base/formatDuration.ts';
import { framesMeanwhile, type UnmatchedFrames } from '../base/framesMeanwhile.ts';
import type { ToolProgress } from '../base/toolTypes.ts';
import type { ToolRegistry } from '../registry/types.ts';

interface LateCall {
  record: { timeoutMs: number };
  unmatched: UnmatchedFrames;
  wentOutAt: number | undefined;
  progress: ToolProgress | undefined;
}

/** The end of a call that took too long. `totalMs`: the limit, if it is that of the whole call and not of the time since the last progress. */
export function timeoutError(
  { record, unmatched, wentOutAt = 0, progress }: LateCall,
  { source, name, totalMs }: { source: ToolRegistry; name: string; totalMs: number | undefined },
): ToolError {
  const { timeoutMs } = record;
  const { hint, details } = framesMeanwhile(unmatched, performance.now() - wentOutAt, source.msSinceFrame?.());
  const limit = formatLimit(totalMs ?? timeoutMs);
  const lastProgress =
    progress && (progress.total === undefined ? `${progress.progress}` : `${progress.progress}/${progress.total}`);
  const after =
    totalMs === undefined
      ? `"${name}" did not answer within ${limit} after its last progress, ${lastProgress}.`
      : `"${name}" did not answer within ${limit} in all. Its last progress was ${lastProgress}.`;
  const what = lastProgress === undefined ? `"${name}" did not answer within ${limit}.` : after;
  const message = [what, hint, source.silenceHint].filter(Boolean).join(' ');
  const facts = {
    ...(lastProgress !== undefined && { progress: lastProgress }),
    ...(totalMs !== undefined && { totalMs }),
  };
  return new ToolError('timeout', message, { details: { timeoutMs, ...details, ...facts } });
}

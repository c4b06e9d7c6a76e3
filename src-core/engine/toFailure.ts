import type { ToolExecutionResult } from '../base/calls.ts';
import { describeThrown } from '../base/describeThrown.ts';
import { ToolError, type ToolErrorInfo } from '../base/errors.ts';

/** How a call ended, without whose call it was. */
export type CallOutcome = Omit<ToolExecutionResult, 'requestId' | 'toolName' | 'durationMs'>;

/** The outcome for whatever a call threw: a `ToolError` with its own code, everything else as `tool-error`. */
export function toFailure(thrown: unknown): CallOutcome {
  const info: ToolErrorInfo =
    thrown instanceof ToolError ? thrown.info : { code: 'tool-error', message: describeThrown(thrown) };
  return { status: 'error', result: info.message, error: info };
}

/** Why an abort has ended the work that is named: the reason of the signal if it is a `ToolError`. */
export function abortError({ reason }: AbortSignal, what: string): ToolError {
  return reason instanceof ToolError ? reason : new ToolError('cancelled', `${what} was cancelled.`);
}

/** The error of a cancelled call, for users and models: `why`, and whether the tool may have done something. */
export function cancelledError(why: string, { mayHaveRun }: { mayHaveRun: boolean }): ToolError {
  const effect = mayHaveRun ? 'It had already started and may have taken effect.' : 'It did not run.';
  return new ToolError('cancelled', `${why} ${effect}`, mayHaveRun ? {} : { details: { ran: false } });
}

/** The outcome for an answer in which the tool itself says that it failed. */
export function toToolFailure(
  text: string,
  parts: Pick<CallOutcome, 'content' | 'structuredContent' | 'remark'>,
  details: ToolErrorInfo['details'],
): CallOutcome {
  const message = text === '' ? 'The tool reported an error without details.' : text;
  return {
    status: 'error',
    result: message,
    error: { code: 'tool-error', message, ...(details && { details }) },
    ...parts,
  };
}

import type { ToolExecutionResult } from '../tools/calls.ts';
import { describeThrown } from '../tools/describeThrown.ts';
import { ToolError, type ToolErrorInfo } from '../tools/errors.ts';
import type { ContentBlock } from '../tools/types.ts';

/** How a call ended, without whose call it was. */
export type CallOutcome = Pick<ToolExecutionResult, 'status' | 'result' | 'error' | 'content' | 'softFailure'>;

/** The outcome for whatever a call threw: a `ToolError` with its own code, everything else as `tool-error`. */
export function toFailure(thrown: unknown): CallOutcome {
  const info: ToolErrorInfo =
    thrown instanceof ToolError ? thrown.info : { code: 'tool-error', message: describeThrown(thrown) };
  return { status: 'error', result: info.message, error: info };
}

/** The outcome for an answer in which the tool itself says that it failed. */
export function toToolFailure(text: string, content: ContentBlock[] | undefined): CallOutcome {
  const message = text === '' ? 'The tool reported an error without saying which.' : text;
  return {
    status: 'error',
    result: message,
    error: { code: 'tool-error', message },
    ...(content !== undefined && { content }),
  };
}

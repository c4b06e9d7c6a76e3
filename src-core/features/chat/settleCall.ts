import { cancelledError, toFailure } from '../../engine/toFailure.ts';
import type { ToolExecutionResult } from '../../base/calls.ts';
import type { ToolError } from '../../base/errors.ts';
import type { ChatCall } from '../../contract/chat.ts';

/** Characters of a result's text that a chat keeps and a model is told. */
const maxResultLength = 128 * 1024;

/** Characters of JSON of an answer's blocks that a chat keeps. */
const maxContentLength = 1024 * 1024;

/** Gives a call its one result. A call that has one keeps it. */
export function settleCall(call: ChatCall, result: ToolExecutionResult): void {
  if (call.result !== undefined) return;
  call.result = boundResult(result);
  delete call.problem;
  const code = result.error?.code;
  call.state = code === 'cancelled' ? 'cancelled' : code === 'not-authorized' ? 'refused' : 'done';
}

/** Gives a call that never went to the executor its result: why it did not run. */
export function refuseCall(call: ChatCall, why: ToolError): void {
  const { id, qualifiedName, toolName } = call;
  settleCall(call, { requestId: id, toolName: qualifiedName ?? toolName, ...toFailure(why), durationMs: 0 });
}

/** Closes every call that has no result as cancelled, so that none dangles in the history. */
export function closeCalls(calls: readonly ChatCall[], why: string): void {
  for (const call of calls) {
    if (call.result !== undefined) continue;
    refuseCall(call, cancelledError(why, { mayHaveRun: call.state === 'running' }));
  }
}

/** A result as a chat keeps it. What is too long is cut, and says so: the model is told the same. */
function boundResult({ content, ...result }: ToolExecutionResult): ToolExecutionResult {
  const keepContent = content !== undefined && JSON.stringify(content).length <= maxContentLength;
  return {
    ...result,
    result: boundText(result.result),
    ...(result.error !== undefined && { error: { ...result.error, message: boundText(result.error.message) } }),
    ...(keepContent && { content }),
  };
}

function boundText(text: string): string {
  if (text.length <= maxResultLength) return text;
  const rest = text.length - maxResultLength;
  return `${text.slice(0, maxResultLength).toWellFormed()}… (${rest.toLocaleString('en')} more characters were cut off)`;
}

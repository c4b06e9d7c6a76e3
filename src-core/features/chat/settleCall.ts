import { cancelledError, toFailure } from '../../engine/toFailure.ts';
import type { ToolExecutionResult } from '../../registry/calls.ts';
import type { ToolError } from '../../base/errors.ts';
import { boundResult } from './boundResult.ts';
import type { ChatCall } from './entries.ts';

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

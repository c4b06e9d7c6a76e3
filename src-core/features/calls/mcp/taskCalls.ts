/** Calls whose sources run them as tasks: what is kept of them, and which outlive Toolwire. */
import type { ToolExecutionResult } from '../../../base/calls.ts';
import type { ToolError } from '../../../base/errors.ts';
import type { ToolReport, ToolTask } from '../../../base/toolTypes.ts';
import type { CallRecord } from '../../../contract/types.ts';
import type { BegunCall, HistoryStore } from '../../../store/historyTypes.ts';

/** A call whose source runs it as a task. */
export type TaskCall = BegunCall & Required<Pick<BegunCall, 'task'>>;

/** Rounds of one call that are kept. */
const maxRounds = 50;

/** Returns whether a restart needs to know it: the state of a task, or an answer during one. */
export function takeReport(record: CallRecord, report: ToolReport): boolean {
  if ('isWaiting' in report) {
    record.waitsForUser = report.isWaiting;
    if (!report.isWaiting) record.waitedUntil = Date.now();
    return false;
  }
  const before = record.task?.status;
  if ('task' in report) record.task = report.task;
  else record.rounds = [...(record.rounds ?? []), report.round].slice(-maxRounds);
  return record.task !== undefined && ('round' in report || report.task.status !== before);
}

/** Whether its source goes on with it while Toolwire is closed, and the next run follows it. */
export function isKept(call: BegunCall): call is TaskCall {
  return isUnfinished(call.task) && call.task?.endsWithToolwire === undefined;
}

function isUnfinished(task: ToolTask | undefined): boolean {
  return task?.status === 'working' || task?.status === 'input_required';
}

/** A call that is cancelled, or that reaches its limit, asks the server to cancel the task, and does not wait for the answer. */
export function endedRecord(
  record: BegunCall,
  result: ToolExecutionResult,
): BegunCall & { result: ToolExecutionResult } {
  const kept = { ...record, result };
  const isCancelled = result.error?.code === 'cancelled' || result.error?.code === 'timeout';
  if (kept.task !== undefined && isCancelled && isUnfinished(kept.task))
    kept.task = { ...kept.task, status: 'cancelled' };
  return kept;
}

/** Keeps the end of a call that has no result. */
export async function endInterrupted(
  history: Pick<HistoryStore, 'append'>,
  call: BegunCall,
  { message, info: error }: ToolError,
): Promise<void> {
  const { callId: requestId, qualifiedName: toolName } = call;
  await history.append({
    ...call,
    result: { requestId, toolName, status: 'error', result: message, durationMs: 0, error },
  });
}

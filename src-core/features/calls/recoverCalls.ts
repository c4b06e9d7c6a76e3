import type { BegunCall, HistoryStore } from '../../store/historyTypes.ts';
import { ToolError } from '../../base/errors.ts';

/** A call whose source runs it as a task. */
export type TaskCall = BegunCall & Required<Pick<BegunCall, 'task'>>;

const message =
  'Toolwire ended before this call had a result. Whether the tool did its work is not known. ' +
  'Check what the call would have changed before you run it again.';

/**
 * Ends the calls that an engine before this one began and did not end: they are in the history as interrupted. Returns those whose
 * sources go on with them as tasks.
 */
export async function recoverCalls(history: Pick<HistoryStore, 'begun' | 'append'>): Promise<TaskCall[]> {
  const begun = await history.begun();
  const tasks = begun.filter((call): call is TaskCall => call.task !== undefined);
  for (const call of begun)
    if (call.task === undefined) await endInterrupted(history, call, new ToolError('interrupted', message));
  return tasks;
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

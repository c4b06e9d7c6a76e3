import type { HistoryStore } from '../../store/historyTypes.ts';
import { ToolError } from '../../base/errors.ts';
import { endInterrupted, isKept, type TaskCall } from './mcp/taskCalls.ts';

const message =
  'Toolwire ended before this call had a result. Whether the tool has run is not known. ' +
  'Check what the call would have changed before you run it again.';

/**
 * Ends the calls that an engine before this one began and did not end: they are in the history as interrupted. Returns those whose
 * sources go on with them as tasks.
 */
export async function recoverCalls(history: Pick<HistoryStore, 'begun' | 'append'>): Promise<TaskCall[]> {
  const begun = await history.begun();
  for (const call of begun)
    if (!isKept(call)) await endInterrupted(history, call, new ToolError('interrupted', message));
  return begun.filter(isKept);
}

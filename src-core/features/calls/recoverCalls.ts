import type { HistoryStore } from '../../store/historyTypes.ts';
import { ToolError } from '../../base/errors.ts';

const message =
  'Toolwire ended before this call had a result. Whether the tool did its work is not known. ' +
  'Check what the call would have changed before you run it again.';

/** Ends the calls that an engine before this one began and did not end: they are in the history as interrupted. */
export async function recoverCalls(history: Pick<HistoryStore, 'begun' | 'append'>): Promise<void> {
  const { info: error } = new ToolError('interrupted', message);
  for (const call of await history.begun()) {
    const { callId: requestId, qualifiedName: toolName } = call;
    await history.append({
      ...call,
      result: { requestId, toolName, status: 'error', result: message, durationMs: 0, error },
    });
  }
}

import { isJsonObject } from '../../../base/json.ts';
import { mcpPayload } from '../mcpPayload.ts';

/** Whether an answer to tools/call is its result, a question of the server, or a task whose result is asked for later. */
export function resultKind(frame: Parameters<typeof mcpPayload>[0]): 'complete' | 'input_required' | 'task' {
  const result = mcpPayload(frame)?.['result'];
  if (!isJsonObject(result)) return 'complete';
  if (result['resultType'] === 'input_required') return 'input_required';
  return isJsonObject(result['task']) && result['content'] === undefined ? 'task' : 'complete';
}

import type { ToolExecutionResult } from '../../base/calls.ts';
import { formatTagged } from './formatTagged.ts';

/** The text fed back to the model: a `<tool_response>` for each result, its text a JSON string that nothing breaks out of. */
export function formatToolResults(results: readonly ToolExecutionResult[]): string {
  return results
    .map(({ requestId, toolName, status, result }) =>
      formatTagged('tool_response', { id: requestId, name: toolName, status, result }),
    )
    .join('\n');
}

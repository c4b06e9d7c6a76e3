import type { ToolExecutionResult } from '../../base/calls.ts';
import type { ToolCallingProtocol } from '../base.ts';
import { toParsedRequest } from '../toParsedRequest.ts';
import { formatTagged } from './formatTagged.ts';
import { generateToolDefinitions } from './generateToolDefinitions.ts';
import { parseJsonCalls } from './parseJsonCalls.ts';

/** JSON tool calls as a protocol. Its id is `json`. */
export function createJsonProtocol(): ToolCallingProtocol {
  return {
    id: 'json',
    generateToolDefinitions,
    parseToolRequests: (finalText) => parseJsonCalls(finalText).requests.map(toParsedRequest),
    formatToolResults,
  };
}

/** The text fed back to the model: a `<tool_response>` for each result, its text a JSON string that nothing breaks out of. */
function formatToolResults(results: readonly ToolExecutionResult[]): string {
  return results
    .map(({ requestId, toolName, status, result }) =>
      formatTagged('tool_response', { id: requestId, name: toolName, status, result }),
    )
    .join('\n');
}

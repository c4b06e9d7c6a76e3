import type { ToolExecutionResult } from '../../base/calls.ts';
import type { ToolCallingProtocol } from '../base.ts';
import { toParsedRequest } from '../toParsedRequest.ts';
import { formatBlock, formatField } from './formatField.ts';
import { generateToolDefinitions } from './generateToolDefinitions.ts';
import { markers } from './markers.ts';
import { parseVcp } from './parseVcp.ts';
import type { VcpDialect } from '../../base/replyTypes.ts';

/** VCP as a protocol. Its id is `vcp` in every dialect. */
export function createVcpProtocol({ dialect = 'standard' }: { dialect?: VcpDialect } = {}): ToolCallingProtocol {
  return {
    id: 'vcp',
    generateToolDefinitions,
    parseToolRequests: (finalText) => parseVcp(finalText, { dialect }).requests.map(toParsedRequest),
    formatToolResults,
  };
}

/**
 * The text fed back to the model: a TOOL_RESULT block for each result (docs/protocols/vcp.md#prompts-and-results). A value that holds a marker or a
 * fence is escaped, so that nothing in it can end the block or begin a call.
 */
function formatToolResults(results: readonly ToolExecutionResult[]): string {
  return results.map(formatResult).join('\n\n');
}

function formatResult({ requestId, toolName, status, result }: ToolExecutionResult): string {
  const fields = [
    formatField('tool_name', toolName),
    formatField('request_id', requestId),
    formatField('status', status),
    formatField('result', result),
  ];
  return formatBlock(markers.resultStart, fields, markers.resultEnd);
}

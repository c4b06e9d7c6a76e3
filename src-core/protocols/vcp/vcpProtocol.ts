import type { ParsedToolRequest } from '../../tools/calls.ts';
import type { ToolCallingProtocol } from '../base.ts';
import { formatToolResults } from './formatToolResults.ts';
import { generateToolDefinitions } from './generateToolDefinitions.ts';
import { parseVcp } from './parseVcp.ts';
import type { VcpDialect, VcpRequest } from './types.ts';

/** The VCP protocol behind the interface of seed 001 §4.1. Its id is `vcp` in every dialect. */
export function createVcpProtocol({ dialect = 'standard' }: { dialect?: VcpDialect } = {}): ToolCallingProtocol {
  return {
    id: 'vcp',
    generateToolDefinitions,
    parseToolRequests: (finalText) => parseVcp(finalText, { dialect }).requests.map(toParsedRequest),
    formatToolResults,
  };
}

/** The seed's request alone. A serial block stays one request: its calls run in their order, whatever runs beside it. */
function toParsedRequest({ requestId, toolName, command, rawBlock, args, calls }: VcpRequest): ParsedToolRequest {
  return {
    requestId,
    toolName,
    ...(command !== undefined && { command }),
    rawBlock,
    args,
    ...(calls !== undefined && { calls }),
  };
}

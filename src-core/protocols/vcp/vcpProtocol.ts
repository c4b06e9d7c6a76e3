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
    parseToolRequests: (finalText) => parseVcp(finalText, { dialect }).requests.flatMap(toCalls),
    formatToolResults,
  };
}

/** The calls of a request: one, or those of a serial block, with the ids `id#1`, `id#2` … (spec/vcp.md §3). */
export function toCalls(request: VcpRequest): ParsedToolRequest[] {
  const { requestId, toolName, command, rawBlock, args, calls } = request;
  if (calls === undefined) return [{ requestId, toolName, ...(command !== undefined && { command }), rawBlock, args }];
  return calls.map((call) => ({
    requestId: call.requestId,
    toolName,
    command: call.command,
    rawBlock,
    args: call.args,
  }));
}

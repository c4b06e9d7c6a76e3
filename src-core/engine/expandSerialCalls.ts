import type { ParsedToolRequest, ToolCallRequest } from '../base/calls.ts';

/** The calls of a request: itself, or those of its block in their order (docs/protocols/vcp.md#serial-calls). */
export function expandSerialCalls(request: ParsedToolRequest): ParsedToolRequest[];
export function expandSerialCalls(request: ToolCallRequest): ToolCallRequest[];
export function expandSerialCalls(request: ToolCallRequest): ToolCallRequest[] {
  if (!('rawBlock' in request) || request.calls === undefined || request.calls.length === 0) return [request];
  const { toolName, rawBlock, calls } = request;
  return calls.map((call) => ({ ...call, toolName, rawBlock }));
}

import type { ParsedToolRequest } from '../base/calls.ts';

/** The request alone. A serial block stays one request: its calls run in their order, whatever runs beside it. */
export function toParsedRequest({
  requestId,
  toolName,
  command,
  rawBlock,
  args,
  calls,
}: ParsedToolRequest): ParsedToolRequest {
  return {
    requestId,
    toolName,
    ...(command !== undefined && { command }),
    rawBlock,
    args,
    ...(calls !== undefined && { calls }),
  };
}

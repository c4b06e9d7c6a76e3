import type { ToolCallingProtocol } from '../base.ts';
import { toParsedRequest } from '../toParsedRequest.ts';
import { formatToolResults } from './formatToolResults.ts';
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

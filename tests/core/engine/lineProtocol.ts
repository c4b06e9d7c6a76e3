import type { ToolCallingProtocol } from '../../../src-core/protocols/base.ts';
import type { ParsedToolRequest } from '../../../src-core/base/calls.ts';

/** A real protocol, small: `call ID NAME key=value …` a line is a call; definitions and results are a line each, too. */
export const lineProtocol: ToolCallingProtocol = {
  id: 'line',
  generateToolDefinitions: (tools) =>
    tools.flatMap(({ toolId, methods }) => methods.map(({ name }) => `offer ${toolId}_${name}`)).join('\n'),
  parseToolRequests: (text) => text.split('\n').flatMap((line) => (line.startsWith('call ') ? [parseLine(line)] : [])),
  formatToolResults: (results) =>
    results.map(({ requestId, status, result }) => `result ${requestId} ${status} ${result}`).join('\n'),
};

function parseLine(line: string): ParsedToolRequest {
  const [, requestId = '', toolName = '', ...fields] = line.split(' ');
  const args = Object.fromEntries(fields.map((field) => field.split('=', 2) as [string, string]));
  return { requestId, toolName, rawBlock: line, args };
}

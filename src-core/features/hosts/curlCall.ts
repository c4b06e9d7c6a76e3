import type { Tool } from '@modelcontextprotocol/server';

import type { JsonObject } from '../../base/json.ts';
import { shellWord } from '../../base/shellWord.ts';
import { parameterHeaders } from '../../mcp/parameterHeaders.ts';
import { parseArgsJson } from '../../schema/parseArgsJson.ts';
import { tokenVariable } from './connectTexts.ts';

/** The revision in which a call needs no session, and no request before it. */
const revision = '2026-07-28';

/**
 * A call of an exported tool as a command for a POSIX shell. The token is not in it: the shell fills in its variable.
 * @throws {ToolError} If the arguments are not a JSON object.
 */
export function curlCall({ url, tool, argsJson }: { url: string; tool: Tool; argsJson: string }): string {
  const args: JsonObject = parseArgsJson(argsJson);
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': revision,
    'Mcp-Method': 'tools/call',
    'Mcp-Name': tool.name,
    ...parameterHeaders(tool.inputSchema as JsonObject, args),
  };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const quote = (text: string): string => shellWord(text, 'linux');
  const params = { name: tool.name, arguments: args, _meta };
  return [
    `curl -sS ${quote(url)}`,
    `-H "Authorization: Bearer $${tokenVariable}"`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    `--data-raw ${quote(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }))}`,
  ].join(' \\\n  ');
}

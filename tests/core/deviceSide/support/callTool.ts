import { McpServer, type CommonToolsOptions, type JsonObject, type ToolManager } from '../../../../src-core/device.ts';

/** What a call said, and whether as a failure. */
export interface Said {
  text: string;
  isError: boolean;
  content: JsonObject[];
}

/** Calls a tool through the server, as the wire does. */
export async function callTool(server: McpServer, name: string, args: JsonObject = {}): Promise<Said> {
  const params = { name, arguments: args };
  const answer = await server.handle({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const { result } = JSON.parse(answer ?? '') as { result?: { content: JsonObject[]; isError: boolean } };
  if (result === undefined) throw new Error(answer);
  return { ...result, text: String(result.content[0]?.['text']) };
}

export function serverOf(...managers: ToolManager[]): McpServer {
  const server = new McpServer();
  server.addManagers(...managers);
  return server;
}

export function commonServer(options: CommonToolsOptions = {}): McpServer {
  const server = new McpServer();
  server.addCommonTools(options);
  return server;
}

/** A server of the SDK with 13 tools, over stdio, or over HTTP at a port that it prints. Both eras. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const schema = fromJsonSchema<{ message: string }>({
  type: 'object',
  properties: { message: { type: 'string', description: 'The message to return' } },
  required: ['message'],
});

export function createBenchServer(): McpServer {
  const server = new McpServer({ name: 'bench', version: '1' });
  for (const name of ['echo', ...Array.from({ length: 12 }, (_, at) => `tool_${at}`)]) {
    const about = { description: `The tool ${name} returns its message.`, inputSchema: schema };
    server.registerTool(name, about, ({ message }) => ({ content: [{ type: 'text', text: message }] }));
  }
  return server;
}

/** The SDK's own handler on Node's own server. Resolves with the server and its port. */
export async function serveBench(): Promise<{ server: Server; port: number }> {
  const server = createServer(toNodeHandler(createMcpHandler(createBenchServer)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

if (import.meta.main) {
  if (process.argv[2] === 'stdio') serveStdio(createBenchServer);
  else console.log((await serveBench()).port);
}

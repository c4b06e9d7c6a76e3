import { once } from 'node:events';
import { WebSocket } from 'ws';

/** A tool as the device lists it, and what a call of it returns. */
export interface HostileTool {
  name: string;
  inputSchema: object;
  outputSchema?: object;
  result?: object;
}

/** A device on a socket of its own: it answers what it is asked, with whatever the test wants. */
export interface HostileDevice {
  readonly socket: WebSocket;
  /** Names of the tools that were called. */
  readonly called: string[];
}

/** Connects a device that lists these tools. */
export async function connectHostileDevice(
  url: string,
  { id, tools }: { id: string; tools: readonly HostileTool[] },
): Promise<HostileDevice> {
  const called: string[] = [];
  const socket = new WebSocket(url, { headers: { 'Device-Id': id, 'Client-Id': id, 'Protocol-Version': '1' } });
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) return;
    const message = JSON.parse(data.toString()) as {
      session_id?: string;
      type: string;
      payload?: Request;
    };
    if (message.type !== 'mcp' || message.payload?.id === undefined) return;
    const payload = { jsonrpc: '2.0', id: message.payload.id, result: resultOf(message.payload, tools, called) };
    socket.send(JSON.stringify({ session_id: message.session_id, type: 'mcp', payload }));
  });
  await once(socket, 'open');
  const hello = { type: 'hello', version: 1, features: { mcp: true }, transport: 'websocket' };
  socket.send(JSON.stringify(hello));
  return { socket, called };
}

interface Request {
  id?: number;
  method: string;
  params?: { name?: string };
}

function resultOf({ method, params }: Request, tools: readonly HostileTool[], called: string[]): object {
  if (method === 'initialize')
    return {
      protocolVersion: '2024-11-05',
      capabilities: { tools: {} },
      serverInfo: { name: 'hostile', version: '1' },
    };
  if (method === 'tools/list')
    return {
      tools: tools.map((tool) => ({
        description: '',
        ...tool,
        result: undefined,
      })),
    };
  const tool = tools.find(({ name }) => name === params?.name);
  called.push(tool?.name ?? '');
  return (
    tool?.result ?? {
      content: [{ type: 'text', text: 'done' }],
      isError: false,
    }
  );
}

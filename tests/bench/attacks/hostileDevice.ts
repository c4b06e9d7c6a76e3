import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';

import { listTools } from '../../../src-core/rpc/listTools.ts';
import type { Product } from '../../attacks/product.ts';

export interface HostileDevice {
  readonly socket: WebSocket;
  /** Calls `self.set` through the engine; resolves when the call has ended, however it ended. */
  call(argsJson?: string): Promise<void>;
}

interface HostileDeviceOptions {
  /** JSON text of the input schema of its tools, `self.set` and `self.note`. */
  schema?: string;
  /** JSON text of the result of a call. */
  result?: string;
}

interface Request {
  payload?: { id?: number; method?: string };
}

const plainResult = '{"content":[{"type":"text","text":"true"}],"isError":false}';

/** Connects a device of this machine with two tools, and waits until the engine lists them. */
export async function connectHostileDevice(
  { served, client }: Product,
  { schema = '{"type":"object"}', result = plainResult }: HostileDeviceOptions = {},
): Promise<HostileDevice> {
  const results: Record<string, string> = {
    initialize:
      '{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"hostile","version":"1"}}',
    'tools/list': `{"tools":[${['self.set', 'self.note'].map((name) => `{"name":"${name}","description":"","inputSchema":${schema}}`).join()}]}`,
    'tools/call': result,
  };
  const socket = new WebSocket(served.device.webSocketUrl, { headers: { 'Device-Id': '02:00:00:00:00:01' } });
  socket.on('error', () => socket.terminate());
  socket.on('message', (data: Buffer) => {
    const { payload } = JSON.parse(data.toString()) as Request;
    const reply = results[payload?.method ?? ''];
    if (payload?.id === undefined || reply === undefined) return;
    socket.send(`{"type":"mcp","payload":{"jsonrpc":"2.0","id":${payload.id},"result":${reply}}}`);
  });
  await once(socket, 'open');
  socket.send('{"type":"hello","version":1,"features":{"mcp":true},"transport":"websocket"}');
  let toolName: string | undefined;
  while (toolName === undefined) {
    await delay(20);
    const tools = await listTools(client);
    const method = tools.flatMap(({ methods }) => methods).find(({ name }) => name === 'self.set');
    toolName = method?.qualifiedName;
  }
  const name = toolName;
  return {
    socket,
    async call(argsJson = '{}') {
      const callId = `call-${Math.random()}`;
      await client.calls.execute({ callId, toolName: name, argsJson, origin: 'executor', timeoutMs: 20_000 });
    },
  };
}

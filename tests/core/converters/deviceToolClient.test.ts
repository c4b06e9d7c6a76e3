/** `DeviceToolClient` of toolwire/converters, over transports that are not ours. */
import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';

import packageJson from '../../../package.json' with { type: 'json' };
import { DeviceToolClient } from '../../../src-core/converters.ts';
import type { DeviceToolClientOptions, JsonValue } from '../../../src-core/converters.ts';
import { McpServer, McpTool, Property, PropertyList, PropertyType } from '../../../src-core/device.ts';
import { PlainConverter } from './plainConverter.ts';

function createDevice(): McpServer {
  const server = new McpServer({ name: 'lamp' });
  server.addTool(
    new McpTool({
      name: 'self.lamp.set',
      description: 'Sets the lamp.',
      properties: new PropertyList([new Property('level', PropertyType.INTEGER, { minimum: 0, maximum: 100 })]),
      callback: ({ level }) => `level ${String(level)}`,
    }),
  );
  return server;
}

/** Lines over TCP in the envelope of xiaozhi, as a transport of somebody else has it. */
async function connectOverTcp(device: McpServer): Promise<{ client: DeviceToolClient; socket: Socket }> {
  const listener = createServer((socket) => {
    createInterface({ input: socket }).on('line', (line) => {
      const { payload } = JSON.parse(line) as { payload: JsonValue };
      void device.handle(payload).then((answer) => answer !== undefined && socket.write(`${answer}\n`));
    });
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as { port: number };
  const socket = createConnection(port, '127.0.0.1');
  await once(socket, 'connect');
  onTestFinished(() => {
    socket.destroy();
    listener.close();
  });
  const client = new DeviceToolClient({
    sessionId: '0123456789',
    send: (payload) => void socket.write(`{"type":"mcp","payload":${payload}}\n`),
  });
  createInterface({ input: socket }).on('line', (line) => client.onMcpMessage(JSON.parse(line) as JsonValue));
  socket.on('close', () => client.onDisconnect());
  return { client, socket };
}

/** A device in this process, which answers before `send` returns or later. */
function connectInMemory(options: Partial<DeviceToolClientOptions>, answers: Record<string, object>) {
  const sent: { id?: number; method: string; params?: { clientInfo?: object } }[] = [];
  const client: DeviceToolClient = new DeviceToolClient({
    ...options,
    send: (payload, note) => {
      const request = JSON.parse(payload) as (typeof sent)[number];
      sent.push(request);
      const result = answers[request.method];
      if (request.id !== undefined && result !== undefined)
        client.onMcpMessage({ jsonrpc: '2.0', id: request.id, result: result as JsonValue });
      return options.send?.(payload, note);
    },
  });
  return { client, sent };
}

test('lists and calls the tools of a device over a transport of one’s own, and notices its end', async () => {
  const { client, socket } = await connectOverTcp(createDevice());
  await client.initialize();
  expect(client.serverInfo).toMatchObject({ name: 'lamp' });
  const [tool] = new PlainConverter().convertDeviceTools(client.getToolDefinitions());
  expect(await tool?.run('{"level":7}', {})).toMatchObject({ status: 'success', result: 'level 7' });
  socket.destroy();
  await once(socket, 'close');
  await expect(client.callTool('self.lamp.set', { level: 1 })).rejects.toMatchObject({
    code: 'disconnected',
    message: expect.stringContaining('device of session 01234567 ended without a close frame'),
  });
});

test('an error of arguments names the tool as the model knows it', async () => {
  const { client } = await connectOverTcp(createDevice());
  await client.initialize();
  const converter = new PlainConverter();
  const [tool] = converter.convertDeviceTools(client.getToolDefinitions());
  const { result } = await tool!.run({ level: 'loud' }, {});
  expect(result).toBe('The arguments do not fit self_lamp_set. level: "loud" is not an integer.');
});

test('a transport within the process may answer at once', async () => {
  const tools = [{ name: 'now', description: '', inputSchema: { type: 'object' } }];
  const { client, sent } = connectInMemory(
    {},
    { initialize: {}, 'tools/list': { tools }, 'tools/call': { content: [{ type: 'text', text: 'done' }] } },
  );
  await client.initialize();
  expect(sent[0]?.params?.clientInfo).toEqual({ name: 'toolwire', version: packageJson.version });
  const started: string[] = [];
  const answer = await client.callTool('now', {}, { onStart: () => started.push('now') });
  expect([answer.value, started, client.runningCall]).toEqual(['done', ['now'], undefined]);
});

test('a send that rejects fails its request', async () => {
  const send = async (): Promise<void> => Promise.reject(new Error('the line is dead'));
  const { client } = connectInMemory({ send, name: 'Lamp' }, {});
  await expect(client.initialize()).rejects.toThrow('the line is dead');
});

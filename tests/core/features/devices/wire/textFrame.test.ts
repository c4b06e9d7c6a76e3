import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { textFrame } from '../../../../../src-core/features/devices/wire/textFrame.ts';

const texts: [string, string][] = [
  ['nothing', ''],
  ['125 bytes, the most of the short form', 'a'.repeat(125)],
  ['126 bytes, the least of the middle form', 'a'.repeat(126)],
  ['65,535 bytes, the most of the middle form', 'a'.repeat(65_535)],
  ['65,536 bytes, the least of the long form', 'a'.repeat(65_536)],
  ['characters of several bytes', '书房 🙂 é'.repeat(40)],
];

it.each(texts)('makes a frame of %s that a WebSocket client reads', async (_, text) => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { frame, bytes } = textFrame(text);
  server.on('connection', (_socket, request) => request.socket.write(frame));
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as { port: number }).port}/`);
  onTestFinished(() => client.terminate());
  const [data, isBinary] = (await once(client, 'message')) as [Buffer, boolean];
  expect(data.toString()).toBe(text);
  expect(isBinary).toBe(false);
  expect(bytes).toBe(Buffer.byteLength(text));
});

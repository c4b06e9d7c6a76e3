/** One TCP segment may hold thousands of tiny frames: each must get a turn of the event loop of its own. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';

import { DeviceClient, McpServer } from '../../../src-core/device.ts';
import { RealtimeSocket } from '../../../src-core/realtime/connection/realtimeSocket.ts';
import { createListener } from '../../../src-core/server/createListener.ts';
import { systemClock } from '../../../src-core/base/clock.ts';
import { openRawWebSocket, rawFrame, upgradeAnswer } from '../../helpers/rawWebSocket.ts';

/** Counts frames, and the most of them in one turn of the event loop. */
function countTurns(total: number) {
  const all = Promise.withResolvers<undefined>();
  let frames = 0;
  let inThisTurn = 0;
  let most = 0;
  return {
    all: all.promise,
    most: () => most,
    add: (): void => {
      if (inThisTurn === 0) setImmediate(() => (inThisTurn = 0));
      inThisTurn += 1;
      most = Math.max(most, inThisTurn);
      frames += 1;
      if (frames === total) all.resolve(undefined);
    },
  };
}

test('a burst of frames that a client sends takes one turn for each frame, pings included', async () => {
  const count = 10_000;
  const turns = countTurns(count);
  const listener = createListener({ port: 0, onError: () => {}, closeGraceMs: 50 });
  onTestFinished(() => listener.close());
  listener.upgrade({
    path: '/ws',
    maxPayload: 100,
    handle: (socket) =>
      void socket
        .on('error', () => {})
        .on('message', turns.add)
        .on('ping', turns.add),
  });
  const { port } = await listener.listen();
  const client = await openRawWebSocket({ port, path: '/ws' });
  client.write(
    Buffer.concat(Array.from({ length: count }, (_, index) => rawFrame('x', { opcode: index % 2 === 0 ? 1 : 9 }))),
  );
  await turns.all;
  expect(turns.most()).toBe(1);
  client.destroy();
});

/** A server that answers the handshake with these frames in one segment. */
async function serveFrames(frames: readonly string[]): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.once('data', (request) => {
      const data = frames.map((text) => rawFrame(text, { masked: false }));
      socket.write(Buffer.concat([Buffer.from(upgradeAnswer(request.toString('latin1'))), ...data]));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('so does a burst that a realtime server sends', async () => {
  const count = 2_000;
  const turns = countTurns(count);
  const url = new URL(await serveFrames(Array.from({ length: count }, () => '{}')));
  const socket = new RealtimeSocket({
    url,
    headers: {},
    clock: systemClock,
    onOpen: () => {},
    mask: (text) => text,
    onFrame: turns.add,
    onClose: () => {},
  });
  onTestFinished(() => void socket.close());
  await turns.all;
  expect(turns.most()).toBe(1);
});

test('so does a burst that the server of a device sends', async () => {
  const count = 2_000;
  const turns = countTurns(count);
  const hello = '{"type":"hello","transport":"websocket"}';
  const url = await serveFrames([hello, ...Array.from({ length: count }, () => '{"type":"tts"}')]);
  const client = new DeviceClient({ url, server: new McpServer(), onMessage: turns.add });
  onTestFinished(() => client.close());
  await client.connect();
  await turns.all;
  expect(turns.most()).toBe(1);
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';

import { createAddressCount } from '../../../src-core/server/addressCount.ts';
import { limitSilentSockets } from '../../../src-core/server/silentSockets.ts';

/** A client's socket, and what the server has of it. */
interface Connection {
  socket: Socket;
  peer: Socket;
}

async function open(isLocal: (address: string) => boolean): Promise<() => Promise<Connection>> {
  const server = createServer((_request, response) => void response.end('yes'));
  server.on('upgrade', (_request, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
  limitSilentSockets(server, { max: 2, isLocal });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return async () => {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => socket.destroy());
    const arrived = once(server, 'connection');
    const [[peer]] = (await Promise.all([arrived, once(socket, 'connect')])) as [[Socket], unknown];
    return { socket, peer };
  };
}

async function ask({ socket }: Connection, more = ''): Promise<string> {
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${more}\r\n`);
  const [data] = (await once(socket, 'data')) as [Buffer];
  return data.toString().split('\r\n', 1)[0] ?? '';
}

test('one machine gets so many sockets that say nothing; who asks, upgrades or leaves makes room', async () => {
  const next = await open(() => false);
  const [one, two] = [await next(), await next()];
  await once((await next()).socket, 'close');

  expect(await ask(one)).toBe('HTTP/1.1 200 OK');
  expect(await ask(two, 'Connection: Upgrade\r\nUpgrade: x\r\n')).toBe('HTTP/1.1 101 Switching Protocols');
  const [three, four] = [await next(), await next()];
  await once((await next()).socket, 'close');
  const left = once(three.peer, 'close');
  three.socket.destroy();
  await left;
  const five = await next();
  expect(await ask(five)).toBe('HTTP/1.1 200 OK');
  expect(await ask(four)).toBe('HTTP/1.1 200 OK');
  expect(await ask(one)).toBe('HTTP/1.1 200 OK');
});

test('this machine may have as many as it likes', async () => {
  const next = await open(() => true);
  const connections: Connection[] = [];
  for (let index = 0; index < 20; index += 1) connections.push(await next());
  for (const connection of connections) expect(await ask(connection)).toBe('HTTP/1.1 200 OK');
});

test('a count by address keeps nothing of who is gone, and counts each out once', () => {
  const count = createAddressCount();
  const first = count.add('a');
  const second = count.add('a');
  count.add('b');
  expect([count.of('a'), count.of('b'), count.of('c'), count.inAll()]).toEqual([2, 1, 0, 3]);
  first();
  first();
  expect([count.of('a'), count.inAll()]).toEqual([1, 2]);
  second();
  expect([count.of('a'), count.inAll()]).toEqual([0, 1]);
});

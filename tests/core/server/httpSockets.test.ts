import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';

import { machineOf } from '../../../src-core/server/address.ts';
import { limitHttpSockets, type HttpSocketLimits } from '../../../src-core/server/httpSockets.ts';
import { createMachineCount } from '../../../src-core/server/machineCount.ts';

/** A client's socket, and the server's end of it. */
interface Connection {
  socket: Socket;
  peer: Socket;
}

/** Connects from a loopback address of the caller's choice; 127.0.0.1 counts as this machine, the others as strangers. */
async function open(limits: HttpSocketLimits): Promise<(from?: string) => Promise<Connection>> {
  const server = createServer((_request, response) => void response.end('yes'));
  server.on('upgrade', (_request, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
  limitHttpSockets(server, { ...limits, isLocal: (address) => address === '127.0.0.1' });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return async (from = '127.0.0.2') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
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

const isOpen = ({ peer }: Connection): boolean => !peer.destroyed;

test('a socket counts until it becomes a WebSocket or closes, also after requests', async () => {
  const next = await open({ perMachine: 2, inAll: 100 });
  const [one, two] = [await next(), await next()];
  expect(await ask(one)).toBe('HTTP/1.1 200 OK');
  expect(isOpen(await next())).toBe(false);
  two.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nslow');
  await once(two.socket, 'data');
  expect(isOpen(await next())).toBe(false);

  const left = new Promise((resolve) => two.peer.once('close', resolve));
  two.socket.destroy();
  await left;
  const three = await next();
  expect(isOpen(await next())).toBe(false);
  expect(await ask(three, 'Connection: Upgrade\r\nUpgrade: x\r\n')).toBe('HTTP/1.1 101 Switching Protocols');
  expect(isOpen(await next())).toBe(true);
  expect(isOpen(await next())).toBe(false);
  expect(await ask(one)).toBe('HTTP/1.1 200 OK');
});

test('limits all machines together, but not this machine', async () => {
  const next = await open({ perMachine: 2, inAll: 6 });
  const strangers: Connection[] = [];
  for (let machine = 2; machine < 12; machine += 1) strangers.push(await next(`127.0.0.${machine}`));
  expect(strangers.filter(isOpen)).toHaveLength(6);
  for (let index = 0; index < 20; index += 1) expect(await ask(await next('127.0.0.1'))).toBe('HTTP/1.1 200 OK');
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:db8:1:3::9', '2001:db8:1:3'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
  ['', ''],
])('the machine of %s is %s', (address, machine) => {
  expect(machineOf(address)).toBe(machine);
});

test('all addresses of an IPv6 network count together, and a machine that left takes no place', () => {
  const count = createMachineCount();
  const ends = Array.from({ length: 1_000 }, (_, index) => count.add(`2001:db8::${index.toString(16)}`));
  expect([count.of('2001:db8::ffff'), count.of('2001:db8:0:1::1'), count.inAll()]).toEqual([1_000, 0, 1_000]);
  for (const end of ends) end();
  for (const end of ends) end();
  expect([count.of('2001:db8::1'), count.inAll()]).toEqual([0, 0]);
});

/** Whom a listener takes for the client, behind a proxy at 127.0.0.2 and for everyone else. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';

import { createListener } from '../../../src-core/server/createListener.ts';
import { clientOf, isOfThisMachine, proxiesOf } from '../../../src-core/server/proxied.ts';
import { respondText } from '../../../src-core/server/respond.ts';

const proxy = '127.0.0.2';

/** A listener that answers with who it takes the client for. */
async function open() {
  const listener = createListener({ port: 0, isProxy: proxiesOf([proxy, '10.0.0.0/24']), onError: () => undefined });
  listener.route({
    path: '/who',
    methods: ['GET'],
    handle: ({ request, response }) =>
      respondText(response, 200, `${clientOf(request).address} ${isOfThisMachine(request) ? 'here' : 'elsewhere'}`),
  });
  const { port } = await listener.listen();
  onTestFinished(() => listener.close());
  return (from: string): Socket => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    socket.on('error', () => socket.destroy());
    onTestFinished(() => void socket.destroy());
    return socket;
  };
}

const request = (...headers: string[]): string =>
  ['GET /who HTTP/1.1', 'Host: localhost', ...headers, '', ''].join('\r\n');

/** What is answered to these pieces; `closed` without an answer. */
async function answerTo(socket: Socket, ...pieces: (string | Buffer)[]): Promise<string> {
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const answered = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => undefined)]);
  if (answered === undefined) return 'closed';
  const text = String(answered[0]);
  return text.startsWith('HTTP/1.1 200') ? (text.split('\r\n\r\n')[1] ?? '').trim() : text.slice(9, 12);
}

/** A header of the second version, with the addresses and so many bytes of additions. */
function second(client: Buffer, { command = 0x21, more = 0 } = {}): Buffer {
  const addresses = Buffer.concat([client, client, Buffer.alloc(4 + more)]);
  const head = Buffer.from([
    13,
    10,
    13,
    10,
    0,
    13,
    10,
    81,
    85,
    73,
    84,
    10,
    command,
    client.length === 4 ? 0x11 : 0x21,
    0,
    0,
  ]);
  head.writeUInt16BE(addresses.length, 14);
  return Buffer.concat([head, addresses]);
}
const ipv4 = Buffer.from([203, 0, 113, 9]);

describe('of a connection that is not of a proxy', () => {
  test.each([
    ['127.0.0.1', request('X-Forwarded-For: 203.0.113.9'), '127.0.0.1 here'],
    ['127.0.0.3', request('X-Forwarded-For: 203.0.113.9'), '127.0.0.3 here'],
    ['127.0.0.1', `PROXY TCP4 203.0.113.9 10.0.0.1 1 2\r\n${request()}`, '400'],
    ['127.0.0.1', Buffer.concat([second(ipv4), Buffer.from(request())]), '400'],
  ])('%s, what it says of another client does not count', async (from, sent, answer) => {
    expect(await answerTo((await open())(from), sent)).toBe(answer);
  });
});

describe('of a proxy', () => {
  test.each([
    ['the client is the one that it names', [request('X-Forwarded-For: 203.0.113.9')], '203.0.113.9 elsewhere'],
    ['a client of its own machine is not of this one', [request('X-Forwarded-For: 127.0.0.1')], '127.0.0.1 elsewhere'],
    [
      'what a client wrote itself does not count',
      [request('X-Forwarded-For: 1.1.1.1, 203.0.113.9')],
      '203.0.113.9 elsewhere',
    ],
    [
      'headers count in their order, and other trusted proxies are passed over',
      [request('X-Forwarded-For: 1.1.1.1', 'X-Forwarded-For: 203.0.113.9, 10.0.0.7')],
      '203.0.113.9 elsewhere',
    ],
    [
      'text that is no address ends the list',
      [request('X-Forwarded-For: 203.0.113.9, unknown')],
      '127.0.0.2 elsewhere',
    ],
    ['a request without a client is its own, and not of this machine', [request()], '127.0.0.2 elsewhere'],
    ['a header of version 1 counts', ['PROXY TCP4 203.0.113.9 10.0.0.1 1 2\r\n', request()], '203.0.113.9 elsewhere'],
    ['it may come in pieces', ['PRO', 'XY TCP6 2001:db8::9 ::1 1 2\r', `\n${request()}`], '2001:db8::9 elsewhere'],
    ['version 1 may name none', [`PROXY UNKNOWN\r\n${request()}`], '127.0.0.2 elsewhere'],
    ['a header of version 2 counts', [second(ipv4, { more: 40 }), request()], '203.0.113.9 elsewhere'],
    [
      'also in pieces',
      [
        second(ipv4).subarray(0, 3),
        second(ipv4).subarray(3, 20),
        Buffer.concat([second(ipv4).subarray(20), Buffer.from(request())]),
      ],
      '203.0.113.9 elsewhere',
    ],
    [
      'IPv6 in version 2',
      [second(Buffer.from('20010db8000000000000000000000009', 'hex')), request()],
      '2001:db8::9 elsewhere',
    ],
    [
      'an IPv4 address in IPv6',
      [second(Buffer.from('00000000000000000000ffffcb007109', 'hex')), request()],
      '203.0.113.9 elsewhere',
    ],
    ['a health check in version 2 names none', [second(ipv4, { command: 0x20 }), request()], '127.0.0.2 elsewhere'],
    [
      'after a header, what the request says does not count',
      ['PROXY UNKNOWN\r\n', request('X-Forwarded-For: 203.0.113.9')],
      '127.0.0.2 elsewhere',
    ],
    ['a name in place of the address', ['PROXY TCP4 localhost 10.0.0.1 1 2\r\n', request()], 'closed'],
    ['a line without an end', [`PROXY ${'x'.repeat(200)}`], 'closed'],
    ['a line of more than 107 bytes', [`PROXY UNKNOWN ${'x'.repeat(200)}\r\n${request()}`], 'closed'],
    ['an unknown version', [second(ipv4, { command: 0x31 }), request()], 'closed'],
    ['additions of more than 2 kB', [second(ipv4, { more: 3_000 }), request()], 'closed'],
    ['a second header', [second(ipv4), second(ipv4), request()], '400'],
  ])('%s', async (_, pieces, answer) => {
    expect(await answerTo((await open())(proxy), ...pieces)).toBe(answer);
  });

  test('each request of a connection has its own client', async () => {
    const socket = (await open())(proxy);
    expect(await answerTo(socket, request('X-Forwarded-For: 203.0.113.9'))).toBe('203.0.113.9 elsewhere');
    expect(await answerTo(socket, request('X-Forwarded-For: 203.0.113.8'))).toBe('203.0.113.8 elsewhere');
  });
});

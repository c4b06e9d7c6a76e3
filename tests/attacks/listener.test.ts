/** Attacks on the listeners that anyone can reach: HTTP byte by byte. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startProduct, type Product } from './product.ts';

let product: Product;
let ports: Record<'window' | 'devices' | 'gateway', number>;
beforeAll(async () => {
  product = await startProduct();
  await product.client.gateway.configure({ settings: { port: 0 } });
  const gateway = await product.client.gateway.setEnabled({ enabled: true });
  ports = {
    window: Number(new URL(product.served.url).port),
    devices: Number(new URL(product.served.device.webSocketUrl).port),
    gateway: gateway.port,
  };
});
afterAll(() => product.stop());

/** Sends these bytes and returns the status of the first answer; 0 if the connection ends without one. */
async function statusOf(port: number, request: string): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(request);
  const answer = socket.once('data', () => socket.end());
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(await text(answer).catch(() => ''))?.[1] ?? 0);
}

const upgrade = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];
const routes: [name: string, port: keyof typeof ports, target: string, headers: readonly string[]][] = [
  ['the device WebSocket', 'devices', 'GET /xiaozhi/v1/', upgrade],
  ['OTA', 'devices', 'GET /xiaozhi/ota/', []],
  ['pictures', 'devices', 'POST /mcp/vision/explain', ['Content-Length: 0']],
  ['pictures of a screen', 'devices', 'POST /mcp/vision/snapshot/x', ['Content-Length: 0']],
  ['the gateway', 'gateway', 'GET /', upgrade],
  ['the page of the gateway', 'gateway', 'GET /', []],
  ['the window', 'window', 'GET /', []],
  ['links to the window', 'window', 'POST /link', ['Content-Length: 0']],
  ['the contract', 'window', 'GET /api', upgrade],
];

describe.each(routes)('%s refuses', (_name, listener, line, headers) => {
  const request = (target: string, ...more: string[]): string =>
    [`${target} HTTP/1.1`, ...more, ...headers, 'Connection: close', '', ''].join('\r\n');
  const own = (): string => `Host: 127.0.0.1:${ports[listener]}`;

  test('two Host headers, in either order', async () => {
    expect(await statusOf(ports[listener], request(line, own(), 'Host: evil.example'))).toBe(400);
    expect(await statusOf(ports[listener], request(line, 'Host: evil.example', own()))).toBe(400);
    expect(await statusOf(ports[listener], request(line, own(), own()))).toBe(400);
  });

  test('no Host header', async () => {
    expect(await statusOf(ports[listener], request(line))).toBe(400);
  });

  test('an empty Origin, a blank one and two of them', async () => {
    const { port, host } = { port: ports[listener], host: own() };
    expect(await statusOf(port, request(line, host, 'Origin:'))).toBe(403);
    expect(await statusOf(port, request(line, host, 'Origin: \t '))).toBe(403);
    expect(await statusOf(port, request(line, host, `Origin: http://127.0.0.1:${port}`, 'Origin: null'))).toBe(403);
  });

  test('a target that names another host', async () => {
    const absolute = line.replace(' /', ' http://evil.example/');
    expect([400, 404]).toContain(await statusOf(ports[listener], request(absolute, own())));
  });
});

test.each(routes.filter(([, listener]) => listener !== 'gateway'))(
  '%s refuses a Host that only looks like its own',
  async (_name, listener, line, headers) => {
    const port = ports[listener];
    for (const host of [
      `evil@127.0.0.1:${port}`,
      `127.0.0.1.:${port}`,
      `localhost.:${port}`,
      `127.0.0.1:${port}.evil`,
    ]) {
      const request = [`${line} HTTP/1.1`, `Host: ${host}`, ...headers, '', ''].join('\r\n');
      expect(await statusOf(port, request), host).toBe(421);
    }
  },
);

test('the gateway refuses a page that reaches it by a name of its own', async () => {
  const request = ['GET / HTTP/1.1', 'Host: evil.example', 'Origin: http://evil.example', ...upgrade, '', ''];
  expect(await statusOf(ports.gateway, request.join('\r\n'))).toBe(403);
});

describe('a request without an end', () => {
  /** Sends `begin`, then `part` again and again, until the product ends the connection. Returns the bytes that were sent. */
  async function sendEndlessly(port: number, begin: string, part: string): Promise<number> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {}).resume();
    await once(socket, 'connect');
    socket.write(begin);
    let sent = 0;
    while (!socket.destroyed && sent < maxSent) {
      sent += part.length;
      if (socket.write(part)) await nextTurn();
      else await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));
      socket.removeAllListeners('drain').removeAllListeners('close');
    }
    socket.destroy();
    return sent;
  }
  const maxSent = 64_000_000;

  test.each(['window', 'devices', 'gateway'] as const)('in its headers ends at 16 kB: the %s', async (listener) => {
    const begin = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${ports[listener]}\r\n`;
    for (const [first, part] of [
      [`${begin}X-Long: `, 'x'.repeat(1_000)],
      [begin, `X-Many: ${'x'.repeat(90)}\r\n`.repeat(10)],
      ['', 'G'.repeat(1_000)],
    ] as const) {
      expect(await sendEndlessly(ports[listener], first, part)).toBeLessThan(maxSent);
    }
    const whole = `${begin}X-Long: ${'x'.repeat(17_000)}`;
    expect(await statusOf(ports[listener], whole)).toBe(431);
  });

  const posts = [...routes, ['a report to OTA', 'devices', 'POST /xiaozhi/ota/', []] as const];
  test.each(posts.filter(([, , line]) => line.startsWith('POST')))(
    'in its body is ended, and leaves nothing in memory: %s',
    async (_name, listener, line) => {
      const headers = [`Host: 127.0.0.1:${ports[listener]}`, 'Transfer-Encoding: chunked', '', ''];
      const { heap: before } = await product.inspector.memory();
      const part = `10000\r\n${'x'.repeat(65_536)}\r\n`;
      const begin = [`${line} HTTP/1.1`, ...headers].join('\r\n');
      expect(await sendEndlessly(ports[listener], begin, part)).toBeLessThan(maxSent);
      expect((await product.inspector.memory()).heap - before).toBeLessThan(5);
    },
  );

  test('500 of them at once, in their headers or their body, leave others served', async () => {
    const { heap: before } = await product.inspector.memory();
    const begun = [
      '',
      'GET / HTTP/1.1\r\nHost: ',
      'POST /xiaozhi/ota/ HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{',
    ];
    const all = Array.from({ length: 500 }, (_, index) => {
      const port = Object.values(ports)[index % 3] ?? 0;
      const socket = connect(port, '127.0.0.1', () => socket.write(begun[Math.floor(index / 3) % begun.length] ?? ''));
      return socket.on('error', () => {}).resume();
    });
    await Promise.all(all.map((socket) => once(socket, 'connect')));
    expect((await fetch(`http://127.0.0.1:${ports.devices}/xiaozhi/ota/`)).status).toBe(200);
    expect((await product.client.settings.get()).theme).toBe('system');
    expect((await product.inspector.memory()).heap - before).toBeLessThan(20);
    for (const socket of all) socket.destroy();
  });
});

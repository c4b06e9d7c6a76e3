/** Attacks on the listeners that anyone can reach: HTTP byte by byte. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
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

/** HTTP of whoever can reach the port: pages, rebound names, and requests that are not what they seem. */
import { describe, expect, test } from 'vitest';
import { badId, besiege, deep } from './support/besiege.ts';
import { askRaw, httpRequest, statusOf } from './support/rawHttp.ts';

const upgrade = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};
const routes: [name: string, line: string, headers: Record<string, string>][] = [
  ['OTA', 'POST /xiaozhi/ota/', { 'Device-Id': badId }],
  ['the WebSocket', 'GET /xiaozhi/v1/', { 'Device-Id': badId, ...upgrade }],
  ['pictures', 'POST /mcp/vision/explain', { 'Device-Id': badId }],
  ['pictures of a screen', 'POST /mcp/vision/snapshot/x', {}],
];

describe.each(routes)('a page or a rebound name at %s', (_name, line, headers) => {
  test.each([
    ['Origin', 'https://evil.example', 403],
    ['Origin', 'null', 403],
    ['Origin', '', 403],
    ['Host', 'evil@127.0.0.1', 421],
    ['Host', 'localhost.', 421],
    ['Host', 'evil.example', 421],
    ['Host', '127.0.0.1.evil.example:80', 421],
    ['Host', '', 421],
  ])('%s "%s" is refused with %i and becomes no device', async (header, value, status) => {
    const siege = await besiege();
    const answer = await askRaw(siege.port, httpRequest(line, { headers: { ...headers, [header]: value } }));
    expect(statusOf(answer)).toBe(status);
    expect(siege.hub.device(badId)).toBeUndefined();
    await siege.calm();
  });
});

describe('HTTP that is not what it seems', () => {
  const ota = 'POST /xiaozhi/ota/ HTTP/1.1\r\nHost: 127.0.0.1\r\n';
  const inner = 'GET /xiaozhi/ota/ HTTP/1.1\r\nHost: 127.0.0.1\r\nDevice-Id: smuggled\r\n\r\n';
  test.each([
    ['both lengths', `${ota}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`, 400],
    ['two lengths', `${ota}Content-Length: 0\r\nContent-Length: 9\r\n\r\n${inner}`, 400],
    ['chunked, but not last', `${ota}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${inner}`, 400],
    ['a length that is none', `${ota}Content-Length: +0\r\n\r\n${inner}`, 400],
    ['a space before the colon', `${ota}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${inner}`, 400],
    ['a chunk size that is none', `${ota}Transfer-Encoding: chunked\r\n\r\n0x1\r\nz\r\n0\r\n\r\n${inner}`, 400],
    ['headers of 17 KiB', `${ota}X-Long: ${'x'.repeat(17 * 1024)}\r\n\r\n`, 431],
    ['two Hosts', `${ota}Host: evil.example\r\n\r\n`, 400],
    ['an absolute target', 'GET http://evil.example/xiaozhi/ota/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', 400],
  ])('%s is refused, and nothing behind it is heard', async (_what, request, status) => {
    const siege = await besiege();
    const answer = await askRaw(siege.port, request);
    expect(statusOf(answer)).toBe(status);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(siege.hub.device('smuggled')).toBeUndefined();
    await siege.calm();
  });

  test('a body 8,000 deep, and one that is too large, are answered', async () => {
    const siege = await besiege();
    const line = 'POST /xiaozhi/ota/';
    const nested = `{"a":${'['.repeat(8_000)}${']'.repeat(8_000)}}`;
    expect(statusOf(await askRaw(siege.port, httpRequest(line, { body: nested })))).toBe(200);
    expect(statusOf(await askRaw(siege.port, httpRequest(line, { body: deep('1') })))).toBe(413);
    await siege.calm();
  });
});

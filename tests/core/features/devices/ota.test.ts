import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { originFor } from '../../../../src-core/features/devices/listener/deviceAddresses.ts';
import { otaAnswer } from '../../../../src-core/features/devices/ota/otaAnswer.ts';
import { openHub } from './support/openHub.ts';
import { connectScripted } from './support/scriptedDevice.ts';

const systemInfo = (version: unknown) => ({
  version: 2,
  mac_address: '02:00:00:aa:bb:cc',
  application: { name: 'xiaozhi', version },
  board: { type: 'wifi', name: 'desk-board', ssid: 's' },
});

/** A request with just these headers, as a board sends it. */
function post(
  url: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; raw: string; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      url,
      {
        method: 'POST',
        agent: false,
        headers: {
          'Device-Id': '02:00:00:aa:bb:cc',
          Connection: 'close',
          'Content-Length': Buffer.byteLength(body),
          ...headers,
        },
      },
      (response) =>
        void readText(response).then(
          (raw) => resolve({ status: response.statusCode ?? 0, raw, headers: response.headers }),
          reject,
        ),
    );
    request.on('error', reject);
    request.end(body);
  });
}

test('offers the protocol version that is chosen for the device, and 1 to every other', async () => {
  const chosen: Record<string, 1 | 2 | 3> = { '02:00:00:aa:bb:cc': 3 };
  const { otaUrl } = await openHub({ offeredProtocol: (deviceId) => chosen[deviceId] });
  const versionFor = async (deviceId: string): Promise<unknown> => {
    const { raw } = await post(otaUrl, JSON.stringify(systemInfo('2.4.2')), { 'Device-Id': deviceId });
    return (JSON.parse(raw) as { websocket: { version: unknown } }).websocket.version;
  };
  expect(await versionFor('02:00:00:AA:BB:CC')).toBe(3);
  expect(await versionFor('02:00:00:aa:bb:cd')).toBe(1);
  chosen['02:00:00:aa:bb:cc'] = 2;
  expect(await versionFor('02:00:00:aa:bb:cc')).toBe(2);
});

describe('OTA', () => {
  test('answers a board with what no client trips over', async () => {
    const { otaUrl, port } = await openHub();
    const { status, raw, headers } = await post(otaUrl, JSON.stringify(systemInfo('2.4.2')));
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json');
    expect(headers['content-length']).toBe(String(Buffer.byteLength(raw)));
    expect(raw.length).toBeLessThan(7_000);
    const answer = JSON.parse(raw) as Record<string, Record<string, unknown>>;
    expect(Object.keys(answer)).toEqual(['server_time', 'firmware', 'websocket']);
    expect(answer['firmware']).toEqual({ version: '2.4.2', url: '' });
    expect(answer['websocket']).toEqual({
      url: `ws://127.0.0.1:${port}/xiaozhi/v1/`,
      token: expect.any(String) as string,
      version: 1,
    });
    expect(answer['server_time']).toEqual({
      timestamp: expect.any(Number) as number,
      timezone_offset: expect.any(Number) as number,
    });
    for (const key of Object.keys(answer['websocket'] ?? {})) expect(key.length).toBeLessThanOrEqual(15);
  });

  test.each(['v2.4', '2.4.2-beta', 'latest', '', '1.', '99999999999.1', 7, null])(
    'echoes no version like %j, which firmware aborts on',
    async (version) => {
      const { otaUrl } = await openHub();
      expect(JSON.parse((await post(otaUrl, JSON.stringify(systemInfo(version)))).raw)).not.toHaveProperty('firmware');
    },
  );

  test('answers GET, an empty body, and the address without its last slash', async () => {
    const { otaUrl } = await openHub();
    for (const answer of [
      await fetch(otaUrl),
      await fetch(otaUrl, { method: 'POST' }),
      await fetch(otaUrl.slice(0, -1)),
    ]) {
      expect(await answer.json()).toHaveProperty('websocket.url');
    }
  });

  test.each([
    ['no JSON', '{{{'],
    ['no object', '[]'],
  ])('refuses a body that is %s with a sentence', async (_what, body) => {
    const { otaUrl } = await openHub();
    const { status, raw } = await post(otaUrl, body);
    expect([status, raw]).toEqual([400, expect.stringContaining('must be a JSON object')]);
  });

  test('returns the same token for a device each time', async () => {
    const { otaUrl } = await openHub();
    const token = async (id: string) =>
      (JSON.parse((await post(otaUrl, '{}', { 'Device-Id': id })).raw) as { websocket: { token: string } }).websocket
        .token;
    expect(await token('02:00:00:00:00:01')).toBe(await token('02:00:00:00:00:01'));
    expect(await token('02:00:00:00:00:01')).not.toBe(await token('02:00:00:00:00:02'));
  });

  test('refuses web pages, and answers an allowed test page with the CORS headers', async () => {
    const { otaUrl } = await openHub({ allowedOrigins: () => ['http://localhost:5173'] });
    expect((await post(otaUrl, '{}', { Origin: 'https://evil.example' })).status).toBe(403);
    const page = { Origin: 'http://localhost:5173', 'Access-Control-Request-Headers': 'device-id' };
    const preflight = await fetch(otaUrl, { method: 'OPTIONS', headers: page });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('client-id, content-type, device-id');
    expect((await post(otaUrl, '{}', { Host: 'rebound.example' })).status).toBe(421);
  });

  test('what a device told it names the device once it connects', async () => {
    const { otaUrl, wsUrl, device } = await openHub();
    await post(otaUrl, JSON.stringify(systemInfo('2.4.1')));
    const board = await connectScripted(wsUrl);
    expect(await device(({ state }) => state === 'hello')).toMatchObject({
      name: 'desk-board',
      board: 'desk-board',
      firmware: '2.4.1',
    });
    board.hello();
    expect(await device(({ state }) => state === 'ready')).toMatchObject({
      name: 'desk-board',
      registryId: 'host-sim-aabbcc',
    });
  });
});

test.each([
  ['127.0.0.1', 'ws://127.0.0.1:8000/xiaozhi/v1/'],
  ['::ffff:192.168.1.4', 'ws://192.168.1.4:8000/xiaozhi/v1/'],
  ['::1', 'ws://[::1]:8000/xiaozhi/v1/'],
  ['fe80::1%eth0', 'ws://[fe80::1]:8000/xiaozhi/v1/'],
])('the WebSocket address reached over %s is %s', (localAddress, url) => {
  const answer = otaAnswer({
    origin: originFor({ socket: { localAddress, localPort: 8000 } } as IncomingMessage, { remote: false }),
    token: 't',
    version: undefined,
    protocol: 1,
    now: 0,
    timezoneOffset: 480,
  });
  expect(answer).toEqual({
    server_time: { timestamp: 0, timezone_offset: 480 },
    websocket: { url, token: 't', version: 1 },
  });
});

/** The cameras of the virtual devices, over real HTTP (docs/protocols/xiaozhi.md#vision). */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inflateSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../src-core/base/clock.ts';
import { createVirtualDeviceOf } from '../../../../src-core/features/devices/virtual/profiles.ts';
import { drawTestCard } from '../../../../src-core/features/devices/virtual/testCard/drawTestCard.ts';
import { pictureReceiver } from '../../../../src-core/features/vision/visionRoutes.ts';
import { VisionAccess } from '../../../../src-core/features/vision/visionAccess.ts';
import { VisionDesk } from '../../../../src-core/features/vision/visionDesk.ts';
import { invokeOptions, openHub } from './support/openHub.ts';
import { mcp, startXiaozhiServer } from '../../deviceSide/support/xiaozhiServer.ts';

const answer = '{"success":true,"action":"RESPONSE","response":"一只猫"}';

async function openVision(profile: string) {
  const access = new VisionAccess();
  const desk = new VisionDesk({
    clock: systemClock,
    policy: () => ({ answer: 'canned', cannedText: '一只猫' }),
    answerPicture: () => undefined,
    onChange: () => {},
  });
  const open = await openHub();
  open.hub.takePictures(pictureReceiver({ access, desk }));
  const device = createVirtualDeviceOf(profile, { url: open.wsUrl, deviceId: '02:00:00:00:00:42' });
  onTestFinished(() => device.close());
  await device.connect();
  const source = await open.registry();
  const call = (name: string, args: Record<string, string>) => source.invoke(name, args, invokeOptions());
  return { ...open, access, desk, call };
}

describe.each([
  ['firmware', 'self.camera.take_photo'],
  ['py-xiaozhi', 'take_photo'],
  ['py-xiaozhi', 'take_screenshot'],
])('%s, %s', (profile, tool) => {
  test('posts a real picture with its question and returns the answer unchanged', async () => {
    const { call, desk, device } = await openVision(profile);
    expect((await call(tool, { question: '这是什么？' })).value).toBe(answer);
    const [request] = desk.list();
    expect(request).toMatchObject({
      deviceId: '02:00:00:00:00:42',
      deviceName: (await device(() => true)).name,
      question: '这是什么？',
      mediaType: 'image/png',
      state: 'answered',
    });
    expect(desk.picture(request?.id ?? '').data.length).toBeGreaterThan(500);
  });
});

test('a board posts its screen to the address that it is given, once', async () => {
  const { call, access, desk } = await openVision('firmware');
  const ticket = access.expectSnapshot('02:00:00:00:00:42');
  expect((await call('self.screen.snapshot', { url: ticket.url })).value).toBe('true');
  expect(desk.list()).toMatchObject([{ id: ticket.pictureId(), kind: 'snapshot' }]);
  await expect(call('self.screen.snapshot', { url: ticket.url })).rejects.toMatchObject({
    info: { details: { deviceMessage: 'Unexpected status code: 404' } },
  });
});

/** Connects a device to a server of the test's, which names an address of the test's for pictures. */
async function withCamera(profile: string, respond: RequestListener) {
  const http = createServer(respond).listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const { url, visit } = await startXiaozhiServer();
  const device = createVirtualDeviceOf(profile, { url, deviceId: '02:00:00:00:00:42' });
  onTestFinished(() => device.close());
  await device.connect();
  const server = await visit(0);
  const take = (id: number) =>
    server.send(
      mcp(id, 'tools/call', {
        name: profile === 'firmware' ? 'self.camera.take_photo' : 'take_photo',
        arguments: { question: '?' },
      }),
    );
  const { port } = http.address() as AddressInfo;
  const initialize = () =>
    server.send(mcp(1, 'initialize', { capabilities: { vision: { url: `http://127.0.0.1:${port}/x`, token: 't' } } }));
  return { ...server, take, initialize };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
}

test.each([
  ['firmware', '"error":{"message":"Image explain URL or token is not set"}'],
  ['py-xiaozhi', String.raw`{\"success\": false, \"message\": \"`],
])('%s cannot take a photo before initialize, and says so in its way', async (profile, words) => {
  const { take, frame } = await withCamera(profile, (_request, response) => response.end(answer));
  take(5);
  expect(await frame('"id":')).toContain(words);
});

describe('on the wire of the picture', () => {
  test('a board posts in pieces, with the boundary of its firmware', async () => {
    const seen = Promise.withResolvers<{ request: IncomingMessage; body: string }>();
    const { take, initialize, frame } = await withCamera('firmware', (request, response) => {
      void bodyOf(request).then((body) => {
        seen.resolve({ request, body });
        response.end(answer);
      });
    });
    initialize();
    take(5);
    const { request, body } = await seen.promise;
    expect(request.headers).toMatchObject({
      'content-type': 'multipart/form-data; boundary=----ESP32_CAMERA_BOUNDARY',
      'transfer-encoding': 'chunked',
      'device-id': '02:00:00:00:00:42',
      authorization: 'Bearer t',
    });
    expect(request.headers['content-length']).toBeUndefined();
    expect(body.indexOf('name="question"')).toBeLessThan(body.indexOf('name="file"; filename="camera.jpg"'));
    expect(body).toMatch(/^------ESP32_CAMERA_BOUNDARY\r\n/);
    expect(body).toMatch(/\r\n------ESP32_CAMERA_BOUNDARY--\r\n$/);
    expect(await frame('"id":5')).toContain(JSON.stringify(answer));
  });

  test('py-xiaozhi posts whole, with its length', async () => {
    const seen = Promise.withResolvers<{ request: IncomingMessage; body: string }>();
    const { take, initialize, frame } = await withCamera('py-xiaozhi', (request, response) => {
      void bodyOf(request).then((body) => {
        seen.resolve({ request, body });
        response.end(answer);
      });
    });
    initialize();
    take(5);
    const { request, body } = await seen.promise;
    expect(request.headers['content-length']).toBe(String(body.length));
    expect(request.headers['transfer-encoding']).toBeUndefined();
    await frame('"id": 5');
  });

  test.each([
    ['firmware', 503, '"error":{"message":"Failed to upload photo, status code: 503"}'],
    ['py-xiaozhi', 503, String.raw`\"message\": \"Failed to upload photo: 503\"`],
  ])('%s tells of status %d in its way', async (profile, status, words) => {
    const { take, initialize, frame } = await withCamera(profile, (request, response) => {
      request.resume();
      response.writeHead(status).end('busy');
    });
    initialize();
    await frame('serverInfo');
    take(5);
    expect(await frame(profile === 'firmware' ? '"id":5' : '"id": 5')).toContain(words);
  });

  test('a device that is closed half-way stops to wait', async () => {
    const asked = Promise.withResolvers<IncomingMessage>();
    const { take, initialize, socket } = await withCamera('firmware', (request) => asked.resolve(request));
    initialize();
    take(5);
    const request = await asked.promise;
    const gone = once(request.socket, 'close');
    socket.terminate();
    await gone;
  });
});

test('the test card is a PNG of 320 × 240 that is another each second', () => {
  const at = new Date(2026, 10, 22, 10, 40, 12);
  const card = Buffer.from(drawTestCard({ title: 'Virtual camera', at }).data);
  expect(card.toString('latin1', 0, 8)).toBe('\u0089PNG\r\n\u001a\n');
  expect([card.readUInt32BE(16), card.readUInt32BE(20)]).toEqual([320, 240]);
  const data = card.indexOf('IDAT');
  const rows = inflateSync(card.subarray(data + 4, data + 4 + card.readUInt32BE(data - 4)));
  expect(rows.length).toBe(321 * 240);
  expect(new Set(rows).size).toBeGreaterThan(20);
  expect(drawTestCard({ title: 'Virtual camera', at }).data).toEqual(
    drawTestCard({ title: 'Virtual camera', at }).data,
  );
  const later = drawTestCard({ title: 'Virtual camera', at: new Date(at.getTime() + 1_000) });
  expect(Buffer.from(later.data).equals(card)).toBe(false);
  expect(() => drawTestCard({ title: '书房'.repeat(50), at: new Date(NaN) })).toThrow(RangeError);
});

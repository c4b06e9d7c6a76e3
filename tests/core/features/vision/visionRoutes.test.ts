import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../../src-core/base/clock.ts';
import { pictureReceiver } from '../../../../src-core/features/vision/visionRoutes.ts';
import { VisionAccess } from '../../../../src-core/features/vision/visionAccess.ts';
import { VisionDesk } from '../../../../src-core/features/vision/visionDesk.ts';
import type { VisionDeskOptions } from '../../../../src-core/features/vision/visionDesk.ts';
import { openHub } from '../devices/support/openHub.ts';
import { connectScripted } from '../devices/support/scriptedDevice.ts';

const id = '02:00:00:aa:bb:cc';
const boundary = '----ESP32_CAMERA_BOUNDARY';
const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(2_000, 0x0d)]);

/** The pieces of a form as a board writes them, one a write. */
function pieces(picture: Buffer, question = '这是什么？'): Buffer[] {
  return [
    `--${boundary}\r\nContent-Disposition: form-data; name="question"\r\n\r\n${question}\r\n`,
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="camera.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`,
    picture,
    `\r\n--${boundary}--`,
    '\r\n',
  ].map((piece) => Buffer.from(piece));
}

interface Posted {
  status: number | undefined;
  headers: Record<string, unknown>;
  text: string;
}

/** Posts chunked, as boards do. */
async function post(url: string, body: readonly Buffer[], headers: Record<string, string> = {}): Promise<Posted> {
  const request = httpRequest(url, {
    method: 'POST',
    headers: {
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      'Transfer-Encoding': 'chunked',
      ...headers,
    },
  });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  for (const piece of body) if (!request.write(piece)) await Promise.race([once(request, 'drain'), answered]);
  request.end();
  const [response] = await answered;
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() };
}

async function openBoard(more: Partial<VisionDeskOptions> = {}) {
  const access = new VisionAccess();
  const desk = new VisionDesk({
    clock: systemClock,
    policy: () => ({ answer: 'canned', cannedText: '一只猫' }),
    answerPicture: () => undefined,
    onChange: () => {},
    ...more,
  });
  const open = await openHub();
  open.hub.takePictures(pictureReceiver({ access, desk }));
  const board = await connectScripted(open.wsUrl);
  board.hello();
  await open.registry();
  const { vision } = (board.requests[0]?.params?.['capabilities'] ?? {}) as { vision: { url: string; token: string } };
  const headers = { 'Device-Id': id, 'Client-Id': 'c', Authorization: `Bearer ${vision.token}` };
  return { ...open, access, desk, board, vision, headers };
}

describe('the place that initialize names', () => {
  test('is where the device reached us, and takes a picture with its question', async () => {
    const { vision, headers, desk, port, hub } = await openBoard();
    expect(vision.url).toBe(`http://127.0.0.1:${port}/mcp/vision/explain`);
    const { status, headers: answered, text } = await post(vision.url, pieces(jpeg), headers);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({ success: true, action: 'RESPONSE', response: '一只猫' });
    expect(answered).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    });
    const [request] = desk.list();
    expect(request).toMatchObject({
      deviceId: id,
      deviceName: 'host-sim',
      question: '这是什么？',
      mediaType: 'image/jpeg',
      bytes: jpeg.length,
    });
    expect(desk.picture(request?.id ?? '').data.equals(jpeg)).toBe(true);
    const notes = hub.frames({ limit: 50 }).filter(({ type }) => type === 'note');
    expect(notes.map(({ direction, text: line }) => [direction, line])).toEqual([
      ['in', '这是什么？'],
      ['out', '一只猫'],
    ]);
  });

  test('keeps its token out of the log', async () => {
    const { hub, vision } = await openBoard();
    expect(JSON.stringify(hub.frames({ limit: 50 }))).not.toContain(vision.token);
  });

  test('has another token for each connection, and an ended one is good no longer', async () => {
    const { vision, headers, board, wsUrl, device } = await openBoard();
    board.socket.terminate();
    await device(({ state }) => state === 'closed');
    const answered = await post(vision.url, [], headers);
    expect(answered.status).toBe(401);
    const next = await connectScripted(wsUrl);
    next.hello();
    await device(({ state }) => state === 'ready');
    const again = (next.requests[0]?.params?.['capabilities'] ?? {}) as typeof headers & { vision: typeof vision };
    expect(again.vision.token).not.toBe(vision.token);
  });
});

describe('a picture is not taken', () => {
  test.each<[string, Record<string, string>]>([
    ['without a token', { Authorization: '' }],
    ['with another token', { Authorization: 'Bearer AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ["with another device's token", { 'Device-Id': '02:00:00:00:00:01' }],
  ])('%s', async (_what, more) => {
    const { vision, headers, desk } = await openBoard();
    const { status, text } = await post(vision.url, pieces(jpeg), { ...headers, ...more });
    expect([status, (JSON.parse(text) as { success: boolean }).success]).toEqual([401, false]);
    expect(desk.list()).toEqual([]);
  });

  test('with a token in the query', async () => {
    const { vision, desk } = await openBoard();
    const url = `${vision.url}?authorization=Bearer%20${vision.token}`;
    expect((await post(url, pieces(jpeg))).status).toBe(401);
    expect(desk.list()).toEqual([]);
  });

  test.each<[string, Record<string, string>, number]>([
    ['a foreign page', { Origin: 'http://evil.example' }, 403],
    ['a page without an origin', { Origin: 'null' }, 403],
    ['a name that is not ours', { Host: 'evil.example' }, 421],
  ])('from %s', async (_what, more, status) => {
    const { vision, headers } = await openBoard();
    expect((await post(vision.url, pieces(jpeg), { ...headers, ...more })).status).toBe(status);
  });

  test.each<[string, Buffer[], Record<string, string>, string]>([
    ['is none', pieces(Buffer.from('<svg onload=alert(1)>')), {}, 'no JPEG'],
    ['is missing', pieces(jpeg).toSpliced(1, 2), {}, 'no part "file"'],
    ['is in no form', [jpeg], {}, 'boundary'],
    ['is JSON', [Buffer.from('{}')], { 'Content-Type': 'application/json' }, 'multipart/form-data'],
    ['ends half-way', pieces(jpeg).slice(0, 3), {}, 'before its last boundary'],
    ['has a question of 17 kB', pieces(jpeg, 'x'.repeat(17 * 1024)), {}, 'question has more than'],
  ])('that %s, and the device is told with status 200', async (_what, body, more, reason) => {
    const { vision, headers, desk } = await openBoard();
    const { status, text } = await post(vision.url, body, { ...headers, ...more });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({
      success: false,
      action: 'ERROR',
      message: expect.stringContaining(reason) as string,
    });
    expect(desk.list()).toEqual([]);
  });

  test('that is larger than 8 MiB, and the rest of it is not waited for', async () => {
    const { vision, headers, desk, port } = await openBoard();
    const socket = connect(port, '127.0.0.1');
    // The server resets the connection; all of the answer came before.
    socket.on('error', () => undefined);
    const head = Object.entries({
      ...headers,
      Host: '127.0.0.1',
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
    });
    socket.write(`POST ${new URL(vision.url).pathname} HTTP/1.1\r\n`);
    for (const [name, value] of head) socket.write(`${name}: ${value}\r\n`);
    socket.write('Content-Length: 900000000\r\n\r\n');
    let text = '';
    for await (const chunk of socket as AsyncIterable<Buffer>) text += chunk.toString();
    expect(text).toMatch(/^HTTP\/1.1 200 .*"success":false.*larger than/s);
    expect(desk.list()).toEqual([]);
  });

  test('by any other method than POST', async () => {
    const { vision } = await openBoard();
    expect((await fetch(vision.url)).status).toBe(405);
  });
});

test('the user answers while the device waits', async () => {
  let asked = (): void => undefined;
  const waits = new Promise<void>((resolve) => (asked = resolve));
  const { vision, headers, desk } = await openBoard({
    policy: () => ({ answer: 'hand', cannedText: '' }),
    onChange: () => desk?.list()[0]?.waitsUntil !== undefined && asked(),
  });
  const posted = post(vision.url, pieces(jpeg), headers);
  await waits;
  desk.answer(desk.list()[0]?.id ?? '', 'a dog');
  expect(JSON.parse((await posted).text)).toMatchObject({ success: true, response: 'a dog' });
});

test('a device that disconnects during a question leaves a failed question', async () => {
  const states: (string | undefined)[] = [];
  let changed = (): void => undefined;
  const until = (state: string) =>
    new Promise<void>((resolve) => {
      changed = () => {
        if (states.at(-1) === state) resolve();
      };
      changed();
    });
  const { vision, headers, desk } = await openBoard({
    policy: () => ({ answer: 'hand', cannedText: '' }),
    onChange: () => {
      states.push(desk.list()[0]?.waitsUntil === undefined ? desk.list()[0]?.state : 'asked');
      changed();
    },
  });
  const request = httpRequest(vision.url, {
    method: 'POST',
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}`, ...headers },
  });
  request.on('error', () => undefined);
  request.end(Buffer.concat(pieces(jpeg)));
  await until('asked');
  request.destroy();
  await until('failed');
  expect(desk.list()[0]?.error).toContain('disconnected');
});

describe("a picture of the device's screen", () => {
  test('is accepted once at its own address without credentials', async () => {
    const { access, desk } = await openBoard();
    const ticket = access.expectSnapshot(id);
    expect(new URL(ticket.url).pathname).toMatch(/^\/mcp\/vision\/snapshot\/[\w-]{32}$/);
    const { status, text } = await post(ticket.url, pieces(jpeg).slice(1));
    expect([status, JSON.parse(text)]).toEqual([200, expect.objectContaining({ success: true })]);
    expect(desk.list()[0]).toMatchObject({ id: ticket.pictureId(), kind: 'snapshot', deviceId: id, state: 'answered' });
    expect((await post(ticket.url, pieces(jpeg))).status).toBe(404);
    expect(desk.list()).toHaveLength(1);
  });

  test('comes to no address that has ended, or was never made', async () => {
    const { access, port, desk } = await openBoard();
    const ticket = access.expectSnapshot(id);
    ticket.end();
    expect((await post(ticket.url, pieces(jpeg))).status).toBe(404);
    expect((await post(`http://127.0.0.1:${port}/mcp/vision/snapshot/`, pieces(jpeg))).status).toBe(404);
    expect((await post(`http://127.0.0.1:${port}/mcp/vision/snapshot/__proto__`, pieces(jpeg))).status).toBe(404);
    expect(desk.list()).toEqual([]);
    expect(ticket.pictureId()).toBeUndefined();
  });

  test('cannot be asked of a device that is not connected', async () => {
    const { access, board, device } = await openBoard();
    expect(() => access.expectSnapshot('02:00:00:00:00:01')).toThrow(/not connected/);
    board.socket.terminate();
    await device(({ state }) => state === 'closed');
    expect(() => access.expectSnapshot(id)).toThrow(/not connected/);
  });
});

test('only so many pictures are taken in at once', async () => {
  const { vision, headers } = await openBoard();
  const open = await Promise.all(
    Array.from({ length: 16 }, async () => {
      const request = httpRequest(vision.url, {
        method: 'POST',
        headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}`, Expect: '100-continue', ...headers },
      });
      request.on('error', () => undefined);
      request.flushHeaders();
      await once(request, 'continue');
      return request;
    }),
  );
  const { text } = await post(vision.url, pieces(jpeg), headers);
  expect(JSON.parse(text)).toMatchObject({ success: false, message: expect.stringContaining('Too many') as string });
  for (const request of open) request.destroy();
});

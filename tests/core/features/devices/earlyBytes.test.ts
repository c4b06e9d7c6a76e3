/** What a device may send before its hello is answered. */
import { expect, onTestFinished, test, vi } from 'vitest';

import { openRawWebSocket, rawFrame } from '../../../helpers/rawWebSocket.ts';
import { badId, besiege, intrude, type Besieged } from './support/besiege.ts';

const kib = 1_024;
const limits = { closeGraceMs: 50 };
const hello = '{"type":"hello","features":{"mcp":true},"transport":"websocket"}';

function becomes({ hub }: Besieged, state: string): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (hub.device(badId)?.state !== state) return;
      stop();
      resolve();
    };
    const stop = hub.onChange(check);
    check();
  });
}

/** Collects what the server says until it ends the connection. */
async function lastWords(socket: Awaited<ReturnType<typeof openRawWebSocket>>): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString('latin1');
}

/** A close frame with code 1009. */
const closed1009 = '\u0003\u00f1too-much-data';

const piece = 'x'.repeat(5 * kib);
const floods: [string, Buffer[]][] = [
  ['one text frame', [rawFrame('x'.repeat(17 * kib))]],
  ['one binary frame', [rawFrame(Buffer.alloc(17 * kib), { opcode: 2 })]],
  ['the beginning of a frame of 1 MiB', [rawFrame('x'.repeat(17 * kib), { length: kib * kib })]],
  ['binary frames that are small alone', Array.from({ length: 4 }, () => rawFrame(piece, { opcode: 2 }))],
  [
    'pieces of a message',
    Array.from({ length: 4 }, (_, at) => rawFrame(piece, { opcode: at === 0 ? 1 : 0, fin: false })),
  ],
  ['pings', Array.from({ length: 3_000 }, () => rawFrame('', { opcode: 9 }))],
  ['empty text frames', Array.from({ length: 3_000 }, () => rawFrame(''))],
];

test.each(floods)('%s while it waits for approval ends the connection, unparsed', async (_what, frames) => {
  const siege = await besiege({ remote: true, limits });
  const headers = { 'Device-Id': badId, Authorization: `Bearer ${siege.hub.accessToken()}` };
  const socket = await openRawWebSocket({ port: siege.port, path: '/xiaozhi/v1/', headers });
  socket.write(rawFrame(hello));
  await becomes(siege, 'approval');
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  socket.write(Buffer.concat(frames));
  expect(await lastWords(socket)).toContain(closed1009);
  const info = siege.hub.device(badId);
  expect(parse.mock.calls).toEqual([]);
  expect(info?.doctor.cause).toBe('too-much-data');
  expect(info?.error?.message).toContain('It sent more than 16 kB before its hello was answered.');
  const logged = await siege.framesOf(badId);
  expect(logged.map(({ summary }) => summary)).toContain('1009 too-much-data');
  expect(logged.length).toBeLessThan(10);
  await siege.serves();
});

test.each(floods)('%s in place of a hello ends the connection, unparsed', async (_what, frames) => {
  const siege = await besiege({ limits });
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const socket = await openRawWebSocket({ port: siege.port, path: '/xiaozhi/v1/', headers: { 'Device-Id': badId } });
  socket.write(Buffer.concat(frames));
  expect(await lastWords(socket)).toContain(closed1009);
  expect(parse.mock.calls).toEqual([]);
  expect(siege.hub.device(badId)?.doctor.cause).toBe('too-much-data');
  await siege.calm();
});

test('a device without a token gets no connection to send on', async () => {
  const siege = await besiege({ remote: true, limits });
  const options = { port: siege.port, path: '/xiaozhi/v1/', headers: { 'Device-Id': badId } };
  await expect(openRawWebSocket(options)).rejects.toThrow('HTTP/1.1 401 Unauthorized');
  expect(siege.hub.device(badId)?.doctor.cause).toBe('no-token');
  await siege.calm();
});

test('accepts 16 kB before the approval; the limit ends with the approval', async () => {
  const siege = await besiege({ remote: true, limits });
  const headers = { 'Device-Id': badId, Authorization: `Bearer ${siege.hub.accessToken()}` };
  const device = await intrude(siege, { headers });
  device.hello();
  await becomes(siege, 'approval');
  for (let index = 0; index < 15; index += 1) device.socket.send(Buffer.alloc(kib));
  siege.hub.approve(badId);
  await becomes(siege, 'ready');
  device.send({ type: 'custom', payload: 'x'.repeat(400 * kib) });
  device.send({ type: 'ping' });
  await device.frame(({ type }) => type === 'pong');
  device.socket.terminate();
  await siege.calm();
});

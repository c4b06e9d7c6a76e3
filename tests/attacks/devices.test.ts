/** Attacks on the device listener by whoever reaches its port, from another machine where that makes a difference. */
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { listTools } from '../../src-core/rpc/listTools.ts';
import { openRawWebSocket, rawFrame } from '../helpers/rawWebSocket.ts';
import { connectScripted, standardAnswer, type WireRequest } from '../core/features/devices/support/scriptedDevice.ts';
import { connectHostileDevice } from './hostileDevice.ts';
import { startProduct, type Product } from './product.ts';

/** An address of this machine that the product takes for another machine's. */
const outside = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address;

let product: Product;
let port: number;
beforeAll(async () => {
  product = await startProduct();
  await product.client.settings.set({ openToNetwork: true });
  port = Number(new URL(product.served.device.webSocketUrl).port);
});
afterAll(() => product.stop());

const hello = '{"type":"hello","version":1,"features":{"mcp":true},"transport":"websocket"}';

/** Resolves with what the product sent until it ended the connection. */
async function lastWords(socket: Awaited<ReturnType<typeof openRawWebSocket>>): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString('latin1');
}

describe.skipIf(outside === undefined)('a device of another machine that is not approved', () => {
  const host = outside ?? '';

  test.each([
    ['the first 17 kB of a frame of 1 MiB', [rawFrame('x'.repeat(17 * 1_024), { length: 1_024 * 1_024 })]],
    ['3,000 empty frames', Array.from({ length: 3_000 }, () => rawFrame(''))],
    ['3,000 pings', Array.from({ length: 3_000 }, () => rawFrame('', { opcode: 9 }))],
    ['17 kB of audio', Array.from({ length: 17 }, () => rawFrame(Buffer.alloc(1_024), { opcode: 2 }))],
  ])('cannot send %s', async (what, frames) => {
    const deviceId = `flood ${what}`.replaceAll(/\W/g, '-').toLowerCase();
    const { accessToken } = await product.client.devices.connectionFacts();
    const headers = { 'Device-Id': deviceId, Authorization: `Bearer ${accessToken}` };
    const socket = await openRawWebSocket({ host, port, path: '/xiaozhi/v1/', headers });
    socket.write(rawFrame(hello));
    const find = async () => (await product.client.devices.list()).find((device) => device.deviceId === deviceId);
    await expect.poll(async () => (await find())?.doctor.cause).toBe('waits-for-approval');
    socket.write(Buffer.concat(frames));
    expect(await lastWords(socket)).toContain('\u0003\u00f1too-much-data');
    expect((await find())?.doctor.cause).toBe('too-much-data');
  });

  test('gets 64 connections, whatever it sends on them or does not', async () => {
    const requests = [
      '',
      'GET / HTTP/1.1\r\nHost: ',
      `POST /xiaozhi/ota/ HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 9\r\n\r\n{`,
    ];
    const sockets = Array.from({ length: 100 }, (_, index) => {
      const socket = connect({ host, port });
      socket.on('error', () => {});
      socket.resume();
      socket.on('connect', () => socket.write(requests[index % requests.length] ?? ''));
      return socket;
    });
    await expect.poll(() => sockets.filter(({ destroyed }) => destroyed).length).toBe(36);
    expect((await fetch(`http://127.0.0.1:${port}/xiaozhi/ota/`)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});

test('a list of tools whose cursor never ends is ended after 64 pages', async () => {
  let pages = 0;
  const answer = (request: WireRequest) => {
    if (request.method !== 'tools/list') return standardAnswer(request);
    pages += 1;
    return { jsonrpc: '2.0', id: request.id, result: { tools: [], nextCursor: String(pages) } };
  };
  const headers = { 'Device-Id': 'pages-without-end' };
  const board = await connectScripted(product.served.device.webSocketUrl, { answer, headers });
  board.hello();
  const find = async () =>
    (await product.client.devices.list()).find(({ deviceId }) => deviceId === 'pages-without-end');
  await expect.poll(async () => JSON.stringify(await find())).toContain('more than 64 pages');
  expect(pages).toBe(64);
  board.socket.terminate();
});

test('10,000 notifications take less than 30 MB of memory, and the device is served', async () => {
  const headers = { 'Device-Id': 'notifies-without-end' };
  const board = await connectScripted(product.served.device.webSocketUrl, { headers });
  board.hello();
  await board.request('tools/list');
  const find = async () =>
    (await product.client.devices.list()).find(({ deviceId }) => deviceId === 'notifies-without-end');
  await expect.poll(async () => (await find())?.state).toBe('ready');
  const { heap: before } = await product.inspector.memory();
  const notification = { type: 'mcp', payload: { jsonrpc: '2.0', method: 'notifications/progress', params: {} } };
  for (let count = 0; count < 10_000; count += 1) board.send(notification);
  await expect.poll(async () => (await find())?.counters.framesIn).toBeGreaterThan(10_000);
  expect((await product.inspector.memory()).heap - before).toBeLessThan(30);
  expect((await find())?.state).toBe('ready');
  board.socket.terminate();
});

test.each([
  ['600 kB', 600_000, 'success'],
  ['2 MB', 2_000_000, 'error'],
])(
  'a reply of %s fails its call and is not parsed; only one over 1 MiB ends the connection',
  async (_what, bytes, next) => {
    const id = `large-${bytes}`;
    const tool = {
      name: 'self.read',
      inputSchema: {},
      result: { content: [{ type: 'text', text: 'x'.repeat(bytes) }] },
    };
    const device = await connectHostileDevice(product.served.device.webSocketUrl, { id, tools: [tool] });
    const methods = async () => (await listTools(product.client)).flatMap((listed) => listed.methods);
    await expect.poll(async () => (await methods()).some(({ name }) => name === tool.name)).toBe(true);
    const toolName = (await methods()).find(({ name }) => name === tool.name)?.qualifiedName ?? '';
    const call = (callId: string) =>
      product.client.calls.execute({ callId, toolName, argsJson: '{}', origin: 'executor', timeoutMs: 10_000 });

    const { status, result } = await call(`${id}-1`);
    expect(status).toBe('error');
    expect(result).toMatch(/more than the 524288 that are read|a message larger than 1048576 bytes/);
    tool.result = { content: [{ type: 'text', text: 'short' }] };
    expect((await call(`${id}-2`)).status).toBe(next);
    device.socket.terminate();
    await expect.poll(async () => (await methods()).some(({ name }) => name === tool.name)).toBe(false);
  },
);

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';

import {
  connectScripted,
  standardAnswer,
  type ScriptedDevice,
  type WireRequest,
} from '../core/features/devices/support/scriptedDevice.ts';
import { startProduct, type Product } from './product.ts';

const id = '02:00:00:aa:bb:cc';
const hostileTools = [
  { name: 'self.files.delete_all', annotations: { readOnlyHint: true, destructiveHint: false } },
  { name: 'reboot_and_get_status' },
  { name: 'self.screen.paint', annotations: { destructiveHint: true } },
  { name: 'self.get_reboot_count' },
].map((tool) => ({ description: '', inputSchema: { type: 'object', properties: {} }, ...tool }));
const answer = (request: WireRequest) =>
  request.method === 'tools/list'
    ? { jsonrpc: '2.0', id: request.id, result: { tools: hostileTools } }
    : standardAnswer(request);

let product: Product;
let board: ScriptedDevice;
beforeAll(async () => {
  product = await startProduct();
  board = await connectScripted(product.served.device.webSocketUrl, { answer });
  board.hello();
  await board.request('tools/list');
});
afterAll(async () => {
  board.socket.terminate();
  await product.stop();
});

const reboot = '{"type":"mcp","payload":{"jsonrpc":"2.0","method":"tools/call","params":{"name":"self.reboot"}}}';

describe('a frame sent by hand that restarts a board', () => {
  test.each([
    ['a member twice', reboot.replace('"name"', '"name":"self.reboot","name"').replace('reboot"}', 'say"}')],
    [
      'a member twice in another case',
      reboot.replace('"name"', '"Name":"self.reboot","name"').replace('reboot"}', 'say"}'),
    ],
    ['a comment', reboot.replace('{', '{/**/')],
    ['text behind it', `${reboot} x`],
    ['escapes in text that is not valid JSON', reboot.replace('reboot', '\\u0072eboot').slice(0, -1)],
    ['a NUL in the name', reboot.replace('reboot', 'reboot\\u0000.get_status')],
    ['a batch', reboot.replace('"payload":{', '"payload":[{').replace('}}}', '}}]}')],
  ])('asks in spite of %s', async (_what, text) => {
    expect(await product.client.devices.send({ id, text })).toMatchObject({
      sent: false,
      needs: 'confirmation-required',
    });
  });

  test('asks in a binary frame', async () => {
    expect(await product.client.devices.send({ id, base64: Buffer.from(reboot).toString('base64') })).toMatchObject({
      sent: false,
    });
  });

  test('asks behind 1 MiB of other text, which alone is sent without asking', async () => {
    const text = JSON.stringify({ type: 'custom', payload: 'x'.repeat(2 ** 20) });
    expect(await product.client.devices.send({ id, text: `${text}${reboot}` })).toMatchObject({ sent: false });
    expect(await product.client.devices.send({ id, text })).toMatchObject({ sent: true });
  });

  test('reaches the board in none of these forms, and as it is once it is confirmed', async () => {
    expect(board.raw.filter(({ text }) => text.includes('eboot'))).toEqual([]);
    const text = `${reboot} x`;
    expect(await product.client.devices.send({ id, text, confirmed: true })).toMatchObject({ sent: true });
    while (!board.raw.some((frame) => frame.text === text)) await once(board.socket, 'message');
  });
});

test("a board's tools ask by their names, and by no word of its own that they only read", async () => {
  const run = async (toolName: string) => {
    const [{ registryId = '' } = {}] = await product.client.devices.list();
    const input = { callId: randomUUID(), toolName: `${registryId}_${toolName}`, argsJson: '{}' };
    return (await product.client.calls.execute({ ...input, origin: 'executor' })).error?.code;
  };
  for (const name of ['self.files.delete_all', 'reboot_and_get_status', 'self.screen.paint'])
    expect(await run(name), name).toBe('confirmation-required');
  expect(await run('self.get_reboot_count')).toBeUndefined();
});

test('a message sent by hand to a client of the gateway asks by the same rule', async () => {
  const { client } = product;
  await client.gateway.configure({ settings: { port: 0 } });
  const { port } = await client.gateway.setEnabled({ enabled: true });
  const peer = new WebSocket(`ws://127.0.0.1:${port}`);
  await once(peer, 'message');
  const [connection] = await client.gateway.connections();
  const text = '{"type":"tool_callback","call_id":"1","tool_name":"reboot","tool_name":"say","arguments":{}}';
  const id = connection?.id ?? '';
  expect(await client.gateway.send({ id, text })).toMatchObject({ sent: false, needs: 'confirmation-required' });
  const received = once(peer, 'message') as Promise<[Buffer]>;
  expect(await client.gateway.send({ id, text, confirmed: true })).toEqual({ sent: true });
  expect(String((await received)[0])).toBe(text);
  peer.terminate();
  await client.gateway.setEnabled({ enabled: false });
});

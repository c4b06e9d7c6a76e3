/** Attacks on the LLM gateway by whoever reaches its port. */
import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { openRawWebSocket, rawFrame } from '../helpers/rawWebSocket.ts';
import { startProduct, type Product } from './product.ts';

let product: Product;
let port: number;
beforeAll(async () => {
  product = await startProduct();
  await product.client.gateway.configure({ settings: { port: 0 } });
  ({ port } = await product.client.gateway.setEnabled({ enabled: true }));
});
afterAll(() => product.stop());

/** Resolves once the text of the frames that came holds this. */
async function says(socket: Awaited<ReturnType<typeof openRawWebSocket>>, text: string): Promise<string> {
  let said = '';
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    said += chunk.toString('latin1');
    if (said.includes(text)) return said;
  }
  return said;
}

test('10,000 frames in one segment, binary, broken and without an end, leave others served', async () => {
  const hostile = await openRawWebSocket({ port, path: '/' });
  const units = [rawFrame('{'), rawFrame('x', { opcode: 2 }), rawFrame('{"type":"ping"}'), rawFrame('', { opcode: 9 })];
  hostile.write(
    Buffer.concat(Array.from({ length: 10_000 }, (_, index) => units[index % units.length] ?? rawFrame(''))),
  );
  hostile.write(rawFrame('x'.repeat(1_000), { length: 1_000_000 }));
  const other = await openRawWebSocket({ port, path: '/' });
  other.write(rawFrame('{"type":"ping"}'));
  expect(await says(other, '"pong"')).toContain('"pong"');
  hostile.destroy();
});

test('tools of a connection that are too large together are refused', async () => {
  const client = await openRawWebSocket({ port, path: '/' });
  const tool = { name: 'large', description: 'x'.repeat(900_000), parameters: {} };
  const message = (name: string): Buffer =>
    rawFrame(JSON.stringify({ type: 'register_tools', tools: [{ ...tool, name }] }));
  client.write(Buffer.concat([message('one'), message('two')]));
  const said = await says(client, 'too large');
  expect(said).toContain('"count":1');
  expect(said).toContain('"name":"two","status":"failed"');
});

test('a message over 1 MiB closes the connection with 1009 before it has come', async () => {
  const client = await openRawWebSocket({ port, path: '/' });
  client.write(rawFrame('x', { length: 1_048_577 }));
  expect(await says(client, '\u0003\u00f1')).toContain('\u0003\u00f1');
});

test('a client that never reads is cut off before 16 MiB wait for it', async () => {
  const { gateway } = product.client;
  const known = new Set((await gateway.connections()).map(({ id }) => id));
  const client = await openRawWebSocket({ port, path: '/' });
  client.pause();
  const connected = async () => (await gateway.connections()).find((each) => !known.has(each.id));
  await expect.poll(connected).toBeDefined();
  const id = (await connected())?.id ?? '';
  const text = JSON.stringify({ type: 'custom', payload: 'x'.repeat(2 ** 20) });
  let taken = 0;
  while (taken < 64 && (await gateway.send({ id, text }).catch(() => ({ sent: false }))).sent) taken += 1;
  // 8 MiB in the product; the rest fits in the buffers of the system.
  expect(taken).toBeLessThan(32);
  await expect.poll(connected).toBeUndefined();
  const { rows } = await product.client.frames.page({ source: 'gateway', connection: id, limit: 100 });
  expect(rows.at(-1)?.summary).toContain('it does not read');
  client.destroy();
});

test('3,000 sessions that one connection opens are forgotten but for 1,001', async () => {
  const client = await openRawWebSocket({ port, path: '/' });
  client.resume();
  const start = rawFrame('{"type":"start_session"}');
  const end = rawFrame('{"type":"ping"}');
  const before = await product.client.gateway.sessions();
  client.write(Buffer.concat([...Array.from({ length: 3_000 }, () => start), end]));
  expect(await says(client, '"pong"')).toContain('"pong"');
  const after = await product.client.gateway.sessions();
  expect(after.length).toBeGreaterThan(1_000);
  expect(after.length).toBeLessThanOrEqual(1_001 + before.length);
  client.destroy();
});

test('50 messages of 1 MB leave no more in memory than the log keeps of them', async () => {
  await product.client.frames.clear({ source: 'gateway' });
  await product.client.frames.clear({ source: 'gateway' });
  const { heap: before } = await product.inspector.memory();
  const client = await openRawWebSocket({ port, path: '/' });
  for (let count = 0; count < 50; count += 1)
    client.write(rawFrame(JSON.stringify({ type: 'x'.repeat(1_000_000 - 11), count: count % 10 })));
  client.write(rawFrame('{"type":"ping"}'));
  await says(client, '"pong"');
  client.destroy();
  // 32 MB of text, and what else a frame costs.
  expect((await product.inspector.memory()).heap - before).toBeLessThan(40);
});

test('1,024 calls wait for a client that answers none, and the next is refused', async () => {
  const { gateway, calls } = product.client;
  const client = await openRawWebSocket({ port, path: '/' });
  const tools = [{ name: 'silent', description: 'Answers nothing.', parameters: { type: 'object', properties: {} } }];
  client.write(rawFrame(JSON.stringify({ type: 'register_tools', tools })));
  client.resume();
  const registry = async () => (await gateway.connections()).find((each) => each.tools.includes('silent'))?.registryId;
  await expect.poll(registry).toBeDefined();
  const registryId = (await registry()) ?? '';
  const call = { toolName: `${registryId}_silent`, argsJson: '{}', origin: 'executor' } as const;
  const outcomes: (string | undefined)[] = [];
  const made = Array.from({ length: 1_030 }, async () => {
    const { error } = await calls.execute({ ...call, callId: randomUUID() }).catch((error: Error) => ({ error }));
    outcomes.push(error?.message);
  });
  await expect.poll(() => outcomes.length).toBe(6);
  expect(new Set(outcomes)).toEqual(new Set([expect.stringContaining('1024 calls wait for this client already')]));
  client.destroy();
  await Promise.all(made);
  expect(outcomes.at(-1)).toContain('The client disconnected');
});

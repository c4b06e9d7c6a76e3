/** Attacks on the LLM gateway by whoever reaches its port. */
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

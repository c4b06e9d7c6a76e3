/** A device whose schemas take very long, or would fill the memory; patterns.test.ts has those of `pattern`. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { listTools } from '../../src-core/rpc/listTools.ts';
import { connectHostileDevice, type HostileDevice, type HostileTool } from './hostileDevice.ts';
import { startProduct, type Product } from './product.ts';

const list = (length: number): number[] => Array.from({ length }, (_, i) => i);
const fan = Object.fromEntries(
  list(40).map((i) => [`a${i + 1}`, { allOf: [{ $ref: `#/$defs/a${i}` }, { $ref: `#/$defs/a${i}` }] }]),
);
const evilText = `${'a'.repeat(60)}!`;
const attacks: Record<string, { schema: object; args: object }> = {
  names: { schema: { patternProperties: { '^(a+)+$': true } }, args: { [evilText]: 1 } },
  references: {
    schema: { $defs: { a0: { minimum: 0 }, ...fan }, properties: { p: { $ref: '#/$defs/a40' } } },
    args: { p: 1 },
  },
  circle: { schema: { $defs: { a: { $ref: '#/$defs/a' } }, properties: { p: { $ref: '#/$defs/a' } } }, args: { p: 1 } },
  large: { schema: { properties: { p: { enum: list(25_000) } } }, args: { p: 1 } },
};
const tools: HostileTool[] = [
  ...Object.entries(attacks).map(([name, { schema }]) => ({ name, inputSchema: { type: 'object', ...schema } })),
  { name: 'calm', inputSchema: { type: 'object', properties: { p: { type: 'integer' } } } },
];

let product: Product;
let device: HostileDevice;
let toolId: string;
beforeAll(async () => {
  product = await startProduct();
  device = await connectHostileDevice(product.served.device.webSocketUrl, { id: '02:00:00:00:00:66', tools });
  toolId = await vi.waitFor(async () => {
    const found = (await listTools(product.client)).find(({ source }) => source.kind === 'device');
    expect(found?.methods).toHaveLength(tools.length);
    return found!.id;
  });
});
afterAll(async () => {
  device.socket.terminate();
  await product.stop();
});

const execute = (command: string, args: object) =>
  product.client.calls.execute({
    callId: randomUUID(),
    toolName: toolId,
    command,
    argsJson: JSON.stringify(args),
    origin: 'executor',
  });

test.each(Object.entries(attacks))('%s: the call is refused, and the next call runs', async (name, { args }) => {
  const { status, error } = await execute(name, args);
  expect(status).toBe('error');
  expect(error?.code).toBe('invalid-arguments');
  expect(error?.message).toMatch(
    /was not called\. The arguments were not checked against the inputSchema: .*Send less/,
  );
  expect(device.called).not.toContain(name);
  expect(await execute('calm', { p: 1 })).toMatchObject({ status: 'success', result: 'done' });
});

import { afterAll, beforeAll, expect, test } from 'vitest';

import { startProduct, type Product } from './product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.stop());

test('answers its contract and reports the memory of its own process', async () => {
  expect((await product.client.settings.get()).theme).toBe('system');
  expect(await product.inspector.evaluate<number>('process.pid')).toBe(product.pid);
  expect((await product.inspector.memory()).heap).toBeGreaterThan(1);
});

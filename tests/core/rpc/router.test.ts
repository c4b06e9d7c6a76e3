import { eventIterator, oc } from '@orpc/contract';
import { call } from '@orpc/server';
import { expect, test } from 'vitest';
import * as z from 'zod';

import { createRouter } from '../../../src-core/rpc/router.ts';

const contract = {
  shop: {
    price: oc.input(z.strictObject({ item: z.string() })).output(z.strictObject({ cents: z.int() })),
    changes: oc.output(eventIterator(z.int())),
  },
};

const wrong = {
  shop: {
    price: () => ({ cents: 0.5, unknown: true }),
    async *changes() {
      yield 0.5;
    },
  },
};

const invalidOutput = { code: 'INTERNAL_SERVER_ERROR', cause: { message: 'Output validation failed' } };

test('outputs pass as they are unless they are to be checked', async () => {
  const { price, changes } = createRouter(contract, wrong).shop!;
  expect(await call(price!, { item: 'tea' })).toEqual({ cents: 0.5, unknown: true });
  const events = (await call(changes!, undefined)) as AsyncIterator<number>;
  expect(await events.next()).toMatchObject({ value: 0.5 });
});

test('refuses outputs that the contract does not allow if they are to be checked', async () => {
  const { price, changes } = createRouter(contract, wrong, { checkOutputs: true }).shop!;
  await expect(call(price!, { item: 'tea' })).rejects.toMatchObject(invalidOutput);
  const events = (await call(changes!, undefined)) as AsyncIterator<number>;
  await expect(events.next()).rejects.toMatchObject({ code: 'EVENT_ITERATOR_VALIDATION_FAILED' });
});

test.each([false, true])('checks inputs in any case (checkOutputs: %s)', async (checkOutputs) => {
  const { price } = createRouter(contract, wrong, { checkOutputs }).shop!;
  await expect(call(price!, { item: 5 })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('a missing implementation is an error that names the procedure', () => {
  const { changes } = wrong.shop;
  // @ts-expect-error `price` is missing.
  expect(() => createRouter(contract, { shop: { changes } })).toThrow('shop.price');
  // @ts-expect-error The area is missing.
  expect(() => createRouter(contract, {})).toThrow('shop.price');
});

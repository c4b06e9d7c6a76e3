import { expect, test } from 'vitest';

import { checkOutputFully, readArgumentsFully } from '../../../src-core/schema/checkFully.ts';
import { parseExactly } from '../../../src-core/base/exactNumber.ts';
import { readArguments } from '../../../src-core/schema/readArguments.ts';
import { createWorkBudget } from '../../../src-core/base/workBudget.ts';

/** A schema as a typed Python server generates it: `$defs`, `format`, `pattern`, nullable fields. */
const order = {
  type: 'object',
  properties: { items: { type: 'array', items: { $ref: '#/$defs/Item' } } },
  required: ['items'],
  $defs: {
    Money: {
      type: 'object',
      properties: { amount: { type: 'number', minimum: 0 }, currency: { type: 'string', pattern: '^[A-Z]{3}$' } },
      required: ['amount', 'currency'],
    },
    Item: {
      type: 'object',
      properties: {
        id: { type: 'string', format: 'uuid' },
        made: { type: 'string', format: 'date-time' },
        note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        price: { $ref: '#/$defs/Money' },
        count: { type: 'integer' },
      },
      required: ['id', 'price'],
    },
  },
};

function items(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
    made: '2026-11-23T10:00:00Z',
    note: i % 2 === 0 ? null : 'fragile',
    price: { amount: i, currency: 'EUR' },
    count: parseExactly('9007199254740993'),
  }));
}

test.each([20, 600])('checks an order of %i items, whatever the machine does beside it', async (count) => {
  const read = await readArgumentsFully({ args: { items: items(count) }, inputSchema: order, source: 'json' });
  expect(read).toMatchObject({ issues: [], unchecked: false, isTooMuchWork: false });
  expect(JSON.stringify(read.args)).toContain('"count":9007199254740993');
});

test('finds the one wrong item of 600 in the process', async () => {
  const wrong = items(600);
  wrong[321] = { ...wrong[321], price: { amount: -1, currency: 'EUR' } };
  const options = { args: { items: wrong }, inputSchema: order, source: 'json' } as const;
  expect(readArguments({ ...options, budget: createWorkBudget(1) }).isTooMuchWork).toBe(true);
  const { issues } = await readArgumentsFully(options);
  expect(issues).toHaveLength(1);
  expect(issues[0]?.path).toBe('/items/321/price/amount');
});

test('converts text in the process as it does here', async () => {
  const options = { args: { items: JSON.stringify(items(600).map((item) => ({ ...item, count: 1 }))) } };
  const { issues, args } = await readArgumentsFully({ ...options, inputSchema: order, source: 'text' });
  expect(issues).toEqual([]);
  expect(args['items']).toHaveLength(600);
});

const endless = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } };
const text = `${'a'.repeat(60)}!`;

test('a check that is cancelled leaves the arguments unchecked', async () => {
  const stop = new AbortController();
  const reading = readArgumentsFully({ args: { text }, inputSchema: endless, source: 'json' }, stop);
  stop.abort();
  expect(await reading).toMatchObject({
    unchecked: true,
    issues: [{ message: expect.stringContaining('not checked') }],
  });
});

test('a pattern that does not end is given up in the process, too', async () => {
  const checked = await checkOutputFully(JSON.stringify({ text }), endless, { limitMs: 100 });
  expect(checked.unchecked).toContain('100 ms');
});

test('checks a large structuredContent in the process', async () => {
  const structuredContent = JSON.stringify({ items: items(600).map((item) => ({ ...item, count: 1 })) });
  expect(await checkOutputFully(structuredContent, order)).toEqual({ issues: [] });
});

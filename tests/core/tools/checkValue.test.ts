import { describe, expect, test } from 'vitest';
import { checkValue } from '../../../src-core/tools/checkValue.ts';
import type { JsonObject, JsonSchema, JsonValue } from '../../../src-core/tools/json.ts';
import { prepareSchema } from '../../../src-core/tools/prepareSchema.ts';

const part: JsonSchema = { $ref: '#/$defs/filter' };
const operators = ['and', 'or', 'not', 'xor', 'any', 'all'];
/** Filters in filters, told apart by `op`. */
const filters: JsonSchema = {
  type: 'object',
  properties: { filter: part },
  $defs: {
    filter: {
      oneOf: [
        ...operators.map((op) => ({
          type: 'object',
          properties: { op: { const: op }, args: { type: 'array', items: part } },
          required: ['op', 'args'],
        })),
        { type: 'object', properties: { op: { const: 'eq' }, field: { type: 'string' } }, required: ['op', 'field'] },
      ],
    },
  },
};
const filter = (depth: number, field: JsonValue): JsonObject =>
  depth === 0 ? { op: 'eq', field } : { op: operators[depth % 6] ?? '', args: [filter(depth - 1, field)] };

describe('kinds within kinds', () => {
  test('are checked many levels deep', () => {
    // No limit that a slow machine could meet: all of each kind would be 7 to the power of 20 looks.
    const options = { prepared: prepareSchema(filters), deadlineMs: 20_000 };
    expect(checkValue({ ...options, value: { filter: filter(20, 'a') } })).toEqual({ errors: [] });
  });

  test('do not pass where what is wrong by each kind cannot all be found out', () => {
    const options = { prepared: prepareSchema(filters), deadlineMs: 2_000 };
    const { errors, unchecked } = checkValue({ ...options, value: { filter: filter(20, 1) } });
    expect(unchecked).toBeUndefined();
    expect(errors.length).toBeGreaterThan(0);
  });
});

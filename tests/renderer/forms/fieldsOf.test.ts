import { describe, expect, it } from 'vitest';

import { fieldsOf } from '../../../renderer/forms/schema/fieldsOf.ts';
import type { JsonSchema } from '../../../src-core/api/types.ts';

const one = (property: JsonSchema, required = false): JsonSchema => ({
  type: 'object',
  properties: { x: property },
  ...(required ? { required: ['x'] } : {}),
});

describe('fieldsOf', () => {
  it.each<[JsonSchema, object]>([
    [{ type: 'string' }, { typeText: 'string', control: { kind: 'string' } }],
    [
      { type: 'integer', minimum: 0, maximum: 100 },
      { typeText: 'integer 0–100', control: { kind: 'number', integer: true, minimum: 0, maximum: 100 } },
    ],
    [
      { type: 'number', exclusiveMinimum: 0 },
      { typeText: 'number > 0', control: { kind: 'number', integer: false } },
    ],
    [{ type: ['string', 'null'] }, { typeText: 'string | null', nullable: true, control: { kind: 'string' } }],
    [
      { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], default: null },
      { typeText: 'integer ≥ 1 | null', nullable: true, control: { kind: 'number' }, defaultValue: null },
    ],
    [{ enum: ['a', 1, null] }, { typeText: 'enum', control: { kind: 'enum', options: ['a', 1, null] } }],
    [
      { type: 'boolean', default: false },
      { control: { kind: 'boolean' }, defaultValue: false },
    ],
    [
      { type: 'array', items: { type: 'string' } },
      { typeText: 'string[]', control: { kind: 'list' } },
    ],
    [
      { type: 'object', properties: { r: { type: 'integer' } } },
      { typeText: 'object', control: { kind: 'object' } },
    ],
    [{ type: 'object' }, { control: { kind: 'json', holds: 'object' } }],
    [{ type: ['string', 'integer'] }, { typeText: 'string | integer', control: { kind: 'variants' } }],
    [{}, { typeText: 'any', control: { kind: 'json' } }],
  ])('%j', (property, expected) => {
    expect(fieldsOf(one(property))[0]).toMatchObject({ name: 'x', path: ['x'], required: false, ...expected });
  });

  it('follows local references, and stops at those that go in circles', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        a: { $ref: '#/$defs/level' },
        b: { $ref: '#/$defs/loop' },
        c: { $ref: 'https://example.com/x.json' },
      },
      $defs: { level: { type: 'integer', maximum: 9 }, loop: { $ref: '#/$defs/loop' } },
    };
    expect(fieldsOf(schema).map(({ typeText }) => typeText)).toEqual(['integer ≤ 9', 'any', 'any']);
  });

  it('takes a schema that is none for one without fields', () => {
    expect(fieldsOf({})).toEqual([]);
    expect(fieldsOf({ type: 'object', properties: ['x'] })).toEqual([]);
    expect(fieldsOf({ type: 'object', properties: { x: true } })[0]).toMatchObject({ control: { kind: 'json' } });
  });
});

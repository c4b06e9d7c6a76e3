import { describe, expect, it } from 'vitest';

import { fieldsOf } from '../../../../renderer/ui/forms/schema/fieldsOf.ts';
import type { JsonSchema } from '../../../../src-core/contract/types.ts';

const one = (property: JsonSchema, required = false): JsonSchema => ({
  type: 'object',
  properties: { x: property },
  ...(required ? { required: ['x'] } : {}),
});

describe('fieldsOf', () => {
  it.each([
    [100, 'enum'],
    [101, 'string'],
    [10_000, 'string'],
  ])('a value of %i choices is entered as %s', (count, kind) => {
    const choices = Array.from({ length: count }, (_, at) => `choice ${at}`);
    expect(fieldsOf(one({ type: 'string', enum: choices }))).toMatchObject([{ control: { kind } }]);
  });

  it.each<[JsonSchema, object]>([
    [{ type: 'string' }, { typeText: 'string', control: { kind: 'string' } }],
    [
      { type: 'integer', minimum: 0, maximum: 100 },
      { typeText: 'integer 0–100', control: { kind: 'number', integer: true, minimum: '0', maximum: '100' } },
    ],
    [
      { type: 'number', exclusiveMinimum: 0 },
      { typeText: 'number > 0', control: { kind: 'number', integer: false } },
    ],
    [
      { type: 'string', nullable: true },
      { typeText: 'string | null', nullable: true, control: { kind: 'string' } },
    ],
    [
      { type: 'string', enum: ['a'], nullable: true },
      { nullable: true, control: { kind: 'enum', options: ['a', null] } },
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
    [
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] },
      { typeText: 'array', control: { kind: 'list' } },
    ],
    [{ type: 'array', items: [{ type: 'string' }] }, { control: { kind: 'list' } }],
    [{ type: 'array' }, { typeText: 'array', control: { kind: 'json', holds: 'array' } }],
    [{ type: 'object', additionalProperties: { type: 'string' } }, { control: { kind: 'object' } }],
    [{ patternProperties: { '^x': {} } }, { control: { kind: 'object' } }],
    [{ const: 'only' }, { typeText: 'const', control: { kind: 'enum', options: ['only'] } }],
    [{ oneOf: [{ const: 1, title: 'one' }, { const: 2 }] }, { control: { kind: 'enum', options: [1, 2] } }],
    [
      { oneOf: [{ type: 'string' }, { title: 'A list', type: 'array', items: {} }, { type: 'null' }] },
      { typeText: 'string | A list | null', nullable: true, control: { kind: 'variants' } },
    ],
    [
      { anyOf: [{ properties: { kind: { const: 'a' } } }, { properties: { kind: { enum: ['b'] } } }] },
      { typeText: 'a | b', control: { kind: 'variants' } },
    ],
    [{ anyOf: [{ required: ['a'] }, { required: ['b'] }], properties: { a: {} } }, { control: { kind: 'object' } }],
    [
      {
        allOf: [
          { type: 'integer', minimum: 1 },
          { maximum: 9, description: 'Said inside.' },
        ],
      },
      { typeText: 'integer 1–9', description: 'Said inside.', control: { kind: 'number', minimum: '1', maximum: '9' } },
    ],
    [
      { type: 'object', properties: { a: {} }, if: {}, then: { properties: { b: {} } } },
      { control: { kind: 'object', schema: { properties: { a: {}, b: {} } } } },
    ],
    [{ type: 'string', contentMediaType: 'application/json' }, { control: { kind: 'string', holdsJson: true } }],
    [{ minimum: 3 }, { typeText: 'number ≥ 3', control: { kind: 'number', minimum: '3' } }],
    [
      { type: 'number', multipleOf: 0.5 },
      { typeText: 'number multipleOf 0.5', control: { step: '0.5' } },
    ],
    [{ format: 'email' }, { typeText: 'email', control: { kind: 'string', format: 'email' } }],
    [{ title: 'In place of a description' }, { description: 'In place of a description' }],
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

  it('finds what a reference calls by its anchor or its id, and steps with escapes', () => {
    const schema: JsonSchema = {
      $id: 'https://example.com/root',
      properties: {
        a: { $ref: '#level' },
        b: { $ref: 'part' },
        c: { $ref: 'https://example.com/root#/$defs/a~1b%25' },
      },
      $defs: {
        one: { $anchor: 'level', type: 'integer' },
        two: { $id: 'part', type: 'boolean' },
        'a/b%': { type: 'null' },
      },
    };
    expect(fieldsOf(schema).map(({ typeText }) => typeText)).toEqual(['integer', 'boolean', 'any | null']);
  });

  it('has rows for what draft-07 asks for with another, and for many parts joined', () => {
    const schema: JsonSchema = {
      properties: { card: {} },
      dependencies: { card: { properties: { address: {} }, required: ['address'] }, other: ['card'] },
    };
    expect(fieldsOf(schema).map(({ name, required }) => [name, required])).toEqual([
      ['card', false],
      ['address', false],
    ]);
    const parts = Array.from({ length: 80 }, (_, at) => ({ properties: { [`p${String(at)}`]: {} } }));
    expect(fieldsOf({ allOf: parts })).toHaveLength(80);
  });

  it('has a row for a name that is required and not described', () => {
    expect(fieldsOf({ required: ['x', 7], properties: {} })).toMatchObject([{ name: 'x', required: true }]);
  });

  it('treats an invalid schema as one without fields', () => {
    expect(fieldsOf({})).toEqual([]);
    expect(fieldsOf({ type: 'object', properties: ['x'] })).toEqual([]);
    expect(fieldsOf({ type: 'object', properties: { x: true } })[0]).toMatchObject({ control: { kind: 'json' } });
  });
});

it('reads a schema of 200,000 parts that a reference is looked up in', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: { a: { $ref: '#thing' } },
    'x-data': Array.from({ length: 200_000 }, () => ({})),
  };
  expect(fieldsOf(schema)).toHaveLength(1);
});

it('draws a value of more than 50 kinds as JSON, and says of how many: of a cut list some could not be chosen', () => {
  const kinds = Array.from({ length: 51 }, (_, at) => ({
    type: 'object',
    properties: { k: { const: `k${String(at)}` } },
  }));
  expect(fieldsOf(one({ oneOf: kinds }))[0]).toMatchObject({
    typeText: '51 kinds',
    control: { kind: 'json', tooMany: 51 },
  });
  expect(fieldsOf(one({ oneOf: kinds.slice(1) }))[0]).toMatchObject({ control: { kind: 'variants' } });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { validate } from '@cfworker/json-schema';
import type { JsonObject, JsonSchema, JsonValue } from '../../../src-core/base/json.ts';
import { fitsPlainly } from '../../../src-core/schema/plainSchema.ts';
import { prepareSchema } from '../../../src-core/schema/prepareSchema.ts';

const scalar = fc.oneof(
  fc.constantFrom<JsonValue[]>(null, true, false, 0, 1, -1, 1.5, 2, 50, 100, -0, 1e21, '', 'a', '50', 'on'),
  fc.integer({ min: -3, max: 3 }),
  fc.string({ maxLength: 3 }),
);
const names = ['a', 'b', 'constructor', '__proto__'];
const record = (value: fc.Arbitrary<JsonValue>) =>
  fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4, noNullPrototype: false });
const anyValue = fc.oneof(scalar, fc.array(scalar, { maxLength: 2 }), record(scalar)) as fc.Arbitrary<JsonValue>;

const types = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];
const bound = fc.constantFrom(-1, 0, 1, 1.5, 50);
/** Keywords that are read plainly, in all combinations, and now and then one that is not. */
const plainKeywords = {
  type: fc.oneof(fc.constantFrom(...types), fc.uniqueArray(fc.constantFrom(...types), { minLength: 1, maxLength: 3 })),
  enum: fc.array(scalar, { minLength: 1, maxLength: 4 }),
  minimum: bound,
  maximum: bound,
  exclusiveMinimum: bound,
  exclusiveMaximum: bound,
  description: fc.string(),
  default: scalar,
};
const others = {
  minLength: fc.nat(2),
  const: scalar,
  multipleOf: fc.constant(2),
  minProperties: fc.nat(2),
  items: fc.constant({ type: 'string' }),
};
const property = fc.oneof(
  { weight: 6, arbitrary: fc.record(plainKeywords, { requiredKeys: [] }) },
  { weight: 1, arbitrary: fc.record({ ...plainKeywords, ...others }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: fc.boolean() },
);
const objectSchema = (properties: fc.Arbitrary<unknown>) =>
  fc.record(
    {
      ...plainKeywords,
      properties: fc.dictionary(fc.constantFrom(...names), properties),
      required: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
      additionalProperties: fc.oneof(fc.boolean(), property),
    },
    { requiredKeys: ['properties'] },
  );
const schemas = fc.oneof(property, objectSchema(property), objectSchema(objectSchema(property)));

function passes(value: JsonValue, schema: unknown): boolean {
  const { root, lookup } = prepareSchema(schema);
  return validate(value, root, '2020-12', lookup, false).valid;
}

test('what fits plainly fits by the validator, whatever the schema is', () => {
  let plain = 0;
  fc.assert(
    fc.property(schemas, fc.oneof(anyValue, record(anyValue)), (schema, value) => {
      if (!fitsPlainly(value, prepareSchema(schema).root)) return;
      plain += 1;
      expect(passes(value, schema)).toBe(true);
    }),
    { numRuns: 5_000 },
  );
  expect(plain).toBeGreaterThan(100);
});

describe('a schema of types, ranges and choices', () => {
  const inputSchema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      volume: { type: 'integer', minimum: 0, maximum: 100, description: 'in percent' },
      theme: { type: ['string', 'null'], enum: ['light', 'dark', 'auto'] },
      at: { type: 'object', properties: { x: { type: 'number', exclusiveMinimum: 0 } }, additionalProperties: false },
    },
    required: ['volume'],
  };
  const verdicts: [JsonObject, boolean][] = [
    [{ volume: 50 }, true],
    [{ volume: 50, theme: 'dark', at: { x: 0.5 }, other: [1] }, true],
    [{ volume: 101 }, false],
    [{ volume: 1.5 }, false],
    [{ volume: '50' }, false],
    [{ theme: 'dark' }, false],
    [{ volume: 50, theme: 'blue' }, false],
    [{ volume: 50, at: { x: 0 } }, false],
    [{ volume: 50, at: { y: 1 } }, false],
  ];
  test.each(verdicts)('%j: %s, and the validator says the same', (args, verdict) => {
    expect(fitsPlainly(args, prepareSchema(inputSchema).root)).toBe(verdict);
    expect(passes(args, inputSchema)).toBe(verdict);
  });
});

test.each<[string, JsonSchema]>([
  ['a pattern', { type: 'object', properties: { a: { type: 'string', pattern: '^b' } } }],
  ['a reference', { properties: { a: { $ref: '#/$defs/b' } }, $defs: { b: {} } }],
  ['a choice that is no scalar', { properties: { a: { enum: [{}] } } }],
  ['what names that are not listed must be', { additionalProperties: { type: 'string' } }],
])('%s is left to the validator', (_, inputSchema) => {
  expect(fitsPlainly({ a: 'b' }, prepareSchema(inputSchema).root)).toBe(false);
});

import fc from 'fast-check';

import type { JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';

const names = ['a', 'b', 'c', 'kind'] as const;
const name = fc.constantFrom(...names);

/** JSON values of the kind that schemas of `anySchema` ask for, so that many fit. */
export const anyValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<JsonValue>(null, true, false, '', 'a', 'ab', 'x y', 'circle', 0, 1, 2, 2.5, -3, 10),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

const scalar = fc.constantFrom<JsonValue>(null, true, 'a', 'circle', 0, 1, 2.5);
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });
const small = fc.nat({ max: 3 });

function compact(record: Record<string, JsonValue | undefined>): JsonSchema {
  return Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}

/** Schemas as servers emit them, every keyword among them, references in circles included. */
export const anySchema: fc.Arbitrary<JsonSchema> = fc
  .record({ body: schemaBody(), first: schemaBody(), second: schemaBody() })
  .map(({ body, first, second }) => ({ ...body, $defs: { first, second } }));

function schemaBody(): fc.Arbitrary<JsonSchema> {
  return fc.letrec<{ schema: JsonSchema }>((tie) => {
    const part = tie('schema');
    const parts = fc.array(part, { minLength: 1, maxLength: 3 });
    return {
      schema: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        fc.constantFrom<JsonSchema>(
          { type: 'string' },
          { type: 'boolean' },
          { type: 'null' },
          { type: ['string', 'integer'] },
          { $ref: '#/$defs/first' },
          { $ref: '#/$defs/second' },
          { format: 'date' },
          {},
        ),
        fc
          .record({
            minLength: maybe(small),
            maxLength: maybe(small),
            pattern: maybe(fc.constantFrom('^a', 'b$', '^[a-z]+$')),
          })
          .map((limits) => compact({ type: 'string', ...limits })),
        fc
          .record({
            type: fc.constantFrom('integer', 'number'),
            minimum: maybe(small),
            maximum: maybe(small),
            exclusiveMinimum: maybe(small),
            multipleOf: maybe(fc.constantFrom(1, 2, 0.5)),
          })
          .map(compact),
        fc.array(scalar, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
        scalar.map((value) => ({ const: value })),
        fc
          .record({
            properties: fc.dictionary(name, part, { maxKeys: 3, noNullPrototype: true }),
            required: maybe(fc.uniqueArray(name, { maxLength: 2 })),
            additionalProperties: maybe(fc.oneof(fc.boolean(), part)),
            patternProperties: maybe(fc.record({ '^[ab]$': part })),
            minProperties: maybe(small),
            maxProperties: maybe(small),
            dependentRequired: maybe(fc.record({ a: fc.uniqueArray(name, { maxLength: 2 }) })),
            propertyNames: maybe(fc.constant({ maxLength: 3 })),
          })
          .map((record) => compact({ type: 'object', ...record })),
        fc
          .record({
            items: maybe(part),
            prefixItems: maybe(parts),
            minItems: maybe(small),
            maxItems: maybe(small),
            uniqueItems: maybe(fc.boolean()),
            contains: maybe(part),
          })
          .map((record) => compact({ type: 'array', ...record })),
        fc.record({ anyOf: parts }),
        fc.record({ oneOf: parts }),
        fc.record({ allOf: parts }),
        fc.record({ not: part }),
        fc.record({ if: part, then: part, else: part }),
        part.map((inner) => ({ anyOf: [inner, { type: 'null' }] })),
      ),
    };
  }).schema;
}

/** The same, for arguments: an object with those as properties. */
export const argumentsSchema: fc.Arbitrary<JsonSchema> = fc
  .record({
    properties: fc.dictionary(name, schemaBody(), { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
    required: fc.uniqueArray(name, { maxLength: 2 }),
    first: schemaBody(),
    second: schemaBody(),
  })
  .map(({ properties, required, first, second }) => ({
    type: 'object',
    properties,
    $defs: { first, second },
    required: required.filter((one) => Object.hasOwn(properties, one)),
  }));

import fc from 'fast-check';

const keywords = [
  ...['type', 'properties', 'required', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'items'],
  ...[
    'additionalProperties',
    'patternProperties',
    'propertyNames',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'pattern',
  ],
  ...[
    'format',
    'default',
    '$ref',
    '$id',
    '$anchor',
    '$defs',
    'dependentRequired',
    'dependencies',
    'multipleOf',
    'minItems',
  ],
  ...[
    'uniqueItems',
    'contains',
    'prefixItems',
    'unevaluatedProperties',
    '__proto__',
    'constructor',
    '__absolute_ref__',
    'x',
  ],
];
const words = [
  'object',
  'string',
  'integer',
  'a',
  '#',
  '#/$defs/a',
  '#/properties/a',
  'http://[',
  '(',
  '^(a+)+$',
  'date',
  '\ud800',
];

/** Values that look like JSON Schemas and mostly are none: every keyword with every kind of value. */
export const hostileValue: fc.Arbitrary<unknown> = fc.letrec<{ schema: unknown; value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(...words, 0, -1, 1.5, 1e308, true, false, null),
    tie('schema'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
  schema: fc
    .array(fc.tuple(fc.constantFrom(...keywords, 'a'), tie('value')), { maxLength: 5 })
    .map(
      (entries) =>
        JSON.parse(
          `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`,
        ) as unknown,
    ),
})).schema;

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maximumSchemaDepth } from '../../../src-core/schema/cleanSchema.ts';
import { checkValue } from '../../../src-core/schema/checkValue.ts';
import { unlimitedWork } from '../../../src-core/base/workBudget.ts';
import { prepareSchema } from '../../../src-core/schema/prepareSchema.ts';
import { hostileValue } from '../registry/hostileSchema.ts';

describe('a good schema', () => {
  test('is kept whole, without a warning', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        mode: { enum: ['a', null, { deep: [1] }] },
        never: { const: null },
        size: { type: ['integer', 'null'], minimum: 0, exclusiveMaximum: 10, multipleOf: 2, default: null },
        shape: { oneOf: [{ $ref: '#/$defs/round' }, { type: 'string', minLength: 1, pattern: '^x' }] },
      },
      required: ['mode'],
      additionalProperties: false,
      $defs: { round: { type: 'object', properties: { r: { type: 'number' } } } },
    };
    const { root, warnings, lookup } = prepareSchema(schema);
    expect(root).toEqual(schema);
    expect(warnings).toEqual([]);
    expect(lookup).toBeDefined();
  });

  test('is not changed, is prepared once, and may be frozen', () => {
    const schema = Object.freeze({ type: 'object', properties: Object.freeze({ a: Object.freeze({ $ref: '#' }) }) });
    const before = JSON.stringify(schema);
    expect(prepareSchema(schema)).toBe(prepareSchema(schema));
    expect(JSON.stringify(schema)).toBe(before);
    expect(Reflect.ownKeys(schema.properties.a)).toEqual(['$ref']);
  });

  test('takes null if OpenAPI 3.0 says that it is accepted beside the type', () => {
    const { root } = prepareSchema({
      properties: { a: { type: 'string', nullable: true }, b: { type: ['integer'], enum: [1], nullable: true } },
    });
    expect(root).toEqual({
      properties: { a: { type: ['string', 'null'] }, b: { type: ['integer', 'null'], enum: [1, null] } },
    });
  });

  test('work is limited unless schemas × values are few', () => {
    const isLimited = (schema: object, value: unknown): boolean =>
      prepareSchema(schema).budgetFor(value) !== unlimitedWork;
    const list = (length: number): number[] => Array.from({ length }, (_, i) => i);
    const plain = { properties: { a: { type: 'integer', minimum: 1 } } };
    expect(isLimited(plain, { a: 1 })).toBe(false);
    expect(isLimited(plain, { a: list(5_000) })).toBe(true);
    expect(isLimited(plain, { a: 'a'.repeat(1_000_000) })).toBe(true);
    expect(isLimited({ properties: { a: { enum: list(200) } } }, { a: 1 })).toBe(false);
    expect(isLimited({ properties: { a: { items: { enum: list(200) } } } }, { a: list(200) })).toBe(true);
    expect(isLimited({ properties: { a: { enum: ['e'.repeat(500_000)] } } }, { a: 1 })).toBe(true);
    for (const slow of [{ pattern: '^a' }, { $ref: '#' }, { items: { uniqueItems: true } }, { format: 'date' }])
      expect(isLimited({ properties: { a: slow } }, { a: 1 })).toBe(true);
  });

  test('exclusive bounds of draft 4 become bounds', () => {
    const { root, warnings } = prepareSchema({
      properties: { a: { minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false } },
    });
    expect(root).toEqual({ properties: { a: { minimum: 1, exclusiveMinimum: 1, maximum: 9 } } });
    expect(warnings).toEqual([]);
  });
});

describe('what is left out, and the warning for it', () => {
  test.each([
    [{ properties: 5 }, {}, '#/properties: "properties" has an invalid value and is not checked.'],
    [{ required: 'name' }, {}, '#/required: "required" has an invalid value'],
    [
      { properties: { a: { type: 'int' } } },
      { properties: { a: {} } },
      '#/properties/a/type: "type" has an invalid value',
    ],
    [{ properties: { a: 'integer' } }, { properties: { a: true } }, '#/properties/a: a schema should be here'],
    [
      { properties: { a: { pattern: '(' } } },
      { properties: { a: {} } },
      '#/properties/a/pattern: "pattern" has an invalid value',
    ],
    [{ patternProperties: { '[': {} } }, { patternProperties: {} }, '#/patternProperties/[: this entry cannot be used'],
    [
      { properties: { a: { minimum: '1', multipleOf: 0 } } },
      { properties: { a: {} } },
      '"minimum" has an invalid value',
    ],
    [{ properties: { a: { anyOf: [] } } }, { properties: { a: {} } }, '"anyOf" has an invalid value'],
    [{ properties: { a: { enum: [] } } }, { properties: { a: {} } }, '"enum" has an invalid value'],
    [
      { properties: { a: { $ref: '#/$defs/gone' } } },
      { properties: { a: {} } },
      'the reference "#/$defs/gone" has no target',
    ],
    [
      { properties: { a: { $ref: 'https://example.com/a.json' } } },
      { properties: { a: {} } },
      'has no target in this schema',
    ],
    [{ properties: { a: { $dynamicRef: '#x' } } }, { properties: { a: {} } }, '"$dynamicRef" has an invalid value'],
    [{ type: 'string' }, {}, 'The schema says "string", but arguments are always an object'],
    ['not a schema', {}, '#: a schema should be here'],
    [[], {}, '#: a schema should be here'],
  ])('%j', (schema, root, warning) => {
    const prepared = prepareSchema(schema);
    expect(prepared.root).toEqual(root);
    expect(prepared.warnings[0]).toContain(warning);
    expect(prepared.lookup).toBeDefined();
  });

  test.each([[undefined], [null], [true], [{}]])('%j accepts everything without a warning', (schema) => {
    expect(prepareSchema(schema)).toMatchObject({ root: {}, warnings: [] });
  });

  test('unchecked formats and unknown keywords cause no warning', () => {
    const { warnings } = prepareSchema({
      properties: { a: { format: 'int64', 'x-ui': { type: 'slider' } } },
      id: 'lamp',
    });
    expect(warnings).toEqual([]);
  });

  test('follows a reference into a custom keyword', () => {
    const { root, warnings } = prepareSchema({
      properties: { a: { $ref: '#/components/schemas/size' } },
      components: { schemas: { size: { type: 'integer' } } },
    });
    expect(root).toMatchObject({ properties: { a: { $ref: '#/components/schemas/size' } } });
    expect(warnings).toEqual([]);
  });

  test('names like __proto__ and constructor are parameters like others', () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{"type":"integer"},"constructor":{"type":"string"}}}',
    ) as object;
    const { root } = prepareSchema(schema);
    expect(JSON.stringify(root)).toBe(JSON.stringify(schema));
    expect(({} as Record<string, unknown>).type).toBeUndefined();
  });
});

describe('too much', () => {
  test('a schema that is too deep is cut, with a warning', () => {
    let schema: object = {};
    for (let i = 0; i < 100; i += 1) schema = { properties: { a: schema, b: {} } };
    const { root, warnings } = prepareSchema(schema);
    expect(warnings[0]).toContain('the schema is too large or too deep');
    let depth = 0;
    for (let at: unknown = root; typeof at === 'object' && at !== null; depth += 1) {
      at = (at as { properties?: { a?: unknown } }).properties?.a;
    }
    expect(depth).toBeLessThanOrEqual(maximumSchemaDepth + 1);
  });

  test('long names are not repeated for each schema inside them', () => {
    const inner = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`p${i}`, { type: 'integer' }]));
    const { lookup, warnings } = prepareSchema({
      properties: { ['a'.repeat(100_000)]: { properties: inner } },
      $ref: '#',
    });
    const kept = Object.keys(lookup ?? {}).reduce((sum, uri) => sum + uri.length, 0);
    expect(kept).toBeLessThan(200_000);
    expect(warnings[0]).toContain('too large or too deep');
  });

  test('with a schema that is too large nothing is checked', () => {
    const circle: Record<string, unknown> = { type: 'object' };
    circle.properties = { a: circle, b: circle };
    const properties = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`p${i}`, { type: 'integer' }]));
    for (const schema of [
      circle,
      { properties },
      { enum: Object.keys(properties) },
      { title: 't'.repeat(5_000_000) },
    ]) {
      const prepared = prepareSchema(schema);
      expect(prepared.root).toEqual({});
      expect(prepared.warnings).toEqual([expect.stringContaining('The schema is too large')]);
      const unchecked = 'the schema has more than 20000 values';
      expect(checkValue({ prepared, value: { a: 1 }, budget: unlimitedWork })).toEqual({ errors: [], unchecked });
    }
  });

  test('an id that is not a URI makes the schema unusable, with the reason', () => {
    const { lookup, warnings } = prepareSchema({ properties: { a: { $id: 'http://[' }, b: { $ref: '#' } } });
    expect(lookup).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining('The schema cannot be used to check arguments')]);
  });
});

test('anything at all can be prepared', () => {
  fc.assert(
    fc.property(hostileValue, (schema) => {
      const { root, warnings } = prepareSchema(schema);
      expect(typeof root).toBe('object');
      expect(warnings.length).toBeLessThanOrEqual(23);
    }),
    { numRuns: 500 },
  );
});

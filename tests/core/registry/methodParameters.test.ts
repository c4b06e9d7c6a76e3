import fc from 'fast-check';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../../src-core/base/json.ts';
import { methodParameters } from '../../../src-core/registry/methodParameters.ts';
import { prepareSchema } from '../../../src-core/schema/prepareSchema.ts';
import type { MethodParameter } from '../../../src-core/base/toolTypes.ts';
import { hostileValue } from './hostileSchema.ts';

function parameter(schema: unknown, required: string[] = [], $defs: unknown = {}): MethodParameter | undefined {
  return methodParameters({ type: 'object', properties: { p: schema }, required, $defs })[0];
}

describe('what is read of one property', () => {
  test.each<[unknown, Partial<MethodParameter>]>([
    [
      { type: 'integer', minimum: 0, maximum: 100 },
      { type: 'integer', minimum: 0, maximum: 100 },
    ],
    [{ type: ['string', 'null'] }, { type: 'string|null' }],
    [{}, { type: 'any' }],
    [true, { type: 'any' }],
    [
      { type: 'string', default: '', description: 'Which.' },
      { type: 'string', defaultValue: '', description: 'Which.' },
    ],
    [
      { type: 'boolean', default: false, title: 'Loop' },
      { type: 'boolean', defaultValue: false, description: 'Loop' },
    ],
    [{ enum: ['solid', 'breathe'] }, { type: 'string', enum: ['solid', 'breathe'] }],
    [{ enum: [1, 2.5, null] }, { type: 'integer|number|null', enum: [1, 2.5, null] }],
    [{ const: 'fixed' }, { type: 'string', enum: ['fixed'] }],
    [{ const: null }, { type: 'null', enum: [null] }],
    [{ anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] }, { type: 'integer|null', minimum: 1 }],
    [{ anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string' }] }, { type: 'integer|string' }],
    [{ anyOf: [{ type: 'integer' }, {}] }, { type: 'any' }],
    [{ oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] }, { type: 'string', enum: ['a', 'b'] }],
    [{ allOf: [{ type: 'integer' }, { maximum: 5 }] }, { type: 'integer', maximum: 5 }],
    [
      { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10 },
      { type: 'integer', minimum: 1, maximum: 9 },
    ],
    [
      { type: 'integer', exclusiveMinimum: 1.5, minimum: 1 },
      { type: 'integer', minimum: 2 },
    ],
    [
      { type: 'number', exclusiveMinimum: 0, maximum: 1 },
      { type: 'number', maximum: 1 },
    ],
    [
      { type: 'array', items: { type: 'integer' } },
      { type: 'array', items: { name: '', type: 'integer', required: false } },
    ],
  ])('%j', (schema, expected) => {
    expect(parameter(schema)).toEqual({ name: 'p', required: false, ...expected });
  });

  test('what is required says so', () => {
    expect(parameter({ type: 'string' }, ['p', 'q'])).toEqual({ name: 'p', type: 'string', required: true });
  });

  test('references are followed, also in a chain, and in a circle to an end', () => {
    const size = { type: 'integer', maximum: 7, description: 'How large.' };
    expect(parameter({ $ref: '#/$defs/a' }, [], { a: { $ref: '#/$defs/b' }, b: size })).toEqual({
      name: 'p',
      type: 'integer',
      required: false,
      maximum: 7,
      description: 'How large.',
    });
    expect(parameter({ $ref: '#/$defs/a' }, [], { a: { $ref: '#/$defs/a' } })).toEqual({
      name: 'p',
      type: 'any',
      required: false,
    });
  });
});

describe('the parameters of a whole schema', () => {
  test('stand in the order of the schema, and those of its parts are joined', () => {
    const schema: JsonSchema = {
      properties: { z: { type: 'string' }, a: { type: 'integer' } },
      allOf: [{ properties: { b: { type: 'boolean' } }, required: ['b'] }],
      oneOf: [
        { properties: { kind: { const: 'disc' }, r: { type: 'number' } }, required: ['kind', 'r'] },
        { properties: { kind: { const: 'box' }, w: { type: 'number' } }, required: ['kind', 'w'] },
      ],
      required: ['a'],
    };
    expect(methodParameters(schema)).toEqual([
      { name: 'z', type: 'string', required: false },
      { name: 'a', type: 'integer', required: true },
      { name: 'b', type: 'boolean', required: true },
      { name: 'kind', type: 'string', required: false, enum: ['disc', 'box'] },
      { name: 'r', type: 'number', required: false },
      { name: 'w', type: 'number', required: false },
    ]);
  });

  test('what is in an object or an array is described, too', () => {
    const point = { type: 'object', properties: { lat: { type: 'number' } }, required: ['lat'] };
    const lat = { name: 'lat', type: 'number', required: true };
    expect(parameter(point)).toMatchObject({ type: 'object', properties: [lat] });
    expect(parameter({ $ref: '#/$defs/point' }, [], { point })).toMatchObject({ properties: [lat] });
    expect(parameter({ type: 'array', items: { type: 'string' } })).toMatchObject({
      items: { name: '', type: 'string', required: false },
    });
    expect(parameter({ type: 'array', items: point })).toMatchObject({ items: { properties: [lat] } });
  });

  test('of a schema in itself, four levels and 200 parts are described', () => {
    const count = (parameters: MethodParameter[] = []): number =>
      parameters.reduce((sum, { properties, items }) => sum + 1 + count(properties) + count(items && [items]), 0);
    const depth = ({ properties = [] }: MethodParameter): number => 1 + Math.max(0, ...properties.map(depth));
    const tree = { properties: { inner: { $ref: '#' } } };
    expect(depth(methodParameters(tree)[0]!)).toBe(5);
    const names = Array.from({ length: 10 }, (_, at) => [`p${at}`, { $ref: '#' }]);
    expect(count(methodParameters({ properties: Object.fromEntries(names) }))).toBe(210);
  });

  test('nothing more is described once 200 parts are', () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`p${at}`, {}]));
    const schema = { properties: { a: { properties: many }, b: { items: {} }, c: { properties: many } } };
    const [a, b, c] = methodParameters(schema);
    expect(a?.properties).toHaveLength(200);
    expect([b?.items, c?.properties]).toEqual([undefined, undefined]);
  });

  test.each([undefined, null, 5, 'x', [], {}, { properties: [] }, { type: 'string' }])(
    '%j has no parameters',
    (schema) => {
      expect(methodParameters(schema)).toEqual([]);
    },
  );

  test('a property whose schema is null takes any value', () => {
    expect(methodParameters({ properties: { a: null } })).toEqual([{ name: 'a', type: 'any', required: false }]);
  });

  test('at most a thousand are read', () => {
    const properties = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`p${i}`, {}]));
    expect(methodParameters({ properties }).length).toBe(1_000);
  });

  test('a schema of references to itself, wide and deep, ends', () => {
    const all = Array.from({ length: 100 }, () => ({ $ref: '#' }));
    const chain = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`d${i}`, { $ref: `#/$defs/d${i + 1}` }]));
    const schema = {
      properties: { p: { anyOf: all, allOf: all }, q: { $ref: '#/$defs/d0' } },
      allOf: all,
      $defs: chain,
    };
    expect(methodParameters(schema).map(({ name }) => name)).toEqual(['p', 'q']);
  });

  test('accepts any schema', () => {
    fc.assert(
      fc.property(hostileValue, (schema) => {
        for (const { name, type, required } of methodParameters(schema)) {
          expect([typeof name, typeof type, typeof required]).toEqual(['string', 'string', 'boolean']);
        }
      }),
      { numRuns: 500 },
    );
  });
});

const corpus = new URL('../../../../shared/corpus/', import.meta.url);
const lists = ['tools-esp32host.json', 'tools-pyxiaozhi.json', 'tools-pyxiaozhi-1.1.8.json'];

describe('the tools of real devices', () => {
  test.runIf(existsSync(corpus)).each(lists)('%s: every schema is used whole', (file) => {
    const tools = JSON.parse(readFileSync(new URL(file, corpus), 'utf8')) as {
      name: string;
      inputSchema: JsonSchema;
    }[];
    expect(tools.length).toBeGreaterThan(10);
    for (const { name, inputSchema } of tools) {
      expect(prepareSchema(inputSchema).warnings, name).toEqual([]);
      const properties = Object.entries((inputSchema.properties ?? {}) as Record<string, JsonSchema>);
      expect(methodParameters(inputSchema), name).toEqual(
        properties.map(([key, { type, default: defaultValue, minimum, maximum, description }]) => ({
          name: key,
          type,
          required: ((inputSchema.required ?? []) as string[]).includes(key),
          ...(defaultValue !== undefined && { defaultValue }),
          ...(minimum !== undefined && { minimum }),
          ...(maximum !== undefined && { maximum }),
          ...(description !== undefined && { description }),
        })),
      );
    }
  });
});

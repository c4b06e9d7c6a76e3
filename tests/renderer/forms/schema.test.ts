import { describe, expect, it } from 'vitest';

import { parseJsonText } from '../../../renderer/forms/json/parseJsonText.ts';
import { checkArguments } from '../../../renderer/forms/schema/checkArguments.ts';
import { fieldsOf } from '../../../renderer/forms/schema/fieldsOf.ts';
import type { JsonSchema } from '../../../src-core/api/types.ts';

const issues = (schema: JsonSchema, text: string) => {
  const parsed = parseJsonText(text);
  if (!parsed.ok) throw new Error('not JSON');
  return checkArguments(schema, parsed.root).map(({ path, code, remedy }) =>
    [path.join('.'), code, remedy].filter((part) => part !== undefined),
  );
};
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
      { typeText: 'string[]', control: { kind: 'json', holds: 'array' } },
    ],
    [
      { type: 'object', properties: { r: { type: 'integer' } } },
      { typeText: 'object', control: { kind: 'object' } },
    ],
    [{ type: 'object' }, { control: { kind: 'json', holds: 'object' } }],
    [{ type: ['string', 'integer'] }, { typeText: 'string | integer', control: { kind: 'json' } }],
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

describe('checkArguments', () => {
  it.each<[string, JsonSchema, string, unknown[]]>([
    ['a missing required field', one({ type: 'string' }, true), '{}', [['x', 'required']]],
    ['a number over its maximum', one({ type: 'integer', maximum: 1600 }), '{"x": 4096}', [['x', 'maximum', '1600']]],
    ['a number under its minimum', one({ type: 'number', minimum: 0.5 }), '{"x": 0.25}', [['x', 'minimum', '0.5']]],
    ['a fraction where an integer is asked for', one({ type: 'integer' }), '{"x": 1.5}', [['x', 'type']]],
    ['digits in quotes', one({ type: 'integer' }), '{"x": "50"}', [['x', 'type', '50']]],
    ['words in quotes', one({ type: 'integer' }), '{"x": "fifty"}', [['x', 'type']]],
    ['a boolean in quotes', one({ type: 'boolean' }), '{"x": "true"}', [['x', 'type', 'true']]],
    ['a number where text is asked for', one({ type: 'string' }), '{"x": 5}', [['x', 'type', '"5"']]],
    ['null where it is not allowed', one({ type: 'string' }), '{"x": null}', [['x', 'null']]],
    ['a value outside an enum', one({ enum: ['on', 'off'] }), '{"x": "dim"}', [['x', 'enum']]],
    ['a step that does not fit', one({ type: 'number', multipleOf: 0.1 }), '{"x": 0.25}', [['x', 'multipleOf']]],
    ['a text that is too short', one({ type: 'string', minLength: 2 }), '{"x": "灯"}', [['x', 'minLength']]],
    ['an unknown key of a closed object', { ...one({}), additionalProperties: false }, '{"y": 1}', [['y', 'unknown']]],
    ['a key that stands twice', one({}), '{"x": 1, "x": 2}', [['x', 'duplicate']]],
    [
      'a fault inside an object',
      one(one({ type: 'integer', maximum: 255 }, true)),
      '{"x": {"x": 300}}',
      [['x.x', 'maximum', '255']],
    ],
  ])('finds %s', (_name, schema, text, expected) => {
    expect(issues(schema, text)).toEqual(expected);
  });

  it.each<[string, JsonSchema, string]>([
    ['what fits', one({ type: 'integer', minimum: 0, maximum: 100 }, true), '{"x": 100}'],
    ['null where it is allowed', one({ anyOf: [{ type: 'string' }, { type: 'null' }] }), '{"x": null}'],
    ['1.0 as an integer', one({ type: 'integer' }), '{"x": 1.0}'],
    ['0.3 as a multiple of 0.1', one({ type: 'number', multipleOf: 0.1 }), '{"x": 0.3}'],
    [
      'what it does not know',
      one({ oneOf: [{ type: 'string' }, { type: 'array' }, { type: 'integer' }] }),
      '{"x": {}}',
    ],
    ['characters outside the first plane as one each', one({ type: 'string', maxLength: 1 }), '{"x": "😀"}'],
  ])('lets %s pass', (_name, schema, text) => {
    expect(issues(schema, text)).toEqual([]);
  });

  it('looks at a huge object only as long as it is worth', () => {
    const text = JSON.stringify({
      x: Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${String(at)}`, 1])),
    });
    expect(issues(one({ type: 'object', additionalProperties: false }), text).length).toBe(5_000);
    const deep = `${'{"x":'.repeat(150)}1${'}'.repeat(150)}`;
    expect(issues({ type: 'object', properties: { x: { $ref: '#' } } }, deep)).toEqual([]);
  });
});

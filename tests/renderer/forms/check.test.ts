import { describe, expect, it } from 'vitest';

import { checkArguments } from '../../../renderer/forms/check/checkArguments.ts';
import { parseJsonText } from '../../../renderer/forms/json/parseJsonText.ts';
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

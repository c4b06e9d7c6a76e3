import { afterEach, describe, expect, it, test } from 'vitest';

import { checkArguments } from '../../../../renderer/ui/forms/check/checkArguments.ts';
import { wordIssue } from '../../../../renderer/ui/forms/words/fieldMessage.ts';
import { setLanguage } from '../../../../renderer/i18n/index.ts';
import { parseJsonText } from '../../../../renderer/ui/forms/json/parseJsonText.ts';
import { describeIssue } from '../../../../src-core/schema/describeIssue.ts';
import type { JsonObject, JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';

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
    ['null if the type does not allow it', one({ type: 'string' }), '{"x": null}', [['x', 'type']]],
    [
      'null where only OpenAPI’s word says so',
      one({ type: 'string', nullable: false }),
      '{"x": null}',
      [['x', 'type']],
    ],
    ['a value outside an enum', one({ enum: ['on', 'off'] }), '{"x": "dim"}', [['x', 'enum']]],
    ['a step that does not fit', one({ type: 'number', multipleOf: 0.1 }), '{"x": 0.25}', [['x', 'multipleOf']]],
    ['a text that is too short', one({ type: 'string', minLength: 2 }), '{"x": "灯"}', [['x', 'minLength']]],
    ['an unknown key of a closed object', { ...one({}), additionalProperties: false }, '{"y": 1}', [['y', 'unknown']]],
    ['a key that stands twice', one({}), '{"x": 1, "x": 2}', [['x', 'duplicate']]],
    ['a value that is not the only one', one({ const: 'a' }), '{"x": "b"}', [['x', 'const', '"a"']]],
    ['a text outside of its pattern', one({ type: 'string', pattern: '^a+$' }), '{"x": "b"}', [['x', 'pattern']]],
    ['a text of another format', one({ type: 'string', format: 'date' }), '{"x": "2026-02-30"}', [['x', 'format']]],
    ['too few items', one({ type: 'array', minItems: 1 }), '{"x": []}', [['x', 'minItems']]],
    ['too many items', one({ type: 'array', maxItems: 1 }), '{"x": [1, 2]}', [['x', 'maxItems']]],
    [
      'an item twice',
      one({ uniqueItems: true }),
      '{"x": [{"a": 1, "b": 2}, {"b": 2, "a": 1.0}]}',
      [['x.1', 'uniqueItems']],
    ],
    ['no item as one must be', one({ contains: { const: 1 } }), '{"x": [2]}', [['x', 'contains']]],
    ['a wrong item', one({ items: { type: 'integer' } }), '{"x": [1, "b"]}', [['x.1', 'type']]],
    ['a wrong place of a tuple', one({ prefixItems: [{}, { type: 'boolean' }] }), '{"x": [1, 2]}', [['x.1', 'type']]],
    ['an item after a closed tuple', one({ items: [{}], additionalItems: false }), '{"x": [1, 2]}', [['x.1', 'never']]],
    [
      'a wrong entry of a map',
      one({ additionalProperties: { type: 'integer' } }),
      '{"x": {"k": ""}}',
      [['x.k', 'type']],
    ],
    [
      'a wrong entry by its pattern',
      one({ patternProperties: { '^n': { type: 'integer' } } }),
      '{"x": {"n1": ""}}',
      [['x.n1', 'type']],
    ],
    [
      'a name that is not allowed',
      one({ propertyNames: { maxLength: 1 } }),
      '{"x": {"ab": 1}}',
      [['x.ab', 'propertyName']],
    ],
    ['too few entries', one({ minProperties: 1 }), '{"x": {}}', [['x', 'minProperties']]],
    [
      'what another entry asks for',
      one({ dependentRequired: { a: ['b'] } }),
      '{"x": {"a": 1}}',
      [['x.b', 'dependent']],
    ],
    ['the same in draft-07', one({ dependencies: { a: ['b'] } }), '{"x": {"a": 1}}', [['x.b', 'dependent']]],
    ['a value of no kind', one({ anyOf: [{ type: 'string' }, { type: 'array' }] }), '{"x": {}}', [['x', 'type']]],
    [
      'a value of two kinds',
      one({ oneOf: [{ minimum: 0 }, { maximum: 9 }] }),
      '{"x": 5}',
      [['x', 'tooManyAlternatives']],
    ],
    [
      'a fault in the kind that was meant',
      one({
        oneOf: ['a', 'b'].map<JsonObject>((kind) => {
          const properties: JsonObject = { kind: { const: kind }, [kind]: { type: 'integer' } };
          return { type: 'object', properties, required: ['kind', kind] };
        }),
      }),
      '{"x": {"kind": "b", "b": "no"}}',
      [['x.b', 'type']],
    ],
    [
      'a value that tells kinds apart, of none of them',
      one({
        oneOf: [{ kind: { const: 'a' } }, { kind: { enum: ['b', 'c'] } }].map<JsonObject>((properties) => ({
          properties,
        })),
      }),
      '{"x": {"kind": "d"}}',
      [['x.kind', 'enum']],
    ],
    ['an excluded value', one({ not: { const: 1 } }), '{"x": 1}', [['x', 'not']]],
    ['what a condition asks for', one({ if: { const: 1 }, then: false }), '{"x": 1}', [['x', 'never']]],
    [
      'an unevaluated entry',
      one({ allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }),
      '{"x": {"a": 1, "b": 1}}',
      [['x.b', 'unknown']],
    ],
    [
      'an item that `contains` does not speak of',
      one({ contains: { const: 1 }, unevaluatedItems: { type: 'null' } }),
      '{"x": [1, 2]}',
      [['x.1', 'type']],
    ],
    [
      'a fault behind a reference',
      { ...one({ $ref: '#/definitions/n' }), definitions: { n: { type: 'null' } } },
      '{"x": 1}',
      [['x', 'type']],
    ],
    [
      'a large integer above its maximum, exactly',
      one({ type: 'integer', maximum: 9007199254740992 }),
      '{"x": 9007199254740993}',
      [['x', 'maximum', '9007199254740992']],
    ],
    [
      'a large integer that is no multiple, exactly',
      one({ multipleOf: 2 }),
      '{"x": 9007199254740993}',
      [['x', 'multipleOf']],
    ],
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
    [
      'items that `contains` speaks of, as evaluated',
      one({ contains: { const: 1 }, unevaluatedItems: false }),
      '{"x": [1, 1]}',
    ],
    ['null where OpenAPI allows it', one({ type: 'string', enum: ['a'], nullable: true }), '{"x": null}'],
    ['1.0 as an integer', one({ type: 'integer' }), '{"x": 1.0}'],
    ['0.3 as a multiple of 0.1', one({ type: 'number', multipleOf: 0.1 }), '{"x": 0.3}'],
    ['a null that one of the kinds is', one({ oneOf: [{ type: 'null' }, { type: 'integer' }] }), '{"x": null}'],
    ['a schema that holds itself', { properties: { x: { $ref: '#' } } }, '{"x": {"x": {"x": {}}}}'],
    ['references in a circle', { ...one({ $ref: '#/$defs/a' }), $defs: { a: { $ref: '#/$defs/a' } } }, '{"x": 1}'],
    ['a reference to elsewhere', one({ $ref: 'https://example.com/x.json' }), '{"x": 1}'],
    ['a pattern that would take years', one({ pattern: '^(a+)+$' }), `{"x": "${'a'.repeat(60)}!"}`],
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

describe('a value outside a large enum', () => {
  afterEach(() => setLanguage('en'));
  const many = Array.from({ length: 9_900 }, (_, at) => `choice ${at}`);
  const noteOf = (options: JsonSchema['enum'], value: unknown) => {
    const parsed = parseJsonText(JSON.stringify({ x: value }));
    if (!parsed.ok) throw new Error('not JSON');
    const [issue] = checkArguments(one({ enum: options ?? [] }), parsed.root);
    return issue && wordIssue(issue);
  };

  it('states the count with examples and suggests the nearest value', () => {
    expect(noteOf(many, 'choice nine')).toEqual({
      message: '"choice nine" is not one of the 9,900 accepted values, such as "choice 0", "choice 1".',
      remedy: { word: expect.stringMatching(/^Use "choice \d+"$/) as string, json: expect.any(String) as string },
    });
    expect(noteOf(many, 'Choice 99')?.remedy).toEqual({ word: 'Use "choice 99"', json: '"choice 99"' });
    expect(noteOf(many, 'zz')).not.toHaveProperty('remedy');
  });

  it('is explained in Chinese, too', () => {
    setLanguage('zh');
    expect(noteOf(many, 'choice nine')?.message).toBe(
      '“choice nine”不是 9900 个可选值之一，例如“choice 0”“choice 1”。',
    );
    expect(
      noteOf(
        Array.from({ length: 20 }, (_, at) => at),
        21,
      )?.message,
    ).toBe('21 不是 20 个可选值之一，例如0、1。');
  });

  it('offers the number of the same digits, and names the values of a small enum', () => {
    expect(noteOf([1, 5], '5')).toEqual({
      message: '"5" is not one of 1, 5.',
      remedy: { word: 'Use 5', json: '5' },
    });
  });
});

test.each<[JsonSchema, JsonValue]>([
  [{ minimum: 1 }, 0],
  [{ maximum: 100 }, 400],
  [{ exclusiveMinimum: 0 }, 0],
  [{ exclusiveMaximum: 5 }, 5],
  [{ minLength: 2 }, 'a'],
  [{ maxLength: 2 }, 'abc'],
  [{ type: 'array', minItems: 1 }, []],
  [{ type: 'array', maxItems: 1 }, [1, 2]],
  [{ type: 'object', minProperties: 1 }, {}],
  [
    { type: 'object', maxProperties: 1 },
    { a: 1, b: 2 },
  ],
])('%j is worded as by the engine, which words it for the Parser', (schema, value) => {
  const parsed = parseJsonText(JSON.stringify({ x: value }));
  const [issue] = parsed.ok ? checkArguments(one(schema), parsed.root) : [];
  const keyword = Object.keys(schema).find((name) => name !== 'type') ?? '';
  const { message } = describeIssue({ keyword, schema, value, lookup: undefined, fallback: '' });
  expect(issue && wordIssue(issue).message).toBe(message);
});

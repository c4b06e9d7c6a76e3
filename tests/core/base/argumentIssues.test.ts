import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src-core/base/json.ts';
import { fromJson, fromText } from '../schema/convertFrom.ts';

describe('every issue names the parameter and the fix', () => {
  test.each<[JsonValue, JsonValue, string, JsonValue | undefined]>([
    [4096, { type: 'integer', maximum: 1600 }, '4096 is above the maximum, 1600. Use 1600.', 1600],
    [-1, { type: 'integer', minimum: 0 }, '-1 is below the minimum, 0. Use 0.', 0],
    [0, { type: 'integer', exclusiveMinimum: 0 }, '0 is not above 0. Use 1.', 1],
    [10, { type: 'number', exclusiveMaximum: 10 }, '10 is not below 10. Use 9.', 9],
    [0.31, { type: 'number', multipleOf: 0.1 }, '0.31 is not a multiple of 0.1. Use 0.3.', 0.3],
    ['Breath', { enum: ['solid', 'breathe'] }, '"Breath" is not one of "solid", "breathe". Use "breathe".', 'breathe'],
    ['5', { enum: [1, 5] }, '"5" is not one of 1, 5. Use 5.', 5],
    ['y', { enum: ['a', 'b'] }, '"y" is not one of "a", "b".', undefined],
    ['x', { const: 'disc' }, '"x" is not "disc", the only value accepted. Use "disc".', 'disc'],
    [5, { type: ['string', 'null'] }, '5 is not a string or null. Use "5".', '5'],
    [null, { type: 'integer' }, 'null is not an integer.', undefined],
    ['abc', { type: 'string', maxLength: 2 }, 'The string has 3 characters; the maximum is 2.', undefined],
    ['😀', { type: 'string', minLength: 2 }, 'The string has 1 character; the minimum is 2.', undefined],
    [[], { type: 'array', minItems: 1 }, 'The array has 0 items; the minimum is 1.', undefined],
    ['b', { type: 'string', pattern: '^a' }, '"b" does not match the pattern ^a.', undefined],
    [
      'soon',
      { type: 'string', format: 'date-time' },
      '"soon" is not a valid date-time. One looks like this: 2026-01-31T08:30:00Z',
      undefined,
    ],
    [
      150,
      { anyOf: [{ type: 'integer', maximum: 100 }, { type: 'null' }] },
      '150 is above the maximum, 100. Use 100.',
      100,
    ],
    ['x', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, '"x" is not an integer or null.', undefined],
    [
      true,
      {
        anyOf: [
          { type: 'array', minItems: 1 },
          { type: 'boolean', const: false },
        ],
      },
      'true fits none of the accepted forms.',
      undefined,
    ],
    [
      5,
      { oneOf: [{ type: 'integer' }, { type: 'number' }, { type: 'string' }] },
      '5 fits more than one of the accepted forms; it has to fit one.',
      undefined,
    ],
    [{}, { type: 'object', minProperties: 1 }, 'The object has 0 entries; the minimum is 1.', undefined],
    [{ a: 1, b: 2 }, { maxProperties: 1 }, 'The object has 2 entries; the maximum is 1.', undefined],
    ['x', { not: { const: 'x' } }, '"x" is not accepted here.', undefined],
    [13, { allOf: [{ maximum: 10 }, { multipleOf: 4 }] }, '13 is above the maximum, 10.', undefined],
    [[1, 1], { uniqueItems: true }, 'Duplicate items at indexes 0 and 1.', undefined],
    ['x', false, '"p" is not allowed.', undefined],
  ])('%j with %j: %s', (value, schema, message, remedy) => {
    const { issues } = fromJson({ p: value }, { p: schema });
    expect(issues).toEqual([{ path: '/p', parameter: 'p', message, ...(remedy !== undefined && { remedy }) }]);
  });

  test('a place inside a value is named by its pointer', () => {
    const color = {
      type: 'object',
      properties: { 'a/b~': { items: { type: 'integer', maximum: 255 } } },
      required: ['g'],
    };
    const { issues, conversions } = fromJson({ color: { 'a/b~': [0, 900] } }, { color });
    expect(issues).toEqual([
      { path: '/color/g', parameter: 'color', message: '"g" is required.' },
      ...[
        {
          path: '/color/a~1b~0/1',
          parameter: 'color',
          message: '900 is above the maximum, 255. Use 255.',
          remedy: 255,
        },
      ],
    ]);
    expect(conversions).toMatchObject([{ parameter: 'color', status: 'invalid', message: issues[0]!.message }]);
  });

  test('lists every missing argument with its type', () => {
    const { issues, conversions } = fromText(
      {},
      { a: { type: 'integer' }, b: { type: 'string' } },
      { required: ['a', 'b', 'c'] },
    );
    expect(issues.map(({ message }) => message)).toEqual([
      '"a" is required (integer).',
      '"b" is required (string).',
      '"c" is required.',
    ]);
    expect(conversions).toMatchObject([
      ...[
        { parameter: 'a', status: 'missing' },
        { parameter: 'b', status: 'missing' },
      ],
      { parameter: 'c', status: 'missing' },
    ]);
  });

  test('an unknown parameter is sent and told with the nearest name', () => {
    const { args, issues, conversions } = fromText({ pth: 'src' }, { path: { type: 'string' } });
    expect(args).toEqual({ pth: 'src' });
    expect(issues).toEqual([]);
    expect(conversions).toMatchObject([
      { parameter: 'pth', status: 'unknown', message: 'Unknown argument "pth". Did you mean "path"?' },
    ]);
  });

  test('unless the schema forbids it', () => {
    expect(fromText({ pth: 'src' }, { path: { type: 'string' } }, { additionalProperties: false }).issues).toEqual([
      { path: '/pth', parameter: 'pth', message: 'Unknown argument "pth". Did you mean "path"?' },
    ]);
  });

  test('reports each value once, and at most twenty issues', () => {
    const twice = { type: 'string', minLength: 5, pattern: '^x' };
    expect(fromText({ p: 'a' }, { p: twice }).issues.length).toBe(1);
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`p${i}`, 'x']));
    const { issues, conversions } = fromText(many, {}, { additionalProperties: { type: 'integer' } });
    expect(issues.length).toBe(20);
    expect(conversions.length).toBe(100);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { convertArguments } from '../../../src-core/schema/convertArguments.ts';
import type { JsonObject, JsonSchema, JsonValue } from '../../../src-core/base/json.ts';
import { unlimitedWork } from '../../../src-core/base/workBudget.ts';
import { fromJson, fromText } from './convertFrom.ts';
import { hostileValue } from '../registry/hostileSchema.ts';

/** The value that one text becomes, or the message of what is wrong with it. */
function read(text: string, schema: JsonValue): JsonValue | undefined {
  const { args, issues } = fromText({ p: text }, { p: schema });
  return issues[0] === undefined ? args.p : `! ${issues[0].message}`;
}

describe('a text becomes what its schema says', () => {
  test.each<[string, JsonValue, JsonValue]>([
    ['50', { type: 'integer' }, 50],
    [' -7\n', { type: 'integer' }, -7],
    ['5.0', { type: 'integer' }, 5],
    ['1e3', { type: 'integer' }, 1000],
    ['0.25', { type: 'number' }, 0.25],
    ['true', { type: 'boolean' }, true],
    ['false', { type: 'boolean' }, false],
    ['null', { type: 'null' }, null],
    ['{"r":255}', { type: 'object' }, { r: 255 }],
    ['[1,"a",null]', { type: 'array' }, [1, 'a', null]],
    ['', { type: 'string' }, ''],
    ['  padded ', { type: 'string' }, '  padded '],
    ['50', { type: 'string' }, '50'],
    ['true', {}, 'true'],
    ['{"a":1}', { type: 'string' }, '{"a":1}'],
    ['9007199254740991', { type: 'integer' }, 9007199254740991],
    ['50.0', { type: 'integer' }, 50],
  ])('%j with %j is %j', (text, schema, value) => {
    expect(read(text, schema)).toEqual(value);
  });

  test.each<[string, JsonValue]>([
    ['9007199254740993', { type: 'integer' }],
    ['-0', { type: 'integer' }],
    ['1e400', { type: 'number' }],
    ['1.50', { type: 'number' }],
    ['{"id":[9007199254740993,1e300],"f":0.1234567890123456789}', { type: 'object' }],
  ])('%s is sent digit for digit', (text, schema) => {
    expect(JSON.stringify(read(text, schema))).toBe(text);
  });

  test.each<[string, JsonValue, string]>([
    ['5abc', { type: 'integer' }, '! "5abc" is not an integer.'],
    ['２', { type: 'integer' }, '! "２" is a string, not an integer. Use 2.'],
    ['－３．５', { type: 'number' }, '! "－３．５" is a string, not a number. Use -3.5.'],
    ['', { type: 'integer' }, '! The value is empty, not an integer.'],
    ['0x10', { type: 'integer' }, '! "0x10" is a string, not an integer. Use 16.'],
    ['007', { type: 'integer' }, '! "007" is a string, not an integer. Use 7.'],
    ['5.5', { type: 'integer' }, '! 5.5 is not an integer. Use 6.'],
    ['Infinity', { type: 'number' }, '! "Infinity" is not a number.'],
    ['True', { type: 'boolean' }, '! "True" is a string, not a boolean. Use true.'],
    ['1', { type: 'boolean' }, '! "1" is a string, not a boolean. Use true.'],
    ['[1]', { type: 'object' }, '! "[1]" is not an object.'],
  ])('%j with %j is refused: %s', (text, schema, message) => {
    expect(read(text, schema)).toBe(message);
  });

  test('broken JSON says where it breaks', () => {
    expect(read('{"a":1,}', { type: 'object' })).toMatch(
      /^! This is not valid JSON: .*column 7: there is a comma before }/,
    );
    expect(read('['.repeat(10_000) + ']'.repeat(10_000), { type: 'array' })).toMatch(/levels deep/);
  });
});

describe('unions, in the documented order', () => {
  test.each<[string, JsonValue, JsonValue]>([
    ['50', { type: ['string', 'integer'] }, '50'],
    ['null', { type: ['string', 'null'] }, 'null'],
    ['null', { type: ['integer', 'null'] }, null],
    ['3', { type: ['integer', 'null'] }, 3],
    ['true', { type: ['boolean', 'integer'] }, true],
    ['50', { anyOf: [{ type: 'integer' }, { type: 'string', enum: ['auto'] }] }, 50],
    ['auto', { anyOf: [{ type: 'integer' }, { type: 'string', enum: ['auto'] }] }, 'auto'],
    ['[1]', { oneOf: [{ type: 'array' }, { type: 'string', maxLength: 2 }] }, [1]],
    ['2', { enum: [1, 2, '3'] }, 2],
    ['3', { enum: [1, 2, '3'] }, '3'],
    ['4', { const: 4 }, 4],
    ['8', { $ref: '#/properties/other' }, 8],
    ['8', { allOf: [{ type: 'integer' }, { maximum: 9 }] }, 8],
  ])('%j with %j is %j', (text, schema, value) => {
    const { args, issues } = fromText({ p: text }, { p: schema, other: { type: 'integer' } });
    expect(issues).toEqual([]);
    expect(args.p).toEqual(value);
  });

  test('parameters that only the branches of the schema name are converted too', () => {
    const branches: JsonValue = [
      { properties: { kind: { const: 'disc' }, r: { type: 'number' } }, required: ['kind', 'r'] },
      { properties: { kind: { const: 'box' }, w: { type: 'number' } }, required: ['kind', 'w'] },
    ];
    expect(fromText({ kind: 'box', w: '2' }, {}, { oneOf: branches })).toMatchObject({
      args: { kind: 'box', w: 2 },
      issues: [],
    });
    expect(fromText({ kind: 'box', w: 'wide' }, {}, { oneOf: branches }).issues).toEqual([
      { path: '/w', parameter: 'w', message: '"wide" is not a number.' },
    ]);
  });

  test('further parameters follow the schema for them', () => {
    const { args, conversions } = fromText({ extra: '5' }, {}, { additionalProperties: { type: 'integer' } });
    expect(args).toEqual({ extra: 5 });
    expect(conversions).toMatchObject([{ status: 'converted' }]);
  });
});

describe('JSON values are not coerced', () => {
  test('a text instead of a number is an issue whose remedy is the number', () => {
    const { args, issues } = fromJson({ volume: '50' }, { volume: { type: 'integer' } });
    expect(args).toEqual({ volume: '50' });
    expect(issues).toEqual([
      { path: '/volume', parameter: 'volume', message: '"50" is a string, not an integer. Use 50.', remedy: 50 },
    ]);
  });

  const form = (properties: JsonObject): JsonObject => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });
  const number = { type: 'number' };
  const shapes = [
    form({ kind: { const: 'disc' }, r: number }),
    form({ kind: { enum: ['box', 'rect'] }, w: number, h: number }),
  ];
  const targets = [form({ url: { type: 'string' } }), form({ path: { type: 'string' }, line: { type: 'integer' } })];
  test.each<[string, JsonValue[], JsonValue, string[]]>([
    ['the branch with its mark', shapes, { kind: 'disc' }, ['/p/r "r" is required (number).']],
    ['one of several marks', shapes, { kind: 'rect', w: 'x', h: 1 }, ['/p/w "x" is not a number.']],
    ['a member of another branch', shapes, { kind: 'disc', r: 1, w: 2 }, ['/p/w Unknown argument "w".']],
    ['no mark', shapes, { r: 1 }, ['/p/kind "kind" is required (string).']],
    [
      'a mark of no branch',
      shapes,
      { kind: 'bix', r: 1 },
      ['/p/kind "bix" is not one of "disc", "box", "rect". Use "box".'],
    ],
    ['the fewest errors', targets, { path: 'a' }, ['/p/line "line" is required (integer).']],
    ['values alone', [{ const: 'on' }, { const: 'off' }], 'of', ['/p "of" is not one of "on", "off". Use "off".']],
    ['a value or null', [{ enum: ['on', 'off'] }, { type: 'null' }], 'x', ['/p "x" is not one of "on", "off".']],
    ['a value or a number', [{ const: 'on' }, { type: 'number' }], 'x', ['/p "x" fits none of the accepted forms.']],
    ['nothing to go by', [{ pattern: '^a' }, { maxLength: 1 }], 'bc', ['/p "bc" fits none of the accepted forms.']],
  ])('of several forms, the issues are those of the one that fits best: %s', (_, forms, p, told) => {
    for (const choice of ['anyOf', 'oneOf']) {
      const { issues } = fromJson({ p }, { p: { [choice]: forms } });
      expect(issues.map(({ path, message }) => `${path} ${message}`)).toEqual(told);
    }
  });

  test('what fits passes unchanged', () => {
    const given = { a: 1, b: null, c: { d: [true] }, e: '5' };
    expect(fromJson(given, { a: { type: 'integer' }, e: { type: 'string' } })).toMatchObject({
      args: given,
      issues: [],
    });
  });

  test('what is not valid JSON is an issue at its place, and never sent', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const { args, issues, conversions } = fromJson({ a: { b: [1n] }, c: circle, d: Number.NaN, ok: 1 }, {});
    expect(args).toEqual({ ok: 1 });
    expect(issues.slice(0, 1)).toEqual([
      { path: '/a/b/0', parameter: 'a', message: 'This cannot be sent: a value of type bigint is not JSON.' },
    ]);
    expect(issues.map(({ parameter }) => parameter)).toEqual(['a', 'c', 'd']);
    expect(conversions.map(({ parameter, status }) => [parameter, status])).toEqual([
      ...[
        ['a', 'invalid'],
        ['c', 'invalid'],
        ['d', 'invalid'],
      ],
      ['ok', 'unknown'],
    ]);
  });

  test('undefined counts as not given', () => {
    expect(fromJson({ a: undefined }, { a: { type: 'integer', default: 3 } })).toMatchObject({
      args: {},
      conversions: [{ parameter: 'a', status: 'default-not-sent', value: 3 }],
    });
  });
});

describe('defaults', () => {
  test('are never sent, only told', () => {
    const { args, conversions, issues } = fromText(
      {},
      { url: { type: 'string', default: 'The URL' }, n: { type: 'integer' } },
    );
    expect(args).toEqual({});
    expect(issues).toEqual([]);
    expect(conversions).toEqual([
      {
        parameter: 'url',
        status: 'default-not-sent',
        value: 'The URL',
        message: 'Not sent. Default in the schema: "The URL".',
      },
    ]);
  });
});

describe('schemas that cannot be trusted', () => {
  const notChecked = (why: string): object[] => [
    {
      path: '',
      parameter: '',
      message: expect.stringMatching(
        `^The arguments were not checked against the inputSchema: ${why}.*Send less`,
      ) as string,
    },
  ];
  const tooMuch = notChecked('it takes more than 12 ms of processor time');

  test('an endless pattern refuses the call', () => {
    const { issues } = fromText(
      { text: `${'a'.repeat(60)}!`, volume: '400' },
      { text: { type: 'string', pattern: '^(a+)+$' }, volume: { type: 'integer', maximum: 100 } },
    );
    expect(issues).toEqual(tooMuch);
  });

  test('a thousand endless patterns are given up together', () => {
    const evil: JsonSchema = { anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^(a+)+$' }] };
    const names = Array.from({ length: 1_000 }, (_, i) => `p${i}`);
    const text = `${'a'.repeat(60)}!`;
    const { args, issues } = fromText(
      Object.fromEntries(names.map((name) => [name, name === 'p999' ? '5' : text])),
      Object.fromEntries(names.map((name) => [name, evil])),
    );
    expect(args.p0).toBe(text);
    expect(issues).toEqual(tooMuch);
  });

  test('a reference in a circle refuses the call', () => {
    const inputSchema = { properties: { p: { $ref: '#/$defs/a' } }, $defs: { a: { $ref: '#/$defs/a' } } };
    // A busy machine would spend the time of the check before the stack is full.
    const options = { args: { p: '1' }, inputSchema, source: 'text', budget: unlimitedWork } as const;
    const { args, issues } = convertArguments(options);
    expect(args).toEqual({ p: '1' });
    expect(issues).toEqual(notChecked('Maximum call stack size exceeded'));
  });

  const list = (length: number): number[] => Array.from({ length }, (_, i) => i);
  const fan = Object.fromEntries(
    list(40).map((i) => [`a${i + 1}`, { allOf: [{ $ref: `#/$defs/a${i}` }, { $ref: `#/$defs/a${i}` }] }]),
  );
  test.each<[string, JsonSchema, JsonValue, JsonSchema?]>([
    ['comparing all items with all', { uniqueItems: true }, list(40_000)],
    [
      '1,500 schemas for each of 5,000 items',
      { items: { allOf: list(1_500).map(() => ({ minimum: 0 })) } },
      list(5_000),
    ],
    ['references that double 40 times', { $ref: '#/$defs/a40' }, 1, { $defs: { a0: { minimum: 0 }, ...fan } }],
    ['1,000 lengths of a long text', { allOf: list(1_000).map(() => ({ minLength: 1 })) }, 'a'.repeat(1_000_000)],
    [
      '1,500 patterns for 5,000 names',
      { patternProperties: Object.fromEntries(list(1_500).map((i) => [`^q${i}`, true])) },
      Object.fromEntries(list(5_000).map((i) => [`p${i}`, i])),
    ],
  ])('%s refuses the call', (_name, schema, value, rest) => {
    expect(fromJson({ p: value }, { p: schema }, rest).issues).toEqual(tooMuch);
  });

  test('a schema that is too large refuses the call', () => {
    const enumeration = list(30_000).map((i) => `choice ${i}`);
    expect(fromJson({ p: 'choice 1' }, { p: { enum: enumeration } }).issues).toEqual(
      notChecked('the schema has more than 20000 values'),
    );
  });

  test('many long choices for many values are described without repeating them', () => {
    const choices = Array.from({ length: 90 }, (_, i) => `${'e'.repeat(10_000)}${i}`);
    const { issues } = fromJson({ p: list(4_000).map(String) }, { p: { items: { enum: choices } } });
    expect(issues.length).toBeGreaterThan(0);
    expect(JSON.stringify(issues).length).toBeLessThan(50_000);
  });

  test('a broken reference is a warning, and the other keywords are checked', () => {
    const { issues, warnings } = fromText({ p: '5' }, { p: { $ref: '#/gone', type: 'integer', maximum: 3 } });
    expect(issues).toMatchObject([{ remedy: 3 }]);
    expect(warnings).toEqual([expect.stringContaining('"#/gone" has no target')]);
  });

  test('__proto__ as an argument is data like any other', () => {
    const args = JSON.parse('{"__proto__":"1","constructor":"2","toString":"3"}') as Record<string, string>;
    const { args: sent, issues } = fromText(args, JSON.parse('{"__proto__":{"type":"integer"}}') as JsonSchema);
    expect(issues).toEqual([]);
    expect(Object.entries(sent)).toEqual([
      ['__proto__', 1],
      ['constructor', '2'],
      ['toString', '3'],
    ]);
    expect(Object.getPrototypeOf(sent)).toBeNull();
  });

  test('a required name that every object has is still missing', () => {
    expect(fromText({}, { toString: { type: 'string' } }, { required: ['toString'] }).issues).toMatchObject([
      { parameter: 'toString', message: '"toString" is required (string).' },
    ]);
  });

  test('whatever the schema and the arguments are, there is an answer', () => {
    const args = fc.dictionary(fc.oneof(fc.constantFrom('a', 'x', '__proto__'), fc.string()), fc.anything());
    fc.assert(
      fc.property(
        hostileValue,
        args,
        fc.constantFrom('text' as const, 'json' as const),
        (inputSchema, given, source) => {
          const { args: sent, issues, conversions } = convertArguments({ args: given, inputSchema, source });
          expect(() => JSON.stringify(sent)).not.toThrow();
          expect(issues.length).toBeLessThanOrEqual(20);
          for (const { parameter, message } of issues)
            expect([typeof parameter, message !== '']).toEqual(['string', true]);
          const rows = conversions.map((row) => row.parameter);
          expect(new Set(rows).size).toBe(rows.length);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('properties', () => {
  const typed = fc.oneof(
    fc.record({ schema: fc.constant({ type: 'integer' }), value: fc.maxSafeInteger() }),
    fc.record({
      schema: fc.constant({ type: 'number' }),
      value: fc.double({ noNaN: true, noDefaultInfinity: true, max: 1e15, min: -1e15 }),
    }),
    fc.record({ schema: fc.constant({ type: 'boolean' }), value: fc.boolean() }),
    fc.record({ schema: fc.constant({ type: 'string' }), value: fc.string() }),
    fc.record({
      schema: fc.constant({ type: ['array', 'object'] }),
      value: fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())),
    }),
  );

  test('a value written as text comes back as that value', () => {
    fc.assert(
      fc.property(typed, ({ schema, value }) => {
        const text = typeof value === 'string' ? value : JSON.stringify(value);
        const { args, issues } = fromText({ p: text }, { p: schema as JsonSchema });
        if (issues.length > 0) expect(issues[0]!.message).toMatch(/half a character/);
        else expect(JSON.stringify(args.p)).toBe(JSON.stringify(value));
      }),
    );
  });

  test('a remedy, used in its place, is accepted there', () => {
    const type = fc.constantFrom('integer', 'number', 'string', 'boolean');
    const limit = fc.integer({ min: -20, max: 20 });
    const choice = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constantFrom('a', 'on', '3'));
    const schema = fc.oneof(
      ...[fc.record({ type }), fc.record({ type, maximum: limit }), fc.record({ minimum: limit, maximum: limit })],
      fc.record({ exclusiveMinimum: limit, multipleOf: fc.integer({ min: 1, max: 7 }) }),
      fc.record({ allOf: fc.tuple(fc.record({ maximum: limit }), fc.record({ type })) }),
      fc.record({ enum: fc.array(choice, { minLength: 1, maxLength: 4 }) }),
    );
    const number = fc.oneof(fc.integer({ min: -50, max: 50 }), fc.double({ noNaN: true, min: -50, max: 50 }));
    const value = fc.oneof(number, fc.constantFrom('3', 'true', 'ON', ''), fc.boolean());
    let remedies = 0;
    fc.assert(
      fc.property(schema, value, (p, given) => {
        const [issue] = fromJson({ p: given }, { p }).issues;
        if (issue?.remedy === undefined) return;
        remedies += 1;
        expect(fromJson({ p: issue.remedy }, { p }).issues).toEqual([]);
      }),
      { numRuns: 500 },
    );
    expect(remedies).toBeGreaterThan(20);
  });
});

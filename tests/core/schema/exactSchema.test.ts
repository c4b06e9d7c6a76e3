import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { checkValue } from '../../../src-core/schema/checkValue.ts';
import { parseExactly, parseIntegersExactly } from '../../../src-core/base/exactNumber.ts';
import type { JsonObject, JsonValue } from '../../../src-core/base/json.ts';
import { methodParameters } from '../../../src-core/registry/methodParameters.ts';
import { prepareSchema } from '../../../src-core/schema/prepareSchema.ts';
import { unlimitedWork } from '../../../src-core/base/workBudget.ts';
import { readArguments } from '../../../src-core/schema/readArguments.ts';

/** What is told of one argument, as both are written. */
function issueOf(schema: string, value: string, source: 'json' | 'text' = 'json') {
  const inputSchema = parseIntegersExactly(`{"type":"object","properties":{"x":${schema}}}`);
  const args = source === 'json' ? (parseExactly(`{"x":${value}}`) as JsonObject) : { x: value };
  const { issues, warnings } = readArguments({ args, inputSchema, source, budget: unlimitedWork });
  expect(warnings).toEqual([]);
  return issues[0];
}

describe('whole numbers beyond 2^53 in a schema hold to the digit', () => {
  test.each([
    ['{"minimum":9007199254740993}', '9007199254740993', '9007199254740992'],
    ['{"maximum":9007199254740993}', '9007199254740993', '9007199254740994'],
    ['{"minimum":9007199254740993}', '9007199254740993.5', '9007199254740992.5'],
    ['{"exclusiveMinimum":9007199254740992}', '9007199254740993', '9007199254740992'],
    ['{"exclusiveMaximum":9007199254740993}', '9007199254740992', '9007199254740993'],
    ['{"enum":[9007199254740993,"a"]}', '9007199254740993', '9007199254740992'],
    ['{"const":9007199254740993}', '9007199254740993', '9007199254740994'],
    ['{"const":[{"id":9007199254740993}]}', '[{"id":9007199254740993}]', '[{"id":9007199254740992}]'],
    ['{"multipleOf":9007199254740993}', '18014398509481986', '18014398509481984'],
    ['{"multipleOf":3}', '9007199254740993', '9007199254740992'],
    ['{"multipleOf":0.1}', '9007199254740993.1', '9007199254740993.15'],
    ['{"type":"integer"}', '9007199254740993', '9007199254740993.5'],
    ['{"not":{"const":9007199254740993}}', '9007199254740992', '9007199254740993'],
    ['{"anyOf":[{"maximum":5},{"minimum":9007199254740993}]}', '9007199254740993', '9007199254740992'],
    ['{"uniqueItems":true}', '[9007199254740993,9007199254740992]', '[9007199254740993,9007199254740993]'],
    ['{"properties":{"minimum":{"maximum":9007199254740993}}}', '{"minimum":9007199254740993}', '{"minimum":1e16}'],
    ['{"maximum":1,"default":9007199254740993}', '1.0', '1.1'],
    ['{"maximum":18446744073709551615}', '18446744073709551615', '18446744073709551616'],
    ['{"minimum":-9223372036854775808}', '-9223372036854775808', '-9223372036854775809'],
    ['{"maxLength":18446744073709551615,"type":"string"}', '"long"', '9007199254740993'],
  ])('%s takes %s and not %s', (schema, right, wrong) => {
    expect(issueOf(schema, right)).toBeUndefined();
    expect(issueOf(schema, wrong)?.message).toBeDefined();
  });

  test('through references, and for text', () => {
    const schema = '{"$ref":"#/$defs/id"}},"$defs":{"id":{"type":"integer","minimum":9007199254740993}';
    expect(issueOf(schema, '9007199254740993')).toBeUndefined();
    expect(issueOf(schema, '9007199254740992')).toMatchObject({ path: '/x' });
    expect(issueOf(schema, '9007199254740993', 'text')).toBeUndefined();
    expect(issueOf(schema, '9007199254740992', 'text')).toMatchObject({ path: '/x' });
  });

  test.each([
    ['{"minimum":9007199254740993}', '5', '5 is below the minimum, 9007199254740993. Use 9007199254740993.'],
    [
      '{"type":"integer","exclusiveMinimum":9007199254740993}',
      '9007199254740993',
      '9007199254740993 is not above 9007199254740993. Use 9007199254740994.',
    ],
    [
      '{"multipleOf":9007199254740993}',
      '18014398509481987',
      '18014398509481987 is not a multiple of 9007199254740993. Use 18014398509481986.',
    ],
    [
      '{"const":9007199254740993}',
      '9007199254740992',
      '9007199254740992 is not 9007199254740993, the only value accepted. Use 9007199254740993.',
    ],
    [
      '{"type":"integer"}',
      '"9007199254740993"',
      '"9007199254740993" is a string, not an integer. Use 9007199254740993.',
    ],
    ['{"type":"string"}', '9007199254740993', '9007199254740993 is not a string. Use "9007199254740993".'],
  ])('%s tells of %s: %s', (schema, value, message) => {
    const issue = issueOf(schema, value);
    expect(issue?.message).toBe(message);
    expect(message).toContain(`Use ${JSON.stringify(issue?.remedy)}.`);
  });
});

test('the flat view of a method has its limits, choices and default to the digit', () => {
  const view = methodParameters(
    parseIntegersExactly(`{"properties":{
      "a":{"type":"integer","exclusiveMinimum":9007199254740993,"maximum":18446744073709551615,"default":9007199254740995},
      "b":{"enum":[9007199254740993]},
      "c":{"type":"integer","minimum":9007199254740993,"exclusiveMinimum":1}}}`),
  );
  expect(JSON.stringify(view)).toContain('"minimum":9007199254740994,"maximum":18446744073709551615');
  expect(JSON.stringify(view)).toContain('"defaultValue":9007199254740995');
  expect(JSON.stringify(view)).toContain('"enum":[9007199254740993]');
  expect(JSON.stringify(view[2])).toContain('"minimum":9007199254740993');
});

/** Odd, so that halves stay halves. */
const scale = 9007199254740993n;

const half = fc.integer({ min: -12, max: 12 }).map((halves) => halves / 2);
const step = fc.constantFrom(0.5, 1, 1.5, 2, 3);
const keywords = {
  minimum: half,
  maximum: half,
  exclusiveMinimum: half,
  exclusiveMaximum: half,
  multipleOf: step,
  enum: fc.array(half, { minLength: 1, maxLength: 4 }),
  const: fc.oneof(half, fc.record({ a: half })),
};
const { schema: anySchema } = fc.letrec<{ schema: JsonValue; some: JsonValue[] }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 2 },
    fc.record(keywords, { requiredKeys: [] }) as fc.Arbitrary<JsonValue>,
    fc.record({ not: tie('schema') }),
    fc.record({ anyOf: tie('some') }),
    fc.record({ oneOf: tie('some') }),
    fc.record({ allOf: tie('some') }),
    fc.record({ if: tie('schema'), then: tie('schema') }),
    fc.record({ items: tie('schema'), uniqueItems: fc.boolean(), minItems: fc.integer({ min: 0, max: 3 }) }),
    fc.record({ contains: tie('schema') }),
    fc.record({ properties: fc.dictionary(fc.constantFrom('a', 'minimum', 'enum'), tie('schema'), { maxKeys: 2 }) }),
  ),
  some: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
}));
const anyValue = fc.oneof(
  half,
  fc.array(half, { maxLength: 4 }),
  fc.dictionary(fc.constantFrom('a', 'minimum', 'enum'), half),
) as fc.Arbitrary<JsonValue>;
/** Keywords that count something. */
const counts = new Set(['minItems']);

/** The same with every number that is not a count times `scale`, as JSON text. */
function scaled(value: JsonValue, key = ''): string {
  if (typeof value === 'number' && !counts.has(key)) {
    const halves = BigInt(value * 2) * scale;
    const whole = String(halves / 2n);
    return halves % 2n === 0n ? whole : `${halves < 0n && halves > -2n ? '-0' : whole}.5`;
  }
  if (Array.isArray(value)) return `[${value.map((item) => scaled(item)).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, item]) => `${JSON.stringify(name)}:${scaled(item, name)}`)
    .join()}}`;
}

test('a value fits a schema when and only when it does with all numbers made larger alike', () => {
  fc.assert(
    fc.property(anySchema, anyValue, (schema, value) => {
      const part = { properties: { x: schema } };
      const budget = unlimitedWork;
      const small = checkValue({ prepared: prepareSchema(part), value: { x: value }, budget });
      const large = checkValue({
        prepared: prepareSchema(parseExactly(scaled(part))),
        value: parseExactly(`{"x":${scaled(value)}}`),
        budget,
      });
      expect(large.unchecked).toBe(small.unchecked);
      const where = ({ errors }: typeof small): string[] => errors.map((error) => error.keywordLocation);
      expect(where(large)).toEqual(where(small));
    }),
    { numRuns: 1_000 },
  );
});

test('ignores invalid numbers and numbers in the wrong places', () => {
  const { warnings, root } = prepareSchema(
    parseIntegersExactly(`{"type":9007199254740993,"pattern":9007199254740993,"items":9007199254740993,
      "multipleOf":-9007199254740993,"properties":9007199254740993,"minLength":-9007199254740993}`),
  );
  expect(warnings).toHaveLength(6);
  expect(Object.keys(root)).toEqual(['items']);
});

test('a schema with more different steps than can be told apart is checked by the nearest doubles', () => {
  const steps = [...Array(9).keys()].map((at) => ({ multipleOf: at + 2 }));
  const prepared = prepareSchema({ properties: { x: { anyOf: steps } } });
  const fits = (text: string): boolean =>
    checkValue({ prepared, value: parseExactly(`{"x":${text}}`), budget: unlimitedWork }).errors.length === 0;
  expect(fits('90071992547409930000')).toBe(true);
  expect(fits('9007199254740993.25')).toBe(true);
});

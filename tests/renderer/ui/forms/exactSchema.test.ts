import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { safeSchema } from '../../../../renderer/ui/editor/safeSchema.ts';
import { checkArguments } from '../../../../renderer/ui/forms/check/checkArguments.ts';
import { parseIntegersExactly } from '../../../../renderer/ui/forms/json/exactNumber.ts';
import { parseJsonText } from '../../../../renderer/ui/forms/json/parseJsonText.ts';
import { fieldOf, type Field } from '../../../../renderer/ui/forms/schema/fieldOf.ts';
import { firstOf, firstValue } from '../../../../renderer/ui/forms/values/firstValue.ts';
import { wordPlaceholder } from '../../../../renderer/ui/forms/words/placeholder.ts';
import { readValue, writeValue } from '../../../../renderer/features/collections/save/assertionText.ts';
import type { JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';
import { checkValue } from '../../../../src-core/schema/checkValue.ts';
import { parseExactly } from '../../../../src-core/base/exactNumber.ts';
import { prepareSchema } from '../../../../src-core/schema/prepareSchema.ts';
import { unlimitedWork } from '../../../../src-core/base/workBudget.ts';
import { anySchema, anyValue } from './anySchema.ts';

const big = '9007199254740993';
const schemaOf = (text: string): JsonSchema => parseIntegersExactly(text) as JsonSchema;

function issuesOf(schema: JsonSchema, text: string) {
  const parsed = parseJsonText(text);
  if (!parsed.ok) throw new Error('not JSON');
  return checkArguments(schema, parsed.root);
}
const field = (text: string, required = false): Field =>
  fieldOf({ schema: schemaOf(text), root: {}, path: ['x'], name: 'x', required });

describe('a whole number beyond 2^53 in a schema', () => {
  it.each([
    [`{"minimum":${big}}`, big, '9007199254740992', 'minimum', big],
    [`{"maximum":${big}}`, big, '9007199254740994', 'maximum', big],
    [`{"exclusiveMinimum":${big}}`, '9007199254740994', big, 'exclusiveMinimum', undefined],
    [`{"multipleOf":${big}}`, '18014398509481986', '18014398509481985', 'multipleOf', undefined],
    [`{"enum":[${big},1]}`, big, '9007199254740992', 'enum', undefined],
    [`{"const":${big}}`, big, '9007199254740992', 'const', big],
    [`{"const":{"a":[${big}]}}`, `{"a":[${big}]}`, '{"a":[9007199254740992]}', 'const', `{"a":[${big}]}`],
    [`{"const":${big}}`, big, `{"rawJSON":"${big}"}`, 'const', big],
  ])('%s takes %s and not %s', (schema, right, wrong, code, remedy) => {
    const whole = schemaOf(`{"properties":{"x":${schema}}}`);
    expect(issuesOf(whole, `{"x":${right}}`)).toEqual([]);
    expect(issuesOf(whole, `{"x":${wrong}}`)).toMatchObject([{ code, ...(remedy === undefined ? {} : { remedy }) }]);
  });

  it('is shown, begun with and offered with all its digits', () => {
    const limits = field(`{"type":"integer","minimum":${big},"maximum":18446744073709551615}`);
    expect(limits).toMatchObject({
      typeText: `integer ${big}–18446744073709551615`,
      control: { minimum: big, maximum: '18446744073709551615' },
    });
    expect(firstValue(limits, {})).toBe(big);
    expect(firstValue(field(`{"type":"integer","default":${big}}`), {})).toBe(big);
    expect(wordPlaceholder(field(`{"type":"integer","default":${big}}`))).toBe(big);
    expect(wordPlaceholder(field(`{"type":"integer","examples":[${big}]}`))).toContain(big);
    expect(field(`{"enum":[${big},"a"]}`).control).toMatchObject({ kind: 'enum', labels: [big, 'a'] });
    expect(firstOf(schemaOf(`{"type":"integer","exclusiveMinimum":${big}}`), {})).toBe('9007199254740994');
    expect(firstOf(schemaOf(`{"allOf":[{"minimum":5},{"minimum":${big}},{"type":"integer"}]}`), {})).toBe(big);
    expect(field(`{"oneOf":[{"const":${big},"title":"Large"},{"const":1}]}`).control).toMatchObject({
      labels: ['Large', '1'],
    });
  });

  it('is offered as text by the editor, whose own check knows doubles, and calls no right value wrong there', () => {
    const text = `{"properties":{"x":{"enum":[${big},"$CLIPBOARD"],"default":${big}},"y":{"minimum":${big},"exclusiveMaximum":${big}0}}}`;
    expect(safeSchema(schemaOf(text))).toEqual({
      properties: {
        x: {
          defaultSnippets: [
            { label: big, bodyText: big },
            { label: '"$CLIPBOARD"', bodyText: '"\\$CLIPBOARD"' },
          ],
        },
        y: { minimum: Number(big) },
      },
    });
  });

  it('is compared with as it was typed in an assertion', () => {
    for (const text of [big, `[${big},{"a":${big}}]`]) expect(writeValue(readValue(text))).toBe(text);
    expect(writeValue({ a: [9007199254740993n] })).toBe(`{"a":[${big}]}`);
  });
});

/** Even, so that no half is left. */
const scale = 18014398509481986n;
const counts = /^(min|max)(Length|Items|Properties)$/;

/** JSON text of the same with every number that counts nothing times `scale`. */
function scaled(value: JsonValue, key = ''): string {
  if (typeof value === 'number' && !counts.test(key)) return String((BigInt(value * 2) * scale) / 2n);
  if (Array.isArray(value)) return `[${value.map((item) => scaled(item)).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, item]) => `${JSON.stringify(name)}:${scaled(item, name)}`)
    .join()}}`;
}

it('the page finds something wrong exactly where the engine does, with numbers beyond 2^53 all over', () => {
  let both = 0;
  fc.assert(
    fc.property(anySchema, anyValue, (small, smallValue) => {
      const schema = schemaOf(scaled(small));
      const { $defs = {}, ...body } = schema;
      const whole = { properties: { x: body }, $defs };
      const text = `{"x":${scaled(smallValue)}}`;
      const { errors, unchecked } = checkValue({
        prepared: prepareSchema(whole),
        value: parseExactly(text),
        budget: unlimitedWork,
      });
      fc.pre(unchecked === undefined);
      both += errors.length === 0 ? 1 : 0;
      const issues = issuesOf(whole, text);
      expect(issues.length === 0, JSON.stringify(issues)).toBe(errors.length === 0);
    }),
    { numRuns: 1_000 },
  );
  // Nothing would be shown if almost no value fitted.
  expect(both).toBeGreaterThan(100);
});

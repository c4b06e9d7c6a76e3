import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { checkArguments } from '../../../../renderer/ui/forms/check/checkArguments.ts';
import { fitsOf } from '../../../../renderer/ui/forms/check/fitSchema.ts';
import { parseJsonText } from '../../../../renderer/ui/forms/json/parseJsonText.ts';
import { viewSchema } from '../../../../renderer/ui/forms/schema/viewSchema.ts';
import { asVariant, variantOf } from '../../../../renderer/ui/forms/values/variantOf.ts';
import type { JsonObject, JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';
import { filterOperators, filterPart, filterSchema } from '../../../helpers/filterSchema.ts';

function read(value: JsonValue) {
  const parsed = parseJsonText(JSON.stringify(value));
  if (!parsed.ok) throw new Error('not JSON');
  return parsed.root;
}
const codes = (schema: JsonSchema, value: JsonValue) =>
  checkArguments(schema, read(value)).map(({ path, code }) => `${path.join('.')} ${code}`);

const filters = filterSchema();
const filter = (depth: number, field: JsonValue = 'a'): JsonObject =>
  depth === 0
    ? { op: 'eq', field }
    : {
        op: filterOperators[depth % filterOperators.length] ?? '',
        args: [filter(depth - 1), filter(depth - 1, field)],
      };

describe('alternatives within alternatives', () => {
  it('are looked at once each, however deep', () => {
    const value = { filter: filter(8) };
    expect(codes(filters, value)).toEqual([]);
    const variants = viewSchema(filterPart, filters).variants;
    expect(variantOf(read(value.filter), variants, filters)).toBe(2);
  });

  it('tell what is wrong at the place where it is', () => {
    expect(codes(filters, { filter: filter(5, 1) })).toEqual(['filter.args.1.args.1.args.1.args.1.args.1.field type']);
    expect(codes(filters, { filter: { op: 'nor', args: [] } })).toEqual(['filter.op enum']);
  });

  it('say nothing if a schema asks for itself', () => {
    const circle: JsonSchema = { anyOf: [{ $ref: '#' }, { $ref: '#/anyOf/0' }] };
    expect(codes(circle, { a: 1 })).toEqual([]);
    expect(codes({ not: circle }, { a: 1 })).toEqual([]);
  });
});

/** Fits no text that could be tried here, and nobody knows. */
const open: JsonSchema = { pattern: '^((a+)+|b)+$' };
const text = 'a'.repeat(60);

describe('what is not found out', () => {
  it.each<[string, JsonSchema, JsonValue]>([
    ['as such', open, text],
    ['what is excluded', { not: open }, text],
    ['what is excluded from what is excluded', { not: { not: open } }, text],
    ['one of two', { oneOf: [open, { pattern: '^((c+)+|d)+$' }] }, text],
    ['one of two, the other fits', { oneOf: [open, { type: 'string' }] }, text],
    ['any of some', { anyOf: [{ type: 'number' }, open] }, text],
    ['a condition, then', { if: open, then: false }, text],
    ['a condition, else', { if: open, else: false }, text],
    ['an item among others', { contains: open }, [text]],
    ['too many items among others', { contains: open, maxContains: 1 }, [text, text]],
    ['a name', { propertyNames: open }, { [text]: 1 }],
    ['which name it is about', { patternProperties: { '^((a+)+|b)+$': false } }, { [text]: 1 }],
    ['the other names', { patternProperties: { '^((a+)+|b)+$': {} }, additionalProperties: false }, { [text]: 1 }],
    ['what is left', { anyOf: [{ properties: { a: open } }], unevaluatedProperties: false }, { a: text }],
    ['items that are left', { anyOf: [{ prefixItems: [open] }], unevaluatedItems: false }, [text]],
    ['a reference to elsewhere, excluded', { not: { $ref: 'https://example.com/x.json' } }, 1],
    ['a long text of a format, excluded', { not: { format: 'date' } }, 'a'.repeat(2_000)],
    ['what stands twice', { not: { items: open } }, [text]],
  ])('is valid: %s', (_what, schema, value) => {
    expect(codes({ properties: { x: schema } }, { x: value })).toEqual([]);
    expect(fitsOf(read(value), schema)(schema)).toBe('unknown');
  });

  it('is still a fault if another part says so', () => {
    expect(codes({ allOf: [open, { maxLength: 3 }] }, text)).toEqual([' maxLength']);
    expect(codes({ oneOf: [open, { type: 'string' }, { minLength: 1 }] }, text)).toEqual([' tooManyAlternatives']);
    expect(codes({ contains: open, minContains: 2 }, [text, 1])).toEqual([]);
    expect(codes({ contains: { ...open, type: 'string' }, minContains: 2 }, [text, 1])).toEqual([' contains']);
  });

  it('keeps a value for the kind it may be of', () => {
    const root: JsonSchema = {
      anyOf: [
        { type: 'string', pattern: '^((a+)+|b)+$' },
        { type: 'string', maxLength: 1 },
      ],
    };
    expect(variantOf(read(text), viewSchema(root, root).variants, root)).toBe(0);
    expect(asVariant(read(text), open, root)).toBe(JSON.stringify(text));
  });
});

const names = ['l', 'r', 'op', 'list'] as const;
/** A kind of node: told apart by `op` or by nothing, with nodes in it. */
const anyKind = fc.record({
  op: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
  holds: fc.uniqueArray(fc.constantFrom('l', 'r', 'list'), { maxLength: 3 }),
  required: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
  closed: fc.constantFrom('additionalProperties', 'unevaluatedProperties', undefined),
});
const anyGrammar: fc.Arbitrary<JsonSchema> = fc
  .record({ kinds: fc.array(anyKind, { minLength: 1, maxLength: 5 }), choice: fc.constantFrom('oneOf', 'anyOf') })
  .map(({ kinds, choice }) => {
    const node: JsonSchema = { $ref: '#/$defs/node' };
    const schemas = kinds.map(({ op, holds, required, closed }): JsonSchema => {
      const held = holds.map((name) => [name, name === 'list' ? { type: 'array', items: node } : node] as const);
      const properties: JsonSchema = {
        ...Object.fromEntries(held),
        ...(op === undefined ? {} : { op: { const: op } }),
      };
      return { type: 'object', properties, required, ...(closed === undefined ? {} : { [closed]: false }) };
    });
    return { ...node, $defs: { node: { [choice]: [...schemas, { type: 'integer' }] } } };
  });
const anyTree = fc.letrec<{ node: JsonValue }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5, depthSize: 'large', withCrossShrink: true },
    fc.constantFrom<JsonValue>(1, 2.5, 'x'),
    fc
      .record({
        op: fc.constantFrom('a', 'b', 'c', 'd'),
        l: fc.option(tie('node'), { nil: undefined }),
        r: fc.option(tie('node'), { nil: undefined }),
        list: fc.option(fc.array(tie('node'), { maxLength: 2 }), { nil: undefined }),
      })
      .map((node) => JSON.parse(JSON.stringify(node)) as JsonObject),
  ),
})).node;

const anyTrees = fc.array(anyTree, { minLength: 5, maxLength: 5 });

/** Holds what is said of each tree against ajv's word; gives how many objects fit. */
function compareWithAjv(grammar: JsonSchema, trees: readonly JsonValue[]): number {
  const accepts = new Ajv2020({ strict: false, logger: false }).compile(grammar);
  return trees.filter((tree) => {
    const expected = accepts(tree);
    expect(codes(grammar, tree).length === 0, JSON.stringify(tree)).toBe(expected);
    expect(fitsOf(read(tree), grammar)(grammar)).toBe(expected ? 'fits' : 'not');
    return expected && typeof tree === 'object';
  }).length;
}

it('agrees with ajv on grammars that hold themselves, many levels deep', () => {
  fc.assert(
    fc.property(anyGrammar, anyTrees, (grammar, trees) => void compareWithAjv(grammar, trees)),
    { numRuns: 40 },
  );
});

it('compares trees that fit such grammars, too', () => {
  // Always the same ones: among any forty there may be none.
  const cases = fc.sample(fc.tuple(anyGrammar, anyTrees), { numRuns: 40, seed: 1 });
  const fitted = cases.map(([grammar, trees]) => compareWithAjv(grammar, trees));
  expect(fitted.reduce((sum, count) => sum + count)).toBeGreaterThan(3);
});

import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ref } from 'vue';

import { jsonOf } from '../../../../renderer/ui/forms/json/nodeFacts.ts';
import { fieldOf, type Field } from '../../../../renderer/ui/forms/schema/fieldOf.ts';
import { fieldsOf } from '../../../../renderer/ui/forms/schema/fieldsOf.ts';
import { itemSchema, listShape } from '../../../../renderer/ui/forms/schema/listShape.ts';
import { memberSchema } from '../../../../renderer/ui/forms/schema/memberSchema.ts';
import { useArguments, type Arguments } from '../../../../renderer/ui/forms/state/useArguments.ts';
import { firstItem } from '../../../../renderer/ui/forms/values/firstItem.ts';
import { firstOf, firstValue } from '../../../../renderer/ui/forms/values/firstValue.ts';
import { asVariant, variantOf } from '../../../../renderer/ui/forms/values/variantOf.ts';
import type { JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';
import { anyValue, argumentsSchema } from './anySchema.ts';

function accepts(schema: JsonSchema, value: unknown): boolean | undefined {
  try {
    return new Validator(schema, '2020-12', false).validate(value).valid;
  } catch {
    return undefined;
  }
}

/** All fields that the form draws for what stands in the arguments now, those inside lists, maps and variants included. */
function drawnFields(args: Arguments, root: JsonSchema): Field[] {
  const found: Field[] = [];
  const visit = (field: Field): void => {
    found.push(field);
    const { control, path } = field;
    const node = args.nodeAt(path);
    if (control.kind === 'object' && node?.kind === 'object') visitObject(control.schema, path);
    if (control.kind === 'list' && node?.kind === 'array') {
      const shape = listShape(control.schema);
      node.items.forEach((_, at) =>
        visit(fieldOf({ schema: itemSchema(shape, at), root, path: [...path, at], name: String(at), required: true })),
      );
    }
    if (control.kind === 'variants' && node !== undefined) {
      const variant = control.variants[variantOf(node, control.variants, root)];
      if (variant === undefined) return;
      const { name, required, kinds } = field;
      visit(fieldOf({ schema: variant.schema, root, path, name, required, kinds: kinds + 1 }));
    }
  };
  const visitObject = (schema: JsonSchema, path: Field['path']): void => {
    const fields = fieldsOf(schema, root, path);
    fields.forEach(visit);
    const node = args.nodeAt(path);
    if (node?.kind !== 'object') return;
    const known = new Set(fields.map(({ name }) => name));
    for (const { key } of node.properties) {
      const member = memberSchema(schema, key);
      if (!known.has(key) && member.allowed)
        visit(fieldOf({ schema: member.schema, root, path: [...path, key], name: key, required: true }));
    }
  };
  visitObject(root, []);
  return found;
}

/** What a person can do to one field; `turn` chooses among it. */
function act(field: Field, turn: number, text: string, args: Arguments, root: JsonSchema): void {
  const { control, path } = field;
  const node = args.nodeAt(path);
  const isItem = typeof path.at(-1) === 'number';
  if (turn % 7 === 6 && !field.required) return args.leaveOut(path);
  if (turn % 7 === 5 && field.nullable) return args.set(path, 'null');
  if (node === undefined || (node.kind === 'word' && node.value === null)) {
    const first = firstValue(field, root);
    if (first !== undefined) args.set(path, first);
    else if (control.kind === 'number') args.set(path, String(turn));
    else if (control.kind === 'string') args.set(path, JSON.stringify(text));
    return;
  }
  switch (control.kind) {
    case 'string':
      return args.set(path, JSON.stringify(text));
    case 'number':
      return args.set(path, ['0', '2', '2.5', '9007199254740993', '-1'][turn % 5] ?? '0');
    case 'boolean':
      return args.set(path, turn % 2 === 0 ? 'true' : 'false');
    case 'enum':
      return args.set(path, JSON.stringify(control.options[turn % control.options.length] ?? null));
    case 'list': {
      const count = node.kind === 'array' ? node.items.length : 0;
      if (turn % 3 === 0 && count > 0) return args.leaveOut([...path, turn % count]);
      if (turn % 3 === 1 && count > 1) return args.swap(path, 0, count - 1);
      const shape = listShape(control.schema);
      if (node.kind === 'array' && count < shape.maxItems)
        args.set([...path, count], firstItem({ list: control.schema, shape, node, root }));
      return;
    }
    case 'object': {
      const name = ['a', 'b', 'zz'][turn % 3] ?? 'a';
      const member = memberSchema(control.schema, name);
      const known = fieldsOf(control.schema, root).some((one) => one.name === name);
      if (node.kind === 'object' && !known && member.allowed) args.set([...path, name], firstOf(member.schema, root));
      return;
    }
    case 'variants': {
      const variant = control.variants[turn % control.variants.length];
      if (variant) args.set(path, asVariant(node, variant.schema, root));
      return;
    }
    case 'json':
      return isItem ? args.set(path, '[1]') : args.set(path, '{"a": 1}');
  }
}

describe('a form of any schema', () => {
  it('makes arguments that the engine’s validator accepts wherever it shows no message', () => {
    const edits = fc.array(
      fc.record({ place: fc.nat(), turn: fc.nat({ max: 100 }), text: fc.constantFrom('', 'a', 'ab', 'x y') }),
      {
        minLength: 1,
        maxLength: 14,
      },
    );
    let valid = 0;
    fc.assert(
      fc.property(argumentsSchema, edits, (root, turns) => {
        const text = ref('{}');
        const args = useArguments({ text, schema: ref(root) });
        for (const { place, turn, text: words } of turns) {
          const fields = drawnFields(args, root);
          const field = fields[place % fields.length];
          if (field) act(field, turn, words, args, root);
          expect(args.problem.value).toBeUndefined();
        }
        if (args.issues.value.length > 0) return;
        const verdict = accepts(root, JSON.parse(text.value));
        fc.pre(verdict !== undefined);
        valid += 1;
        expect(verdict, text.value).toBe(true);
      }),
      { numRuns: 300 },
    );
    expect(valid).toBeGreaterThan(30);
  });

  it('setting every field to its shown value leaves the arguments unchanged', () => {
    const values = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'kind'), anyValue, { noNullPrototype: true });
    let kept = 0;
    fc.assert(
      fc.property(argumentsSchema, values, fc.bigInt(), (root, value, big) => {
        fc.pre(accepts(root, value) === true);
        const json = JSON.stringify(value).replace(':10', () => `:${String(big)}`);
        const args = useArguments({ text: ref(json), schema: ref(root) });
        for (const field of drawnFields(args, root)) {
          const node = args.nodeAt(field.path);
          if (node !== undefined) args.set(field.path, shownBack(field, jsonOf(node)));
        }
        kept += 1;
        expect(args.text.value).toBe(json);
      }),
      { numRuns: 400 },
    );
    expect(kept).toBeGreaterThan(20);
  }, 120_000);
});

/** What a control makes of the value it shows when it is set to that: text of a string, an option, the rest as it is. */
function shownBack({ control }: Field, json: string): string {
  const value = json.startsWith('"') ? (JSON.parse(json) as JsonValue) : undefined;
  return control.kind === 'string' && typeof value === 'string' ? JSON.stringify(value) : json;
}

import type { JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';
import { checkString } from '../check/checkScalar.ts';
import { fieldOf, type Field } from '../schema/fieldOf.ts';
import { fieldsOf } from '../schema/fieldsOf.ts';
import { listShape } from '../schema/listShape.ts';
import { own } from '../schema/readKeyword.ts';
import { viewSchema } from '../schema/viewSchema.ts';
import { firstNumber } from './firstNumber.ts';

const maxDepth = 8;
/** Values in one beginning: a place of a tuple may be that tuple again. */
const maxValues = 500;

/**
 * JSON text to begin with once a person asks to send a field; undefined where they should write it themselves. In
 * objects only what has a single possible value is set: the rest stays theirs to fill in.
 */
export function firstValue(
  field: Field,
  root: JsonSchema,
  depth = 0,
  budget = { values: maxValues },
): string | undefined {
  const { control, defaultValue } = field;
  if (defaultValue !== undefined && defaultValue !== null) return JSON.stringify(defaultValue, null, 2);
  switch (control.kind) {
    case 'string':
      return mayBeEmpty(field.schema) ? '""' : undefined;
    case 'boolean':
      return 'false';
    case 'number':
      return control.minimum;
    case 'enum':
      return JSON.stringify(control.options[0] ?? null);
    case 'object':
      return firstObject(control.schema, root, depth, budget);
    case 'list':
      return firstList(control.schema, root, depth, budget);
    case 'variants':
      return firstOf(control.variants[0]?.schema ?? {}, root, depth, budget);
    case 'json':
      return control.holds === 'array' ? '[]' : control.holds === 'object' ? '{}' : undefined;
  }
}

/** As `firstValue`, for where something has to stand at once: an item of a list, another variant. */
export function firstOf(schema: JsonValue, root: JsonSchema, depth = 0, budget = { values: maxValues }): string {
  budget.values -= 1;
  const field = fieldOf({ schema, root, path: [], name: '', required: true });
  const view = viewSchema(schema, root);
  const first = depth > maxDepth || budget.values < 0 ? undefined : firstValue(field, root, depth + 1, budget);
  if (first !== undefined) return first;
  return field.control.kind === 'number' ? firstNumber(view.schema) : field.control.kind === 'string' ? '""' : 'null';
}

/** Whether the empty text is a value by this schema: otherwise a text begins as not sent, with nothing wrong yet. */
export function mayBeEmpty(schema: JsonSchema): boolean {
  return checkString('', schema, []).length === 0;
}

function firstObject(schema: JsonSchema, root: JsonSchema, depth: number, budget: { values: number }): string {
  const entries = fieldsOf(schema, root).flatMap((field) => {
    const settled = field.required && field.control.kind === 'enum' && field.control.options.length === 1;
    return settled ? [`  ${JSON.stringify(field.name)}: ${firstValue(field, root, depth + 1, budget) ?? 'null'}`] : [];
  });
  return entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n}`;
}

/** A tuple has all its places; of a list as many items as it must have. */
function firstList(schema: JsonSchema, root: JsonSchema, depth: number, budget: { values: number }): string {
  const { tuple, rest, minItems } = listShape(schema);
  if (depth > maxDepth || tuple.length > budget.values) return '[]';
  const items = tuple.map((item) => firstOf(item, root, depth + 1, budget));
  const missing = rest === undefined || own(schema, 'uniqueItems') === true ? 0 : Math.min(minItems, 20) - items.length;
  if (missing > 0 && rest !== undefined)
    items.push(...Array.from({ length: missing }, () => firstOf(rest, root, depth + 1, budget)));
  return items.length === 0 ? '[]' : `[\n${items.map((item) => `  ${item.replaceAll('\n', '\n  ')}`).join(',\n')}\n]`;
}

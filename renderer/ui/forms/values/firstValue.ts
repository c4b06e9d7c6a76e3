import type { JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';
import { checkString } from '../check/checkScalar.ts';
import { fieldOf, type Field } from '../schema/fieldOf.ts';
import { fieldsOf } from '../schema/fieldsOf.ts';
import { listShape } from '../schema/listShape.ts';
import { own } from '../schema/readKeyword.ts';
import { viewSchema } from '../schema/viewSchema.ts';
import { firstNumber } from './firstNumber.ts';

const maxDepth = 8;
/** Maximum number of values in one initial value, since a tuple may contain itself. */
const maxValues = 500;

/**
 * Initial JSON text of a field that the user decides to send; undefined if the user should enter it. In objects, only
 * members with a single possible value are set.
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

/** Like `firstValue`, but always returns a value, as needed for an item of a list or another variant. */
export function firstOf(schema: JsonValue, root: JsonSchema, depth = 0, budget = { values: maxValues }): string {
  budget.values -= 1;
  const field = fieldOf({ schema, root, path: [], name: '', required: true });
  const view = viewSchema(schema, root);
  const first = depth > maxDepth || budget.values < 0 ? undefined : firstValue(field, root, depth + 1, budget);
  if (first !== undefined) return first;
  return field.control.kind === 'number' ? firstNumber(view.schema) : field.control.kind === 'string' ? '""' : 'null';
}

/** Whether the schema allows the empty text. Otherwise a text is initially not sent, and no error is shown yet. */
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

/** All items of a tuple, or the minimum number of items of a list. */
function firstList(schema: JsonSchema, root: JsonSchema, depth: number, budget: { values: number }): string {
  const { tuple, rest, minItems } = listShape(schema);
  if (depth > maxDepth || tuple.length > budget.values) return '[]';
  const items = tuple.map((item) => firstOf(item, root, depth + 1, budget));
  const missing = rest === undefined || own(schema, 'uniqueItems') === true ? 0 : Math.min(minItems, 20) - items.length;
  if (missing > 0 && rest !== undefined)
    items.push(...Array.from({ length: missing }, () => firstOf(rest, root, depth + 1, budget)));
  return items.length === 0 ? '[]' : `[\n${items.map((item) => `  ${item.replaceAll('\n', '\n  ')}`).join(',\n')}\n]`;
}

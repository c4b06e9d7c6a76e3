import type { JsonSchema } from '../../../../src-core/contract/types.ts';
import { fitsOf } from '../check/fitSchema.ts';
import { propertyOf, type JsonContent } from '../json/jsonNode.ts';
import { jsonOf, typeOfNode } from '../json/nodeFacts.ts';
import { fieldsOf } from '../schema/fieldsOf.ts';
import { listOf } from '../schema/readKeyword.ts';
import { viewSchema, type Variant } from '../schema/viewSchema.ts';
import { firstOf } from './firstValue.ts';

/**
 * Returns the variant of a value: the first one it fits, else the nearest of those it may fit, else the nearest of all;
 * -1 if it has no variant's type.
 */
export function variantOf(node: JsonContent, variants: readonly Variant[], root: JsonSchema): number {
  const fitOf = fitsOf(node, root);
  const possible: number[] = [];
  for (const [at, { schema }] of variants.entries()) {
    const fit = fitOf(schema);
    if (fit === 'fits') return at;
    if (fit === 'unknown') possible.push(at);
  }
  const looked = possible.length > 0 ? possible : [...variants.keys()];
  const look = { left: maxLooks };
  const scores = looked.map((at) => likeness(node, variants[at]?.schema ?? {}, root, look));
  const best = Math.max(...scores);
  return best < 0 ? -1 : (looked[scores.indexOf(best)] ?? -1);
}

/** Maximum number of inspected nested variants, which may be recursive. */
const maxLooks = 500;

/** How well a value matches a schema: by its type, then its distinguishing values, then its names. */
function likeness(node: JsonContent, schema: JsonSchema, root: JsonSchema, look: { left: number }): number {
  look.left -= 1;
  if (look.left < 0) return -1;
  const { types, schema: flat, variants } = viewSchema(schema, root);
  const type = typeOfNode(node);
  if (variants.length > 0) return Math.max(...variants.map((one) => likeness(node, one.schema, root, look)));
  const options = listOf(flat, 'enum');
  if (options !== undefined) return -1;
  if (types.length > 0 && !types.some((one) => one === type || (one === 'number' && type === 'integer'))) return -1;
  if (node.kind !== 'object') return types.length > 0 ? 1 : 0;
  return fieldsOf(flat, root).reduce((score, { name, control }) => {
    const value = propertyOf(node, name)?.value;
    if (value === undefined) return score;
    if (control.kind !== 'enum') return score + 1;
    return score + (control.options.some((option) => JSON.stringify(option) === jsonOf(value)) ? 10 : -10);
  }, 1_000);
}

/** Converts a value to another variant. Members of the variant are kept, and its fixed values are set. */
export function asVariant(node: JsonContent | undefined, schema: JsonSchema, root: JsonSchema): string {
  const first = firstOf(schema, root);
  if (node === undefined) return first;
  if (fitsOf(node, root)(schema) !== 'not') return jsonOf(node);
  if (node.kind !== 'object' || !first.startsWith('{')) return first;
  const fields = fieldsOf(schema, root);
  const entries = fields.flatMap(({ name, control, required }) => {
    const value = propertyOf(node, name)?.value;
    const settled = control.kind === 'enum' && control.options.length === 1;
    if (settled && (required || value !== undefined))
      return [[name, JSON.stringify(control.options[0] ?? null)] as const];
    return value === undefined ? [] : [[name, jsonOf(value)] as const];
  });
  if (entries.length === 0) return first;
  return `{\n${entries.map(([name, json]) => `  ${JSON.stringify(name)}: ${json}`).join(',\n')}\n}`;
}

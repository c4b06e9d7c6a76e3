import type { JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';
import { followRef } from './followRef.ts';
import { mergeSchemas } from './mergeSchemas.ts';
import { asObject, listOf, objectOf, own, textOf, without } from './readKeyword.ts';

/** Parts that are joined into one schema. */
const maxSteps = 512;

/**
 * A schema with its references followed and the parts of `allOf` joined, for drawing. References in a circle, and those
 * that lead outside, say nothing. Properties of `then`, `else`, `dependentSchemas` and `dependencies` stand with the
 * others: whether they are allowed right now is for the check to say.
 */
export function flattenSchema(schema: JsonValue | undefined, root: JsonSchema): JsonSchema {
  return flatten(schema, root, { left: maxSteps }, new Set());
}

function flatten(
  schema: JsonValue | undefined,
  root: JsonSchema,
  steps: { left: number },
  path: ReadonlySet<JsonSchema>,
): JsonSchema {
  const node = asObject(schema);
  steps.left -= 1;
  if (node === undefined || steps.left < 0 || path.has(node)) return {};
  const inside = new Set([...path, node]);
  const part = (one: JsonValue | undefined): JsonSchema => flatten(one, root, steps, inside);

  let flat = without(node, ['$ref', 'allOf']);
  const ref = textOf(node, '$ref');
  if (ref !== undefined) flat = mergeSchemas(flat, part(followRef(ref, root)));
  for (const one of listOf(node, 'allOf') ?? []) flat = mergeSchemas(flat, part(one));
  return withConditional(flat, part);
}

function withConditional(flat: JsonSchema, part: (one: JsonValue | undefined) => JsonSchema): JsonSchema {
  const dependent = ['dependentSchemas', 'dependencies'].flatMap((key) =>
    // Draft-07 lists names there, too: they draw nothing.
    Object.values(objectOf(flat, key) ?? {}).filter((one) => !Array.isArray(one)),
  );
  const branches = [own(flat, 'then'), own(flat, 'else'), ...dependent].filter((one) => one !== undefined);
  if (branches.length === 0) return flat;
  const properties: JsonSchema = { ...objectOf(flat, 'properties') };
  for (const branch of branches) {
    for (const [name, property] of Object.entries(objectOf(part(branch), 'properties') ?? {})) {
      if (!Object.hasOwn(properties, name)) properties[name] = property;
    }
  }
  // Each branch was read once; a second round would find the same.
  return { ...without(flat, ['then', 'else', 'if', 'dependentSchemas', 'dependencies']), properties };
}

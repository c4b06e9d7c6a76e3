import type { JsonObject, JsonSchema, JsonValue } from '../../src-core/api/types.ts';

/** Keywords passed to the editor's JSON worker as they are, where they hold plain values. */
const plain: ReadonlySet<string> = new Set([
  'type',
  'title',
  'description',
  'default',
  'enum',
  'const',
  'required',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'examples',
]);
const schemaMaps: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);
const schemaLists: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const schemas: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not']);

const maxNodes = 20_000;
const maxDepth = 64;

/**
 * A copy of an untrusted schema that the editor may work with: known keywords only, local references only, no
 * patterns (a regular expression could hang the worker), nothing that is shown as Markdown, bounded in size.
 * Undefined where it is too large: then the JSON is checked as JSON only.
 */
export function safeSchema(schema: JsonSchema): JsonSchema | undefined {
  const budget = { nodes: maxNodes };
  try {
    return copy(schema, budget, 0);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function copy(schema: JsonObject, budget: { nodes: number }, depth: number): JsonObject {
  budget.nodes -= 1;
  if (budget.nodes < 0 || depth > maxDepth) throw new RangeError('The schema is too large.');
  const entries: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (plain.has(key)) entries.push([key, value]);
    else if (key === '$ref' && typeof value === 'string' && value.startsWith('#')) entries.push([key, value]);
    else if (schemaMaps.has(key) && isObject(value)) {
      const inner = Object.entries(value).map(([name, one]) => [name, subSchema(one, budget, depth)] as const);
      entries.push([key, Object.fromEntries(inner)]);
    } else if (schemaLists.has(key) && Array.isArray(value)) {
      entries.push([key, value.map((one) => subSchema(one, budget, depth))]);
    } else if (schemas.has(key)) entries.push([key, subSchema(value, budget, depth)]);
  }
  return Object.fromEntries(entries);
}

function subSchema(value: JsonValue, budget: { nodes: number }, depth: number): JsonValue {
  return isObject(value) ? copy(value, budget, depth + 1) : value === false ? false : {};
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { isJsonObject } from '../../../src-core/base/json.ts';
import type { JsonObject, JsonSchema, JsonValue } from '../../../src-core/contract/types.ts';
import { isExactNumber, numberText } from '../forms/json/exactNumber.ts';

/** Keywords passed to the editor's JSON worker unchanged if they hold plain values. */
const plain: ReadonlySet<string> = new Set([
  'type',
  'title',
  'description',
  'default',
  'enum',
  'const',
  'required',
  'uniqueItems',
  'examples',
]);
const schemaMaps: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);
const schemaLists: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const schemas: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not']);

const inclusive: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
]);
const limits: ReadonlySet<string> = new Set([...inclusive, 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']);

const maxNodes = 20_000;
const maxDepth = 64;

/**
 * Returns a safe copy of an untrusted schema for the editor: known keywords only, local references only, no
 * patterns (a regular expression could hang the worker), nothing that is shown as Markdown, bounded in size.
 * Returns undefined if it is too large: then only the JSON syntax is checked.
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
  const offered: JsonValue[] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (limits.has(key)) entries.push(...limitEntries(key, value));
    else if (plain.has(key) && hasExactNumber(value))
      offered.push(...(key === 'enum' ? (value as JsonValue[]) : [value]));
    else if (plain.has(key)) entries.push([key, value]);
    else if (key === '$ref' && typeof value === 'string' && value.startsWith('#')) entries.push([key, value]);
    else if (schemaMaps.has(key) && isJsonObject(value)) {
      const inner = Object.entries(value).map(([name, one]) => [name, subSchema(one, budget, depth)] as const);
      entries.push([key, Object.fromEntries(inner)]);
    } else if (schemaLists.has(key) && Array.isArray(value)) {
      entries.push([key, value.map((one) => subSchema(one, budget, depth))]);
    } else if (schemas.has(key)) entries.push([key, subSchema(value, budget, depth)]);
  }
  if (offered.length > 0) entries.push(['defaultSnippets', [...new Set(offered.map(asText))].map(snippet)]);
  return Object.fromEntries(entries);
}

/** The editor's worker uses doubles. A limit is rounded only if that rejects no valid value. */
function limitEntries(key: string, value: JsonValue): [string, JsonValue][] {
  const text = numberText(value);
  if (text === undefined) return [[key, value]];
  const near = Number(text);
  return inclusive.has(key) || Math.abs(near) <= Number.MAX_SAFE_INTEGER ? [[key, near]] : [];
}

/** As text, because the worker would round it. The form's check decides which values are valid. */
function asText(value: JsonValue): string {
  return JSON.stringify(value);
}

function snippet(text: string): JsonValue {
  // Otherwise the schema's text could contain an editor variable, such as the clipboard.
  return { label: text, bodyText: text.replaceAll(/[\\$}]/g, '\\$&') };
}

function hasExactNumber(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isExactNumber(value) || Object.values(value).some(hasExactNumber);
}

function subSchema(value: JsonValue, budget: { nodes: number }, depth: number): JsonValue {
  return isJsonObject(value) ? copy(value, budget, depth + 1) : value === false ? false : {};
}

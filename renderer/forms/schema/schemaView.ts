import type { JsonSchema, JsonValue } from '../../../src-core/api/types.ts';

/** What the form and the checks read out of one schema node. Whatever else it says is left to the engine. */
export interface SchemaView {
  schema: JsonSchema;
  /** JSON Schema types but `null`; empty where the schema names none. */
  types: string[];
  nullable: boolean;
}

const maxRefs = 16;

/** Follows local references and folds `T or null` unions into one view. Untrusted: own keys only, bounded steps. */
export function viewSchema(schema: JsonValue | undefined, root: JsonSchema): SchemaView {
  const resolved = resolve(schema, root);
  const union = listOf(resolved, 'anyOf') ?? listOf(resolved, 'oneOf');
  if (union?.length === 2 && resolved.type === undefined) {
    const parts = union.map((part) => resolve(part, root));
    const rest = parts.filter((part) => part.type !== 'null');
    const [only] = rest;
    if (rest.length === 1 && only !== undefined) {
      const inner = viewSchema({ ...only, ...without(resolved, ['anyOf', 'oneOf']) }, root);
      return { ...inner, nullable: true };
    }
  }
  const named = typesOf(resolved);
  const types = named.filter((type) => type !== 'null');
  return { schema: resolved, types, nullable: types.length < named.length };
}

/** The schema's own value under `key` where it is a number. */
export function numberOf(schema: JsonSchema, key: string): number | undefined {
  const value = own(schema, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The schema's own value under `key` where it is a list. */
export function listOf(schema: JsonSchema, key: string): JsonValue[] | undefined {
  const value = own(schema, key);
  return Array.isArray(value) ? value : undefined;
}

/** The schema's own value under `key` where it is an object. */
export function objectOf(schema: JsonSchema, key: string): JsonSchema | undefined {
  return asObject(own(schema, key));
}

/** The schema's own value under `key`, whatever it is. */
export function own(schema: JsonSchema, key: string): JsonValue | undefined {
  return Object.hasOwn(schema, key) ? schema[key] : undefined;
}

function asObject(value: JsonValue | undefined): JsonSchema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

function typesOf(schema: JsonSchema): string[] {
  const type = own(schema, 'type');
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((one) => typeof one === 'string');
  return objectOf(schema, 'properties') === undefined ? [] : ['object'];
}

function resolve(schema: JsonValue | undefined, root: JsonSchema): JsonSchema {
  let current = asObject(schema) ?? {};
  for (let step = 0; step < maxRefs; step += 1) {
    const ref = own(current, '$ref');
    if (typeof ref !== 'string') return current;
    const target = pointer(root, ref);
    if (target === undefined) return {};
    current = { ...target, ...without(current, ['$ref']) };
  }
  return {};
}

function pointer(root: JsonSchema, ref: string): JsonSchema | undefined {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined;
  let node: JsonSchema | undefined = root;
  for (const part of ref.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    node = node === undefined ? undefined : objectOf(node, key);
  }
  return node;
}

function without(schema: JsonSchema, keys: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)));
}

import { isWhole, readDecimal } from '../base/decimal.ts';
import { isExactNumber } from '../base/exactNumber.ts';
import { isJsonObject, type JsonSchema, type JsonValue } from '../base/json.ts';
import { maximumSchemaDepth } from './cleanSchema.ts';
import { followReference, type SchemaLookup } from './prepareSchema.ts';

/** The types of JSON Schema; `integer` is a number without a fraction. */
export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/**
 * The types that a prepared schema accepts, as far as it says so by `type`, `const`, `enum`, `anyOf`, `oneOf`, `allOf` or
 * a reference. An empty set means any type.
 */
export function schemaTypes(schema: JsonValue | undefined, lookup: SchemaLookup | undefined): Set<JsonType> {
  const own = isJsonObject(schema) ? ownTypes(schema) : undefined;
  if (own !== undefined) return own;
  // Each schema is read once, so that references in a circle end and shared ones do not multiply.
  const known = new Map<JsonSchema, Set<JsonType>>();

  function typesOf(part: JsonValue | undefined, depth: number): Set<JsonType> {
    if (!isJsonObject(part) || depth > maximumSchemaDepth) return new Set();
    const present = known.get(part);
    if (present !== undefined) return present;
    known.set(part, new Set());
    const types = ownTypes(part) ?? branchTypes(part, depth) ?? partTypes(part, depth);
    known.set(part, types);
    return types;
  }

  function branchTypes(part: JsonSchema, depth: number): Set<JsonType> | undefined {
    const branches = part.anyOf ?? part.oneOf;
    if (!Array.isArray(branches)) return undefined;
    const each = branches.map((branch) => typesOf(branch, depth + 1));
    return each.every((types) => types.size > 0) ? new Set(each.flatMap((types) => [...types])) : undefined;
  }

  function partTypes(part: JsonSchema, depth: number): Set<JsonType> {
    const parts = [
      followReference(part, lookup) as JsonValue | undefined,
      ...(Array.isArray(part.allOf) ? part.allOf : []),
    ];
    return parts.map((one) => typesOf(one, depth + 1)).find((types) => types.size > 0) ?? new Set();
  }

  return typesOf(schema, 0);
}

function ownTypes(schema: JsonSchema): Set<JsonType> | undefined {
  const { type } = schema;
  if (typeof type === 'string') return new Set([type as JsonType]);
  if (Array.isArray(type)) return new Set(type as JsonType[]);
  if (schema.const !== undefined) return new Set([typeOfJson(schema.const)]);
  return Array.isArray(schema.enum) ? new Set(schema.enum.map(typeOfJson)) : undefined;
}

/** The narrowest type of a value. */
export function typeOfJson(value: JsonValue): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isExactNumber(value)) return isWhole(readDecimal(JSON.stringify(value))) ? 'integer' : 'number';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as 'boolean' | 'string' | 'object';
}

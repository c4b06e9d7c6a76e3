import { maximumSchemaDepth } from './cleanSchema.ts';
import { isJsonObject, type JsonSchema, type JsonValue } from './json.ts';
import { followReference, prepareSchema, type SchemaLookup } from './prepareSchema.ts';
import { schemaParameters } from './schemaParameters.ts';
import { schemaTypes } from './schemaTypes.ts';
import type { MethodParameter } from './types.ts';

/**
 * The flat view of a method's `inputSchema`, one entry a parameter in the schema's order (seed 001 §8.3). For reading
 * only: the schema stays the truth. Takes any untrusted value; what is no schema has no parameters. At most 1,000.
 */
export function methodParameters(inputSchema: unknown): MethodParameter[] {
  const prepared = prepareSchema(inputSchema);
  const { schemas, required } = schemaParameters(prepared);
  return [...schemas].map(([name, schema]) => describe(name, schema, required.has(name), prepared.lookup));
}

function describe(
  name: string,
  schema: JsonSchema | boolean,
  required: boolean,
  lookup: SchemaLookup | undefined,
): MethodParameter {
  const types = [...schemaTypes(schema, lookup)];
  const parts = relevantParts(schema, lookup);
  const read = (keyword: string): JsonValue | undefined => parts.find((part) => part[keyword] !== undefined)?.[keyword];
  const description = read('description') ?? read('title');
  const defaultValue = read('default');
  const values = valuesOf(schema, parts);
  const step = types.includes('integer') && !types.includes('number') ? 1 : 0;
  const minimum = bound(read('minimum'), read('exclusiveMinimum'), step);
  const maximum = bound(read('maximum'), read('exclusiveMaximum'), -step);
  return {
    name,
    type: types.length === 0 ? 'any' : types.join('|'),
    required,
    ...(typeof description === 'string' && { description }),
    ...(defaultValue !== undefined && { defaultValue }),
    ...(values !== undefined && { enum: values }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}

/** The schema itself, then what it refers to or wraps without a real choice (`anyOf` with null is none). */
function relevantParts(
  schema: JsonValue | undefined,
  lookup: SchemaLookup | undefined,
  seen = new Set<JsonSchema>(),
): JsonSchema[] {
  // Each schema is read once, so that references in a circle end.
  if (!isJsonObject(schema) || seen.has(schema) || seen.size > maximumSchemaDepth) return [];
  seen.add(schema);
  const branches = branchesOf(schema).filter((branch) => !isNull(branch));
  const inner = [
    followReference(schema, lookup),
    ...(Array.isArray(schema.allOf) ? schema.allOf : []),
    ...(branches.length === 1 ? branches : []),
  ];
  return [schema, ...inner.flatMap((part) => relevantParts(part, lookup, seen))];
}

/** The accepted values, where the schema lists them by `enum`, `const` or branches of `const` alone. */
function valuesOf(schema: JsonSchema | boolean, parts: JsonSchema[]): JsonValue[] | undefined {
  const listed = parts.find((part) => Array.isArray(part.enum))?.enum;
  if (Array.isArray(listed)) return [...listed];
  const only = parts.find((part) => part.const !== undefined)?.const;
  if (only !== undefined) return [only];
  const branches = isJsonObject(schema) ? branchesOf(schema) : [];
  const constants = branches.map((branch) => (isJsonObject(branch) ? branch.const : undefined));
  return constants.length > 0 && constants.every((value) => value !== undefined) ? constants : undefined;
}

function branchesOf(schema: JsonSchema): JsonValue[] {
  const branches = schema.anyOf ?? schema.oneOf;
  return Array.isArray(branches) ? branches : [];
}

function isNull(schema: JsonValue): boolean {
  return isJsonObject(schema) && (schema.type === 'null' || schema.const === null);
}

/** The tighter of both bounds. An exclusive one moves by `step`, and is left out where there is no next number. */
function bound(inclusive: JsonValue | undefined, exclusive: JsonValue | undefined, step: number): number | undefined {
  const open = typeof exclusive === 'number' && step !== 0 ? Math.floor(exclusive * step) * step + step : undefined;
  const closed = typeof inclusive === 'number' ? inclusive : undefined;
  if (open === undefined || closed === undefined) return open ?? closed;
  return step > 0 ? Math.max(open, closed) : Math.min(open, closed);
}

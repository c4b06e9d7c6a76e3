import { maximumSchemaDepth } from '../schema/cleanSchema.ts';
import { compareDecimals, readDecimal } from '../base/decimal.ts';
import { isExactNumber } from '../base/exactNumber.ts';
import { isJsonObject, type JsonNumber, type JsonSchema, type JsonValue } from '../base/json.ts';
import { measureJson } from '../base/measureJson.ts';
import { nextWhole } from '../base/nearestNumber.ts';
import { followReference, prepareSchema, type PreparedSchema, type SchemaLookup } from '../schema/prepareSchema.ts';
import { schemaParameters } from '../schema/schemaParameters.ts';
import { schemaTypes } from '../schema/schemaTypes.ts';
import type { MethodParameter } from '../base/toolTypes.ts';
import { createWorkBudget, TooMuchWorkError } from '../base/workBudget.ts';

/**
 * What can be read of a method's `inputSchema` at a glance, one entry a parameter in the schema's order, with those of
 * objects and items in them. For reading only: the schema is authoritative. Accepts any untrusted value; what is not a
 * schema, or takes too long to describe, has no parameters. At most 1,000, and 200 in them.
 */
export function methodParameters(inputSchema: unknown): MethodParameter[] {
  const prepared = prepareSchema(inputSchema);
  if (measureJson(prepared.root, smallSchema) <= smallSchema) return parametersOf(prepared);
  let known = largeSchemas.get(prepared);
  if (known === undefined) largeSchemas.set(prepared, (known = parametersWithinBudget(prepared)));
  return known;
}

/** Parameters may all refer to one large part. Below this size, reading it for each of them takes a few milliseconds. */
const smallSchema = 200;

/** Milliseconds of processor time for describing the parameters of one method; once for each schema. */
const describeMs = 40;

const largeSchemas = new WeakMap<PreparedSchema, MethodParameter[]>();

function parametersWithinBudget(prepared: PreparedSchema): MethodParameter[] {
  try {
    return createWorkBudget(describeMs).run(() => parametersOf(prepared));
  } catch (error) {
    if (error instanceof TooMuchWorkError) return [];
    throw error;
  }
}

function parametersOf(prepared: PreparedSchema): MethodParameter[] {
  const { schemas, required } = schemaParameters(prepared);
  const reading = { lookup: prepared.lookup, left: maximumInner };
  return [...schemas].map(([name, schema]) => describe({ name, schema, required: required.has(name) }, reading));
}

/** The most nested parameters of a method: each is part of a prompt. */
const maximumInner = 200;
/** Levels that are described: a schema may refer to itself. */
const maximumDepth = 4;

interface InnerReading {
  lookup: SchemaLookup | undefined;
  /** Parts that may still be described. */
  left: number;
}

function describe(
  { name, schema, required }: { name: string; schema: JsonSchema | boolean; required: boolean },
  reading: InnerReading,
  depth = 0,
): MethodParameter {
  const { lookup } = reading;
  const types = [...schemaTypes(schema, lookup)];
  const parts = relevantParts(schema, lookup);
  const read = (keyword: string): JsonValue | undefined => parts.find((part) => part[keyword] !== undefined)?.[keyword];
  const description = read('description') ?? read('title');
  const defaultValue = read('default');
  const values = valuesOf(schema, parts);
  const isWhole = types.includes('integer') && !types.includes('number');
  const minimum = bound(read('minimum'), isWhole ? read('exclusiveMinimum') : undefined, 1);
  const maximum = bound(read('maximum'), isWhole ? read('exclusiveMaximum') : undefined, -1);
  return {
    name,
    type: types.length === 0 ? 'any' : types.join('|'),
    required,
    ...(typeof description === 'string' && { description }),
    ...(defaultValue !== undefined && { defaultValue }),
    ...(values !== undefined && { enum: values }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(depth < maximumDepth && innerOf(parts, reading, depth + 1)),
  };
}

/** The nested parameters of an object or an array. */
function innerOf(
  parts: readonly JsonSchema[],
  reading: InnerReading,
  depth: number,
): Pick<MethodParameter, 'properties' | 'items'> {
  const required = new Set(parts.flatMap((part) => (Array.isArray(part.required) ? part.required : [])));
  const named = new Map(
    parts.flatMap(({ properties }) => (isJsonObject(properties) ? Object.entries(properties) : [])),
  );
  const items = parts.map((part) => part.items).find(isJsonObject);
  const properties = [...named].slice(0, reading.left);
  reading.left -= properties.length;
  const describesItems = items !== undefined && reading.left > 0;
  if (describesItems) reading.left -= 1;
  return {
    ...(properties.length > 0 && {
      properties: properties.map(([name, schema]) =>
        describe({ name, schema: schema as JsonSchema | boolean, required: required.has(name) }, reading, depth),
      ),
    }),
    ...(describesItems && { items: describe({ name: '', schema: items, required: false }, reading, depth) }),
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

/** The accepted values, if the schema lists them by `enum`, `const` or branches of `const` alone. */
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

/** The tighter of both bounds. An exclusive one, which only whole numbers have here, moves to the next. */
function bound(
  inclusive: JsonValue | undefined,
  exclusive: JsonValue | undefined,
  step: 1 | -1,
): JsonNumber | undefined {
  const open = isNumber(exclusive) ? nextWhole(exclusive, step) : undefined;
  const closed = isNumber(inclusive) ? inclusive : undefined;
  if (open === undefined || closed === undefined) return open ?? closed;
  const [one, other] = [open, closed].map((limit) => readDecimal(JSON.stringify(limit)));
  return one !== undefined && other !== undefined && compareDecimals(one, other) * step > 0 ? open : closed;
}

function isNumber(value: JsonValue | undefined): value is JsonNumber {
  return typeof value === 'number' || isExactNumber(value);
}

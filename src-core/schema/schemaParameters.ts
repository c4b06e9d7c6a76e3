import { maximumSchemaDepth } from './cleanSchema.ts';
import { isJsonObject, type JsonSchema, type JsonValue } from '../base/json.ts';
import { followReference, type PreparedSchema } from './prepareSchema.ts';

/** What a prepared schema says about the parameters of a method. */
export interface SchemaParameters {
  /** By name: what the value must be. Several branches that name one parameter are joined by `anyOf`. */
  schemas: ReadonlyMap<string, JsonSchema | boolean>;
  required: ReadonlySet<string>;
  /** All of both, each once. */
  names: readonly string[];
  /** What an unnamed parameter must be; `false` if none is allowed, `true` if the schema does not say. */
  additional: JsonSchema | boolean;
}

const maximumParameters = 1_000;

const parametersOf = new WeakMap<PreparedSchema, SchemaParameters>();

/**
 * The parameters named at the top of a schema, in `properties` and in the branches of `allOf`, `anyOf`, `oneOf` and
 * `$ref`. Only what always holds counts as required. The same prepared schema returns the same result.
 */
export function schemaParameters(prepared: PreparedSchema): SchemaParameters {
  const present = parametersOf.get(prepared);
  if (present !== undefined) return present;
  const made = collect(prepared);
  parametersOf.set(prepared, made);
  return made;
}

function collect({ root, lookup }: PreparedSchema): SchemaParameters {
  const found = new Map<string, (JsonSchema | boolean)[]>();
  const required = new Set<string>();
  // Each schema is read once, so that references in a circle end.
  const seen = new Set<JsonSchema>();

  function visit(schema: JsonValue | undefined, always: boolean, depth: number): void {
    if (!isJsonObject(schema) || seen.has(schema) || depth > maximumSchemaDepth) return;
    seen.add(schema);
    if (isJsonObject(schema.properties)) {
      for (const [name, property] of Object.entries(schema.properties)) add(name, property as JsonSchema | boolean);
    }
    if (always && Array.isArray(schema.required)) {
      for (const name of schema.required) if (required.size < maximumParameters) required.add(String(name));
    }
    visit(followReference(schema, lookup), always, depth + 1);
    for (const part of asList(schema.allOf)) visit(part, always, depth + 1);
    for (const branch of [...asList(schema.anyOf), ...asList(schema.oneOf)]) visit(branch, false, depth + 1);
  }

  function add(name: string, property: JsonSchema | boolean): void {
    const schemas = found.get(name);
    if (schemas !== undefined) schemas.push(property);
    else if (found.size < maximumParameters) found.set(name, [property]);
  }

  visit(root, true, 0);
  const schemas = new Map([...found].map(([name, all]) => [name, join(all)]));
  return { schemas, required, names: [...new Set([...schemas.keys(), ...required])], additional: additionalOf(root) };
}

function join(schemas: (JsonSchema | boolean)[]): JsonSchema | boolean {
  const [first = true, ...others] = schemas;
  return others.length === 0 ? first : { anyOf: schemas };
}

function additionalOf(root: JsonSchema): JsonSchema | boolean {
  // Names that a pattern allows are not told apart here: the validator does that.
  if (root.patternProperties !== undefined) return true;
  return (root.additionalProperties ?? true) as JsonSchema | boolean;
}

function asList(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

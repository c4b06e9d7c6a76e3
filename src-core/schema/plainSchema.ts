import { isJsonObject, type JsonSchema, type JsonValue } from '../base/json.ts';
import { typeOfJson } from './schemaTypes.ts';

/** A schema that says no more than type, range, choice and properties, read once for many checks. */
interface PlainSchema {
  types: ReadonlySet<string> | undefined;
  choices: readonly JsonValue[] | undefined;
  minimum: number;
  maximum: number;
  above: number;
  below: number;
  properties: ReadonlyMap<string, PlainSchema>;
  required: readonly string[];
  /** An object may have names that `properties` does not list. */
  open: boolean;
}

/** Keywords that check nothing. */
const notes = new Set(['title', 'description', 'default', 'examples', '$comment', '$schema']);
const checks = new Set([
  ...['type', 'enum', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['properties', 'required', 'additionalProperties'],
]);

const plainOf = new WeakMap<JsonSchema, PlainSchema | undefined>();

/**
 * True if a value certainly matches a schema (one of `prepareSchema`'s, or a part of it); false if only the validator
 * can decide. Most parameters are a number in a range, a choice or a text, and for those this costs a tenth.
 */
export function fitsPlainly(value: JsonValue, schema: JsonSchema): boolean {
  let plain = plainOf.get(schema);
  if (plain === undefined && !plainOf.has(schema)) plainOf.set(schema, (plain = readPlain(schema)));
  return plain !== undefined && fits(value, plain);
}

function fits(value: JsonValue, plain: PlainSchema): boolean {
  const { types, choices } = plain;
  if (types !== undefined && !hasType(value, types)) return false;
  if (choices !== undefined && !choices.includes(value)) return false;
  if (typeof value === 'number') {
    return value >= plain.minimum && value <= plain.maximum && value > plain.above && value < plain.below;
  }
  return isJsonObject(value) ? fitsProperties(value, plain) : true;
}

function hasType(value: JsonValue, types: ReadonlySet<string>): boolean {
  const type = typeOfJson(value);
  return types.has(type) || (type === 'integer' && types.has('number'));
}

function fitsProperties(value: { [key: string]: JsonValue }, { properties, required, open }: PlainSchema): boolean {
  for (const name of required) if (!Object.hasOwn(value, name)) return false;
  for (const name of Object.keys(value)) {
    const plain = properties.get(name);
    if (plain === undefined ? !open : !fits(value[name] as JsonValue, plain)) return false;
  }
  return true;
}

/** Undefined if the schema has any other keyword. Schemas are trees here, and not deep. */
function readPlain(schema: JsonValue): PlainSchema | undefined {
  if (!isJsonObject(schema)) return undefined;
  if (!Object.keys(schema).every((keyword) => notes.has(keyword) || checks.has(keyword))) return undefined;
  const { type, properties = {}, required = [], additionalProperties = true } = schema;
  const choices = schema.enum as JsonValue[] | undefined;
  if (typeof additionalProperties !== 'boolean' || choices?.some((choice) => typeof choice === 'object') === true) {
    return undefined;
  }
  const read = new Map<string, PlainSchema>();
  for (const [name, property] of Object.entries(properties as JsonSchema)) {
    const plain = readPlain(property);
    if (plain === undefined) return undefined;
    read.set(name, plain);
  }
  return {
    types: type === undefined ? undefined : new Set([type].flat() as string[]),
    choices,
    minimum: (schema.minimum ?? -Infinity) as number,
    maximum: (schema.maximum ?? Infinity) as number,
    above: (schema.exclusiveMinimum ?? -Infinity) as number,
    below: (schema.exclusiveMaximum ?? Infinity) as number,
    properties: read,
    required: required as string[],
    open: additionalProperties,
  };
}

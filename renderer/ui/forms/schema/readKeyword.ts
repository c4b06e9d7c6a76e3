import type { JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';
import { isExactNumber, numberText } from '../json/exactNumber.ts';

/** The schema's own value under `key`, whatever it is. Schemas are untrusted: own keys only. */
export function own(schema: JsonSchema, key: string): JsonValue | undefined {
  return Object.hasOwn(schema, key) ? schema[key] : undefined;
}

/** The schema's own value of `key` if it is a number, rounded to the nearest double; suitable for counts. */
export function numberOf(schema: JsonSchema, key: string): number | undefined {
  const text = limitOf(schema, key);
  return text === undefined ? undefined : Number(text);
}

/** The schema's own value of `key` if it is a number, exactly as written in JSON. */
export function limitOf(schema: JsonSchema, key: string): string | undefined {
  return numberText(own(schema, key));
}

/** The schema's own value of `key` if it is a string. */
export function textOf(schema: JsonSchema, key: string): string | undefined {
  const value = own(schema, key);
  return typeof value === 'string' ? value : undefined;
}

/** The schema's own value of `key` if it is an array. */
export function listOf(schema: JsonSchema, key: string): JsonValue[] | undefined {
  const value = own(schema, key);
  return Array.isArray(value) ? value : undefined;
}

/** The schema's own value of `key` if it is an object. */
export function objectOf(schema: JsonSchema, key: string): JsonSchema | undefined {
  return asObject(own(schema, key));
}

/** The value if it is an object; undefined for a schema that is `true`, `false` or invalid. */
export function asObject(value: JsonValue | undefined): JsonSchema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
    ? value
    : undefined;
}

/** A copy without some keywords. */
export function without(schema: JsonSchema, keys: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)));
}

import { rawJson } from './rawJson.ts';

/** Any value that JSON text can carry. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** A JSON object. Made with a null prototype or read with `Object.hasOwn` if the keys are untrusted. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** A number. One that is kept as it was written (`exactNumber.ts`) is an object to TypeScript. */
export type JsonNumber = number | JsonObject;

/** A JSON Schema (2020-12) in its object form, as in MCP's `inputSchema`. Untrusted: never compiled. */
export type JsonSchema = JsonObject;

/** True for a JSON object; not for a list, not for null, not for a number that is kept as it was written. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !rawJson.isRawJSON(value);
}

/**
 * An empty object with a null prototype, for untrusted keys. `Object.create(null)` returns the same, but in a form that
 * takes `JSON.stringify` twice as long.
 */
export function createJsonObject(): JsonObject {
  return Object.setPrototypeOf({}, null) as JsonObject;
}

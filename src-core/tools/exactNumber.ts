import type { JsonObject, JsonValue } from './json.ts';

/** ECMAScript's "JSON.parse source text access", in Node since 21; TypeScript's library has no types for it yet. */
interface ExactJson {
  parse(text: string, reviver: (key: string, value: JsonValue, context: { source?: string }) => JsonValue): JsonValue;
  rawJSON(text: string): JsonObject;
  isRawJSON(value: unknown): boolean;
}
const exactJson = JSON as unknown as ExactJson;

const manyDigits = /\d{16}/;
const wholeNumber = /^-?\d+$/;

/**
 * Reads JSON text so that whole numbers beyond ±(2^53 - 1) are kept digit for digit: each becomes an exact number, which
 * `JSON.stringify` writes as it was. Throws a SyntaxError where the text is no JSON.
 */
export function parseExactly(text: string): JsonValue {
  if (!manyDigits.test(text)) return JSON.parse(text) as JsonValue;
  return exactJson.parse(text, (_key, value, { source }) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    return source !== undefined && wholeNumber.test(source) ? exactJson.rawJSON(source) : value;
  });
}

/** JSON text of a value that may hold bigints, each written as the number it is. Throws where the value is no JSON. */
export function writeWithBigInts(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'bigint' ? exactJson.rawJSON(String(item)) : item,
  );
}

/** Whether a value is a number that no double can hold. It looks like an object to everything but `JSON.stringify`. */
export function isExactNumber(value: unknown): boolean {
  return exactJson.isRawJSON(value);
}

/** The same value with each exact number as the nearest double: to check it and to show it. Itself where it has none. */
export function roundExact<T extends JsonValue>(value: T): T {
  return replaceExact(value, Number) as T;
}

/** Arguments for a handler in JavaScript: each exact number as a bigint. Themselves where there is none. */
export function exactToBigInt(args: JsonObject): JsonObject {
  return replaceExact(args, BigInt) as JsonObject;
}

function replaceExact(value: JsonValue, by: (text: string) => number | bigint): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isExactNumber(value)) return by(JSON.stringify(value));
  if (Array.isArray(value)) {
    const items = value.map((item) => replaceExact(item, by));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  let changed: Record<string, unknown> | undefined;
  for (const [key, item] of Object.entries(value)) {
    const replaced = replaceExact(item, by);
    if (replaced === item) continue;
    changed ??= Object.assign(Object.create(null) as Record<string, unknown>, value);
    changed[key] = replaced;
  }
  return changed ?? value;
}

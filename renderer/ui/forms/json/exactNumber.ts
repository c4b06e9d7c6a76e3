import type { JsonValue } from '../../../../src-core/contract/types.ts';

/**
 * ECMAScript's "JSON.parse source text access". A number of a schema that no double holds comes as such a raw one: an
 * object to everything but `JSON.stringify`, which writes its digits.
 */
const rawJson = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): JsonValue;
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): boolean;
};

/** Whether a value is a number that no double holds. */
export function isExactNumber(value: unknown): boolean {
  return rawJson.isRawJSON(value);
}

/** A number as JSON writes it, also one that no double holds; undefined for anything else. */
export function numberText(value: JsonValue | undefined): string | undefined {
  return Number.isFinite(value) || isExactNumber(value) ? JSON.stringify(value) : undefined;
}

/** The value of JSON text, each whole number with all its digits. Throws a SyntaxError if the text is not valid JSON. */
export function parseIntegersExactly(text: string): JsonValue {
  return rawJson.parse(text, (_key, value, { source }) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined) return value;
    return /^-?\d+$/.test(source) && JSON.stringify(value) !== source ? rawJson.rawJSON(source) : value;
  });
}

/** As `JSON.stringify`, with each bigint as the number it is. */
export function writeWithBigInts(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'bigint' ? rawJson.rawJSON(String(item)) : item,
  );
}

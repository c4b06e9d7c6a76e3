import { parse as checkKeys } from 'lossless-json';

import { exactToComparable, isExactNumber, parseExactly, writeWithBigInts } from './exactNumber.ts';
import type { JsonValue } from './json.ts';

/** A JSON value. Numbers that `JSON.stringify` would change are exact (`exactNumber.ts`), or bigint once compared. */
export type ExactJson = null | boolean | number | bigint | string | ExactJson[] | { [key: string]: ExactJson };

/** Whether a value is a JSON object: not a list, and not an exact number, which looks like an object. */
export function isJsonObject(value: unknown): value is Record<string, ExactJson> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

/**
 * Reads JSON and keeps every number as it is written.
 * @throws {SyntaxError} If the JSON is invalid, or a key occurs twice with different values, as after a bad merge.
 */
export function parseExact(text: string): ExactJson {
  try {
    checkKeys(text);
  } catch (error) {
    if (error instanceof RangeError) throw new SyntaxError('The JSON is nested too deeply.', { cause: error });
    throw error;
  }
  return parseExactly(text);
}

/** The value with each exact number as a bigint or the nearest double, so that it can be compared. */
export function comparable(value: ExactJson): ExactJson {
  return exactToComparable(value as JsonValue) as ExactJson;
}

/** JSON of a value, over several lines if `indent` is set. */
export function writeExact(value: ExactJson, indent?: number): string {
  return writeWithBigInts(value, indent) ?? 'null';
}

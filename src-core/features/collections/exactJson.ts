import { parse as checkKeys } from 'lossless-json';

import { exactToComparable, isExactNumber, parseExactly, writeWithBigInts } from '../../base/exactNumber.ts';
import type { JsonValue } from '../../base/json.ts';

/** A JSON value; its odd numbers are exact ones (`exactNumber.ts`) as they were read, or bigint once they were compared. */
export type ExactJson = null | boolean | number | bigint | string | ExactJson[] | { [key: string]: ExactJson };

/** Whether a value is an object of JSON: no list, and no exact number, which looks like one. */
export function isJsonObject(value: unknown): value is Record<string, ExactJson> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

/**
 * Reads JSON so that every number stays as it is written. Of a key that comes twice with different values it throws, as a
 * merge gone wrong leaves.
 * @throws SyntaxError
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

/** JSON of a value, over several lines where `indent` says so. */
export function writeExact(value: ExactJson, indent?: number): string {
  return writeWithBigInts(value, indent) ?? 'null';
}

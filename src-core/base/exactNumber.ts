import { ToolError } from './errors.ts';
import type { JsonNumber, JsonValue } from './json.ts';
import { markNumbers, parseKeeping } from './parseKeeping.ts';
import { rawJson } from './rawJson.ts';

/** At a value's position: a number that `JSON.stringify` might write otherwise. Matches inside a text do not count. */
const oddNumber = /(?:^|[:,[])\s*(?:-0|-?(?:[\d.]{16}|\d[\d.]*[eE]|\d+\.\d*0(?!\d)|0\.0{6}))/g;
/** At a value's position: an integer that may not fit a double. A match inside a text only costs a slower reading. */
const longInteger = /(?:^|[:,[])\s*-?\d{16}/g;
/** Exact numbers that are read from one text of a device, a model or a gateway. */
export const maxForeignNumbers = 10_000;
const longIntegers = { candidates: longInteger, keeps: isLongInteger, most: maxForeignNumbers };
const wholeNumber = /^-?\d+$/;
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Reads JSON text so that every number is kept as it is written: one that `JSON.stringify` would write otherwise (beyond
 * ±(2^53 - 1), `1e400`, `-0`, `1.0`, more digits than a double has) becomes an exact number, which is written as it was.
 * @throws SyntaxError if the text is not JSON, TooManyNumbersError if it has more than `most` such numbers.
 */
export function parseExactly(text: string, { most = Infinity }: { most?: number } = {}): JsonValue {
  return parseKeeping(text, { candidates: oddNumber, keeps: (source) => String(Number(source)) !== source, most });
}

/**
 * Reads JSON text that others wrote: a whole number that no double holds as it is written (beyond ±(2^53 - 1), as a rule)
 * becomes an exact number; `1.0` is 1, and a fraction is the nearest double, as for every reader of JSON. A text without
 * such a number is read as fast as ever. @throws SyntaxError if the text is not JSON, TooManyNumbersError if it has more than
 * `maxForeignNumbers` of them.
 */
export function parseIntegersExactly(text: string): JsonValue {
  return parseKeeping(text, longIntegers);
}

/** For a reader of JSON that is not ours: `parseIntegersExactly` in two steps, with `restoreNumbers` after it. */
export function markIntegers(text: string): string {
  return markNumbers(text, longIntegers);
}

function isLongInteger(source: string): boolean {
  const value = Number(source);
  return wholeNumber.test(source) && !Number.isSafeInteger(value) && String(value) !== source;
}

/** Reads the exact number in a text. @throws {RangeError} If the text is not a valid JSON number. */
export function exactNumber(text: string): JsonNumber {
  if (!jsonNumber.test(text)) throw new RangeError(`${text.slice(0, 40)} is not a valid JSON number.`);
  return rawJson.rawJSON(text) as JsonNumber;
}

/**
 * JSON text of a value that may hold bigints, each written as the number it is; over several lines if `indent` is set.
 * Throws if the value is not valid JSON.
 */
export function writeWithBigInts(value: unknown, indent?: number): string | undefined {
  return JSON.stringify(
    value,
    (_key, item: unknown) => (typeof item === 'bigint' ? exactNumber(String(item)) : item),
    indent,
  );
}

/** Whether a value is a number that is kept as it was written. It looks like an object to everything but `JSON.stringify`. */
export function isExactNumber(value: unknown): boolean {
  return rawJson.isRawJSON(value);
}

/** The value with each exact number as the nearest double. The same object if it has none. */
export function roundExact<T extends JsonValue>(value: T): T {
  return replaceExact(value, Number) as T;
}

/**
 * A value for JavaScript: each exact number as the nearest double, or as a bigint if it is whole and no double would be
 * exact. The same object if there is none. @throws {ToolError} `invalid-arguments` for a number beyond all doubles.
 */
export function exactToBigInt<T extends JsonValue>(value: T): T {
  return replaceExact(value, numberOf) as T;
}

function numberOf(text: string): number | bigint {
  const value = comparableOf(text);
  if (typeof value === 'bigint' || Number.isFinite(value)) return value;
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  throw new ToolError('invalid-arguments', `${shown} is larger than any number that this tool can be given.`);
}

/** The value with only integers exact, other numbers as the nearest double. The same object if it has none. */
export function keepIntegers<T extends JsonValue>(value: T): T {
  return replaceExact(value, (text) => {
    const kept = parseIntegersExactly(text);
    return typeof kept === 'number' ? kept : undefined;
  }) as T;
}

/** A value to compare with others: as `exactToBigInt`, but a number beyond all doubles is infinite. */
export function exactToComparable(value: JsonValue): unknown {
  return replaceExact(value, comparableOf);
}

function comparableOf(text: string): number | bigint {
  const value = Number(text);
  return Number.isFinite(value) && wholeNumber.test(text) && !Number.isSafeInteger(value) ? BigInt(text) : value;
}

function replaceExact(value: JsonValue, by: (text: string) => number | bigint | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isExactNumber(value)) return by(JSON.stringify(value)) ?? value;
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

import { parse, stringify, TomlError } from 'smol-toml';

import { exactNumber, isExactNumber } from './exactNumber.ts';
import { createJsonObject, isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { localize } from './messages/localize.ts';
import type { ReadText } from './jsoncText.ts';

/** Reads TOML. Integers are exact, and a float is written as a float again. Dates become texts, with a fault. */
export function readToml(text: string): ReadText {
  let table: unknown;
  try {
    table = parse(text, { integersAsBigInt: true, maxDepth: 200 });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [fault = ''] = error.message.split('\n');
    const cause = fault.replace(/^Invalid TOML document: /, '');
    return { faults: [{ line: error.line, message: localize('configFiles.badToml', { cause }) }], lineOf: () => 1 };
  }
  return { value: toJson(table) ?? null, faults: [], lineOf: (path) => lineOfTable(text, path) };
}

/** TOML of an object. A number that was written with a point or exponent is a float. Null is omitted. */
export function writeToml(object: JsonObject): string {
  return stringify(toToml(object), { numbersAsFloat: true });
}

/** Undefined for what JSON cannot say: a date, infinity, NaN. */
function toJson(value: unknown): JsonValue | undefined {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : exactNumber(String(value));
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return undefined;
    if (Object.is(value, -0)) return exactNumber('-0.0');
    return Number.isInteger(value) ? exactNumber(floatText(value)) : value;
  }
  if (Array.isArray(value)) return value.map((item) => toJson(item) ?? String(item));
  if (typeof value !== 'object' || value === null) return value as JsonValue;
  if (value instanceof Date) return undefined;
  const object = createJsonObject();
  for (const [name, item] of Object.entries(value)) object[name] = toJson(item) ?? String(item);
  return object;
}

/** A whole float with a point, so that it is not read as an integer: `10.0`, `1.0e+21`. */
function floatText(value: number): string {
  const text = String(value);
  return text.includes('e') ? text.replace(/^(-?\d+)e/, '$1.0e') : `${text}.0`;
}

function toToml(value: JsonValue): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (isExactNumber(value)) {
    const text = JSON.stringify(value);
    return /^-?\d+$/.test(text) ? BigInt(text) : Number(text);
  }
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(toToml);
  if (!isJsonObject(value)) return value;
  const table = createJsonObject() as Record<string, unknown>;
  for (const [name, item] of Object.entries(value)) if (item !== null) table[name] = toToml(item);
  return table;
}

/** The line of the header of a table in a table. smol-toml reports no positions of values. */
function lineOfTable(text: string, [outer = '', name = '']: readonly string[]): number {
  const at = text.split('\n').findIndex((line) => {
    const [, first, rest = ''] = /^\[\s*([\w-]+)\s*\.(.*)/.exec(line.trim()) ?? [];
    const header = rest.trim().replace(/^["']/, '');
    return first === outer && header.startsWith(name) && !/^[\w-]/.test(header.slice(name.length));
  });
  return at + 1 || 1;
}

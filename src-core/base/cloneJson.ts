import { isExactNumber } from './exactNumber.ts';
import { createJsonObject, type JsonObject, type JsonValue } from './json.ts';

/** The deepest nesting of a value that is passed on; deeper ones break recursive readers. */
export const maximumJsonDepth = 200;

/** A copy of a value, or the place and the reason if it is not valid JSON. */
export type ClonedJson = { value: JsonValue } | { problem: string; path: (string | number)[] };

/**
 * Copies a value that should be JSON, so that later changes to the original change nothing. Objects get a null
 * prototype and `__proto__` is a key like any other. What `JSON.stringify` would drop or bend (undefined in a list, NaN,
 * functions, bigint, cycles) is a problem, except `undefined` in an object, which counts as absent.
 */
export function cloneJson(input: unknown): ClonedJson {
  return isPlain(input) ? { value: input } : cloneParts(input);
}

function cloneParts(input: unknown): ClonedJson {
  const path: (string | number)[] = [];

  function copy(value: unknown): JsonValue {
    if (isPlain(value)) return value;
    if (typeof value === 'number') throw new NotJson(`${value} is not a number that JSON has`);
    if (typeof value !== 'object') throw new NotJson(`a value of type ${typeof value} is not JSON`);
    // It cannot be changed.
    if (isExactNumber(value)) return value as JsonObject;
    if (path.length >= maximumJsonDepth)
      throw new NotJson(`nested more than ${maximumJsonDepth} levels deep, or inside itself`);
    return Array.isArray(value) ? value.map((item: unknown, i) => copyAt(i, item)) : copyObject(value);
  }

  function copyObject(value: object): JsonObject {
    const result = createJsonObject();
    for (const [key, item] of Object.entries(value) as [string, unknown][]) {
      if (!key.isWellFormed()) throw new NotJson('a key contains an incomplete character');
      if (item !== undefined) result[key] = copyAt(key, item);
    }
    return result;
  }

  function copyAt(key: string | number, value: unknown): JsonValue {
    path.push(key);
    const copied = copy(value);
    path.pop();
    return copied;
  }

  try {
    return { value: copy(input) };
  } catch (error) {
    if (error instanceof NotJson) return { problem: error.message, path };
    throw error;
  }
}

/** A value without parts. */
function isPlain(value: unknown): value is null | boolean | string | number {
  return value === null || typeof value === 'boolean' || typeof value === 'string' || Number.isFinite(value);
}

class NotJson extends Error {}

import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';

/** A field of an untrusted object; undefined if it is not an own property. */
export function fieldOf(object: JsonObject | undefined, key: string): JsonValue | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** A field that is text; undefined if it is anything else. */
export function textOf(object: JsonObject | undefined, key: string): string | undefined {
  const value = fieldOf(object, key);
  return typeof value === 'string' ? value : undefined;
}

/** A field that is an object; undefined if it is anything else. */
export function objectOf(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = fieldOf(object, key);
  return isJsonObject(value) ? value : undefined;
}

/** The objects in a field that is a list; none if it is anything else. */
export function objectsOf(object: JsonObject | undefined, key: string): JsonObject[] {
  const value = fieldOf(object, key);
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

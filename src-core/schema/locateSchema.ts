import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from '../base/json.ts';
import { followReference, type PreparedSchema } from './prepareSchema.ts';

/** The steps of a location as the validator writes it (`#/properties/a~1b`), decoded. */
export function pathOf(location: string): string[] {
  return location
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** JSON Pointer (RFC 6901) of a path. */
export function toJsonPointer(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The value at a path inside the arguments; undefined if there is none. */
export function valueAt(root: JsonObject, path: readonly string[]): JsonValue | undefined {
  let found: JsonValue | undefined = root;
  for (const step of path) found = stepInto(found, step);
  return found;
}

/** The schema that holds the keyword at a location, through references; undefined if the location has no schema. */
export function schemaOfKeyword({ root, lookup }: PreparedSchema, keywordLocation: string): JsonSchema | undefined {
  let found: JsonValue | undefined = root;
  for (const step of pathOf(keywordLocation).slice(0, -1)) {
    if (step === '$ref' && isJsonObject(found)) found = followReference(found, lookup);
    else found = stepInto(found, step);
  }
  return isJsonObject(found) ? found : undefined;
}

function stepInto(value: JsonValue | undefined, step: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(step) ? value[Number(step)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

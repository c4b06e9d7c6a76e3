import { isJsonObject, type JsonValue } from '../base/json.ts';
import { jsonTypes } from './schemaKeywords.ts';

/** Characters of a type that is shown. */
const maxShown = 256;

/** The first `type` of a tool's schema that JSON Schema does not have, as JSON. */
export function unknownType(schema: JsonValue | undefined): string | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { type = [], properties, items } = schema;
  const unknown = [type].flat().find((each) => !jsonTypes.has(each));
  if (unknown !== undefined) return JSON.stringify(unknown).slice(0, maxShown);
  for (const part of [items, ...(isJsonObject(properties) ? Object.values(properties) : [])]) {
    const found = unknownType(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

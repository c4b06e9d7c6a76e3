import type { JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';
import type { JsonPath } from '../json/jsonNode.ts';
import { fieldOf, type Field } from './fieldOf.ts';
import { listOf, objectOf } from './readKeyword.ts';
import { viewSchema } from './viewSchema.ts';

/** The rows for an object schema's properties, in the schema's order. `root` is where `$ref` is looked up. */
export function fieldsOf(schema: JsonSchema, root: JsonSchema = schema, path: JsonPath = []): Field[] {
  const view = viewSchema(schema, root).schema;
  const properties = objectOf(view, 'properties') ?? {};
  const required = new Set<JsonValue>(listOf(view, 'required') ?? []);
  const rows = Object.entries(properties).map(([name, property]) =>
    fieldOf({ schema: property, root, path: [...path, name], name, required: required.delete(name) }),
  );
  // Required names that no property describes are rows as well: something has to be sent for them.
  const others = [...required].filter((name) => typeof name === 'string');
  return [...rows, ...others.map((name) => fieldOf({ schema: {}, root, path: [...path, name], name, required: true }))];
}

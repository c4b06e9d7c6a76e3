import type { JsonSchema, JsonValue } from '../../../src-core/api/types.ts';
import type { JsonPath } from '../json/jsonNode.ts';
import { describeType } from './describeType.ts';
import { listOf, numberOf, objectOf, own, viewSchema, type SchemaView } from './schemaView.ts';

/** The control that fits a schema. What is too odd for one of its own is a JSON field, never the whole form. */
export type FieldControl =
  | { kind: 'string' }
  | { kind: 'number'; integer: boolean; minimum?: number; maximum?: number; step?: number }
  | { kind: 'boolean' }
  | { kind: 'enum'; options: JsonValue[] }
  | { kind: 'object'; schema: JsonSchema }
  | { kind: 'json'; holds: 'object' | 'array' | 'any' };

/** One row of the form. */
export interface Field {
  path: JsonPath;
  name: string;
  /** As shown under the name: `integer 0–100`, `string | null`. */
  typeText: string;
  required: boolean;
  nullable: boolean;
  description?: string;
  /** What the schema says is used where nothing is sent. */
  defaultValue?: JsonValue;
  control: FieldControl;
}

/** The rows for an object schema's properties, in the schema's order. `root` is where `$ref` is looked up. */
export function fieldsOf(schema: JsonSchema, root: JsonSchema = schema, path: JsonPath = []): Field[] {
  const properties = objectOf(schema, 'properties') ?? {};
  const required = new Set(listOf(schema, 'required') ?? []);
  return Object.entries(properties).map(([name, property]) => {
    const view = viewSchema(property, root);
    const description = own(view.schema, 'description');
    const defaultValue = own(view.schema, 'default');
    return {
      path: [...path, name],
      name,
      typeText: describeType(view),
      required: required.has(name),
      nullable: view.nullable,
      ...(typeof description === 'string' && description !== '' ? { description } : {}),
      ...(defaultValue === undefined ? {} : { defaultValue }),
      control: controlOf(view, path.length),
    };
  });
}

const maxNesting = 4;

function controlOf({ schema, types }: SchemaView, depth: number): FieldControl {
  const options = listOf(schema, 'enum');
  if (options !== undefined && options.length > 0) return { kind: 'enum', options };
  if (own(schema, 'const') !== undefined) return { kind: 'enum', options: [own(schema, 'const') ?? null] };
  if (types.length !== 1) return { kind: 'json', holds: 'any' };
  if (types[0] === 'string') return { kind: 'string' };
  if (types[0] === 'boolean') return { kind: 'boolean' };
  if (types[0] === 'integer' || types[0] === 'number') return numberControl(schema, types[0] === 'integer');
  if (types[0] === 'array') return { kind: 'json', holds: 'array' };
  const properties = objectOf(schema, 'properties');
  const plain = properties !== undefined && Object.keys(properties).length > 0 && depth < maxNesting;
  return plain ? { kind: 'object', schema } : { kind: 'json', holds: 'object' };
}

function numberControl(schema: JsonSchema, integer: boolean): FieldControl {
  const minimum = numberOf(schema, 'minimum');
  const maximum = numberOf(schema, 'maximum');
  const step = numberOf(schema, 'multipleOf');
  return {
    kind: 'number',
    integer,
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(step === undefined ? {} : { step }),
  };
}

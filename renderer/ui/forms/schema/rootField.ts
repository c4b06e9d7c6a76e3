import type { JsonSchema } from '../../../../src-core/contract/types.ts';
import { fieldOf, type Field } from './fieldOf.ts';
import { viewSchema } from './viewSchema.ts';

/** The arguments as a whole, as one field: of the kinds that their schema may name, those that are objects. */
export function rootField(schema: JsonSchema, name: string): Field {
  const draw = (one: JsonSchema): Field => ({
    ...fieldOf({ schema: one, root: schema, path: [], name, required: true }),
    nullable: false,
  });
  const field = draw(schema);
  if (field.control.kind !== 'variants') return field;
  const variants = field.control.variants.filter((one) => {
    const { types, variants: inner } = viewSchema(one.schema, schema);
    return inner.length > 0 || types.length === 0 || types.includes('object');
  });
  const [only] = variants;
  return only !== undefined && variants.length === 1
    ? draw(only.schema)
    : { ...field, control: { kind: 'variants', variants } };
}

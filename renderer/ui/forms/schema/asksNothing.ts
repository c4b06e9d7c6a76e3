import type { JsonSchema } from '../../../../src-core/contract/types.ts';
import { fieldsOf } from './fieldsOf.ts';
import { takesMembers } from './memberSchema.ts';
import { viewSchema } from './viewSchema.ts';

/** Whether a form for these arguments has nothing to fill in: no field, no kind to choose, no entries to add. */
export function asksNothing(schema: JsonSchema): boolean {
  const { schema: view, variants, tooMany } = viewSchema(schema, schema);
  if (variants.length > 0 || tooMany !== undefined) return false;
  return fieldsOf(schema).length === 0 && !takesMembers(view);
}

import type { JsonSchema } from '../../../../src-core/contract/types.ts';
import { without } from './readKeyword.ts';
import type { Variant } from './viewSchema.ts';

/** The types a person chooses from where the schema leaves the type open; null is offered beside them. */
const kinds = ['string', 'number', 'boolean', 'object', 'array'] as const;

/** A value of any type as one of several kinds. A default is of one type, so none of them begins with it. */
export function openKinds(schema: JsonSchema): Variant[] {
  const rest = without(schema, ['default', 'examples']);
  return kinds.map((type) => ({ label: type, schema: { ...rest, type } }));
}

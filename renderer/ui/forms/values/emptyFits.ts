import type { JsonSchema } from '../../../../src-core/contract/types.ts';
import { fitsOf } from '../check/fitSchema.ts';

/** Whether an empty list or object is a value by a schema, as far as can be told: what is refused anyway is not offered. */
export function emptyFits(kind: 'array' | 'object', schema: JsonSchema, root: JsonSchema): boolean {
  const node = kind === 'array' ? { kind, items: [] } : { kind, properties: [] };
  return fitsOf(node, root)(schema) !== 'not';
}

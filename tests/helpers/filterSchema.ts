import type { JsonSchema } from '../../src-core/contract/types.ts';

/** The operators of `filterSchema` that hold filters; `eq` holds none. */
export const filterOperators = ['and', 'or', 'not', 'xor', 'any', 'all'];

/** A filter, in the document that `filterSchema` gives. */
export const filterPart: JsonSchema = { $ref: '#/$defs/filter' };

/** An object with a grammar of filters: each operator holds filters, and all are told apart by `op`, which may be named last. */
export function filterSchema({ markLast = false } = {}): JsonSchema {
  const args = { args: { type: 'array', items: filterPart } };
  return {
    type: 'object',
    properties: { filter: filterPart },
    $defs: {
      filter: {
        oneOf: [
          ...filterOperators.map((op) => ({
            type: 'object',
            properties: markLast ? { ...args, op: { const: op } } : { op: { const: op }, ...args },
            required: ['op', 'args'],
          })),
          { type: 'object', properties: { op: { const: 'eq' }, field: { type: 'string' } }, required: ['op', 'field'] },
        ],
      },
    },
  };
}

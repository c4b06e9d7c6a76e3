import type { JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';
import { asObject, listOf, numberOf, own } from './readKeyword.ts';

/** The structure of an array. */
export interface ListShape {
  /** Schemas of a tuple's items, by position. Empty for a plain list. */
  tuple: readonly JsonValue[];
  /** The schema of every further item; undefined if only the tuple's items are allowed. */
  rest: JsonValue | undefined;
  minItems: number;
  maxItems: number;
}

/** Reads both ways of writing a tuple: `prefixItems` (2020-12), and `items` as a list with `additionalItems` (draft-07). */
export function listShape(schema: JsonSchema): ListShape {
  const old = listOf(schema, 'items');
  const tuple = listOf(schema, 'prefixItems') ?? old ?? [];
  const rest = old === undefined ? own(schema, 'items') : own(schema, 'additionalItems');
  return {
    tuple,
    rest: rest === false ? undefined : (asObject(rest) ?? true),
    minItems: numberOf(schema, 'minItems') ?? 0,
    maxItems: rest === false ? tuple.length : (numberOf(schema, 'maxItems') ?? Infinity),
  };
}

/** The schema of the item at an index. */
export function itemSchema({ tuple, rest }: ListShape, index: number): JsonValue {
  return tuple[index] ?? rest ?? true;
}

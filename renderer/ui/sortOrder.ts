import type { JsonValue } from '../../src-core/contract/types.ts';

/** A column, with a `-` if the largest comes first. */
export type SortOrder<C extends string = string> = C | `-${C}`;

/** Accepts only orders of these columns. */
export const isOrderOf =
  <C extends string>(columns: readonly C[]) =>
  (value: JsonValue): value is SortOrder<C> =>
    columns.some((column) => value === column || value === `-${column}`);

/** How rows in this order are sorted by a column. */
export function directionIn(order: string, column: string): 'ascending' | 'descending' | 'none' {
  if (order === column) return 'ascending';
  return order === `-${column}` ? 'descending' : 'none';
}

import type { WritableComputedRef } from 'vue';

import { isOrderOf, type SortOrder } from '../../ui/sortOrder.ts';
import { useRemembered } from '../../window/useRemembered.ts';
import { wireIdOf, type LogEntry } from './wireRows.ts';

const columns = ['time', 'type', 'frame', 'id', 'size', 'duration'] as const;
/** A column that rows can be sorted by. */
export type SortColumn = (typeof columns)[number];
export type RowOrder = SortOrder<SortColumn>;

/** The order of the rows in the logs of connections. */
export const useRowOrder = (): WritableComputedRef<RowOrder> =>
  useRemembered<RowOrder>('wire.order', 'time', isOrderOf(columns));

/** Entries, given in the order of time, in another order. `fold`: an answer is part of its request's row. */
export function orderRows(entries: readonly LogEntry[], order: RowOrder, fold: boolean): readonly LogEntry[] {
  if (order === 'time') return entries;
  if (order === '-time') return [...entries].reverse();
  const isDescending = order.startsWith('-');
  const ranks = ranksOf(entries.map((entry) => keyOf(entry, order.replace('-', ''), fold)));
  // One number for rank and place: numbers are sorted natively, which takes a tenth of the time with 100,000 rows.
  const count = entries.length;
  const sorted = Float64Array.from(ranks, (rank, at) => (isDescending ? -rank : rank) * count + at).sort();
  return Array.from(sorted, (each) => entries[((each % count) + count) % count]).filter((entry) => entry !== undefined);
}

function keyOf({ row, answer }: LogEntry, column: string, fold: boolean): string | number {
  const half = fold ? answer?.row : undefined;
  if (column === 'type') return row.type;
  if (column === 'frame') return row.summary;
  if (column === 'id') return wireIdOf(row) ?? '';
  return column === 'size' ? row.bytes + (half?.bytes ?? 0) : (half?.durationMs ?? row.durationMs ?? -1);
}

/** The place of each key among all different ones. */
function ranksOf(keys: readonly (string | number)[]): number[] {
  const different = [...new Set(keys)].sort((a, b) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1,
  );
  const ranks = new Map(different.map((key, rank) => [key, rank]));
  return keys.map((key) => ranks.get(key) ?? 0);
}

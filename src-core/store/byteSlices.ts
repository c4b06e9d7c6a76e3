import type { SQLInputValue, StatementSync } from 'node:sqlite';

/** Bytes of texts that one step of a search reads at most, unless one row alone has more: about 10 ms. */
const sliceBytes = 4_000_000;

/** Rows from `start` to before `end`. */
export interface Slice {
  start: number;
  end: number;
}

/**
 * Goes back through the rows before `end`, in slices that are bounded by their bytes: short rows by the thousand, long
 * ones a few at a time.
 *
 * @param sum Gives `start` and `bytes` of the rows before a `seq`, so many at most; takes `values`, then these two.
 */
export function* byteSlices(
  sum: StatementSync,
  { values, end, maxRows }: { values: readonly SQLInputValue[]; end: number; maxRows: number },
): Generator<Slice> {
  let rows = maxRows;
  let before = end;
  for (;;) {
    const found = sum.get(...values, before, rows);
    if (typeof found?.['start'] !== 'number') return;
    const bytes = Number(found['bytes']);
    if (bytes > sliceBytes && rows > 1) {
      rows = Math.max(1, Math.floor((rows * sliceBytes) / bytes));
      continue;
    }
    yield { start: found['start'], end: before };
    before = found['start'];
    if (bytes * 2 < sliceBytes) rows = Math.min(maxRows, rows * 2);
  }
}

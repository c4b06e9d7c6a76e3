/** Rows, and bytes of their texts, that one part of a search reads: other requests wait some 10 ms. */
const maxRows = 2_000;
const maxBytes = 4_000_000;

/**
 * The first `seq` of the next part of a search that goes back from the newest row; undefined if no row is left. `rows` has
 * `seq` and `bytes` of each row, the newest first, and is read no further than the part goes.
 */
export function nextSlice(rows: Iterable<Record<string, unknown>>): number | undefined {
  let start: number | undefined;
  let count = 0;
  let bytes = 0;
  for (const row of rows) {
    start = Number(row['seq']);
    count += 1;
    bytes += Number(row['bytes']);
    if (count >= maxRows || bytes >= maxBytes) break;
  }
  return start;
}

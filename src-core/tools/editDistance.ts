/**
 * Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours, each at most once in a
 * place. Gives `most + 1` as soon as it is sure to be above `most`.
 */
export function editDistance(a: string, b: string, most: number): number {
  const [from, toA, toB] = differingParts(a, b);
  const [lengthA, lengthB] = [toA - from, toB - from];
  if (Math.abs(lengthA - lengthB) > most) return most + 1;
  if (lengthA === 0 || lengthB === 0) return Math.max(lengthA, lengthB);

  let beforeLast = new Uint16Array(lengthB + 1);
  let last = Uint16Array.from({ length: lengthB + 1 }, (_, j) => j);
  let row = new Uint16Array(lengthB + 1);
  for (let i = 1; i <= lengthA; i += 1) {
    const here = a.charCodeAt(from + i - 1);
    const before = i > 1 ? a.charCodeAt(from + i - 2) : -1;
    // Off this band a way costs more than `most` already.
    const first = Math.max(1, i - most);
    const end = Math.min(lengthB, i + most);
    let least = first === 1 ? i : most + 1;
    row[first - 1] = least;
    for (let j = first; j <= end; j += 1) {
      const there = b.charCodeAt(from + j - 1);
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (here === there ? 0 : 1));
      const swapped = j > 1 && before === there && here === b.charCodeAt(from + j - 2);
      if (swapped) cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      row[j] = cost;
      if (cost < least) least = cost;
    }
    if (end < lengthB) row[end + 1] = most + 1;
    if (least > most) return most + 1;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return Math.min(at(last, lengthB), most + 1);
}

/** Where the texts begin to differ, and where each of them ends to; what is equal around that costs nothing. */
function differingParts(a: string, b: string): [from: number, toA: number, toB: number] {
  let from = 0;
  let [toA, toB] = [a.length, b.length];
  while (from < toA && from < toB && a.charCodeAt(from) === b.charCodeAt(from)) from += 1;
  while (toA > from && toB > from && a.charCodeAt(toA - 1) === b.charCodeAt(toB - 1)) {
    toA -= 1;
    toB -= 1;
  }
  return [from, toA, toB];
}

function at(row: Uint16Array, index: number): number {
  return row[index] ?? 0;
}

import { alignTexts } from './alignTexts.ts';
import { maxRows, type ComparedRow, type Comparison, type Difference } from './comparison.ts';

/** Lines between what both begin and end with, beyond which they are put side by side by their number. */
const mostAligned = 1_500;

/** Two texts line by line. */
export function compareText(left: string, right: string): Comparison {
  const [a, b] = [left.split(/\r?\n/), right.split(/\r?\n/)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [one, other] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const between = Math.max(one.length, other.length) > mostAligned ? byNumber(one, other) : alignTexts(one, other);
  const same = (line: string): [string, string] => [line, line];
  const pairs = [...a.slice(0, start).map(same), ...changesOf(between), ...a.slice(a.length - end).map(same)];

  const rows: ComparedRow[] = [];
  const differences: Difference[] = [];
  for (const [before, after] of pairs.slice(0, maxRows)) {
    const kind =
      before === after ? 'same' : before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
    if (kind !== 'same') differences.push({ kind, row: rows.length });
    rows.push({
      kind,
      depth: 0,
      ...(before !== undefined && { left: before }),
      ...(after !== undefined && { right: after }),
    });
  }
  return { by: 'text', rows, differences, cut: pairs.length > maxRows };
}

type Pair = [left: string | undefined, right: string | undefined];

function byNumber(a: readonly string[], b: readonly string[]): Pair[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, at) => [a[at], b[at]]);
}

/** Lines that only one has, next to lines that only the other has, are changed lines. */
function changesOf(pairs: readonly Pair[]): Pair[] {
  const found: Pair[] = [];
  let [gone, come]: [string[], string[]] = [[], []];
  const flush = (): void => {
    // One after the other: a call takes no hundred thousand arguments.
    for (const pair of byNumber(gone, come)) found.push(pair);
    [gone, come] = [[], []];
  };
  for (const [before, after] of pairs) {
    if (before !== undefined && after !== undefined) {
      flush();
      found.push([before, after]);
    } else if (before !== undefined) gone.push(before);
    else if (after !== undefined) come.push(after);
  }
  flush();
  return found;
}

import { stepText } from '../../../ui/json/stepText.ts';
import { compareNumbers } from '../../../ui/forms/json/decimal.ts';
import { propertyOf, type JsonContent } from '../../../ui/forms/json/jsonNode.ts';
import { maxRows, type ComparedRow, type Comparison, type Difference, type DifferenceKind } from './comparison.ts';
import { jsonLines, scalarText } from './jsonLines.ts';

/** Two JSON values by path: members by key, whatever their order; items by index. Numbers are compared as written. */
export function compareJson(left: JsonContent, right: JsonContent): Comparison {
  const rows: ComparedRow[] = [];
  const differences: Difference[] = [];

  /** `name` is what stands before the value in its line. */
  function both(a: JsonContent, b: JsonContent, name: string, depth: number, path: string): void {
    if (rows.length >= maxRows) return;
    if (a.kind === 'object' && b.kind === 'object') return members(a, b, name, depth, path);
    if (a.kind === 'array' && b.kind === 'array') return items(a, b, name, depth, path);
    if (!isSame(a, b)) return differ(a, b, name, depth, path);
    rows.push({ kind: 'same', depth, left: name + scalarText(a), right: name + scalarText(b) });
  }

  function members(a: Of<'object'>, b: Of<'object'>, name: string, depth: number, path: string): void {
    const keys = new Set([...a.properties, ...b.properties].map(({ key }) => key));
    around(name, depth, keys.size === 0 ? '{}' : '{', '}', () => {
      for (const key of keys) {
        const [one, other] = [propertyOf(a, key)?.value, propertyOf(b, key)?.value];
        oneOrBoth(one, other, `${JSON.stringify(key)}: `, depth + 1, path + stepText(key));
      }
    });
  }

  function items(a: Of<'array'>, b: Of<'array'>, name: string, depth: number, path: string): void {
    const count = Math.max(a.items.length, b.items.length);
    around(name, depth, count === 0 ? '[]' : '[', ']', () => {
      for (let at = 0; at < count && rows.length < maxRows; at += 1)
        oneOrBoth(a.items[at], b.items[at], '', depth + 1, path + stepText(at));
    });
  }

  function around(name: string, depth: number, open: string, close: string, inner: () => void): void {
    rows.push({ kind: 'same', depth, left: name + open, right: name + open });
    if (open.length > 1) return;
    inner();
    rows.push({ kind: 'same', depth, left: close, right: close });
  }

  function oneOrBoth(
    a: JsonContent | undefined,
    b: JsonContent | undefined,
    name: string,
    depth: number,
    path: string,
  ): void {
    if (a !== undefined && b !== undefined) both(a, b, name, depth, path);
    else differ(a, b, name, depth, path);
  }

  function differ(
    a: JsonContent | undefined,
    b: JsonContent | undefined,
    name: string,
    depth: number,
    path: string,
  ): void {
    if (rows.length >= maxRows) return;
    const kind: DifferenceKind = a === undefined ? 'added' : b === undefined ? 'removed' : 'changed';
    differences.push({ kind, row: rows.length, path });
    const room = maxRows - rows.length;
    const [one, other] = [a, b].map((value) => (value === undefined ? [] : jsonLines(value, name, depth, room)));
    for (let at = 0; at < Math.max(one?.length ?? 0, other?.length ?? 0); at += 1) {
      const [here, there] = [one?.[at], other?.[at]];
      rows.push({
        kind,
        depth: here?.depth ?? there?.depth ?? depth,
        ...(here !== undefined && { left: here.text }),
        ...(there !== undefined && { right: there.text }),
      });
    }
  }

  both(left, right, '', 0, '$');
  return { by: 'json', rows, differences, cut: rows.length >= maxRows };
}

type Of<K extends JsonContent['kind']> = Extract<JsonContent, { kind: K }>;

/** Of two values that are not both objects, nor both arrays. */
function isSame(a: JsonContent, b: JsonContent): boolean {
  if (a.kind === 'number' && b.kind === 'number') return a.raw === b.raw || compareNumbers(a.raw, b.raw) === 0;
  if (a.kind === 'string' && b.kind === 'string') return a.value === b.value;
  return a.kind === 'word' && b.kind === 'word' && a.value === b.value;
}

import { parseJsonText } from '../../../ui/forms/json/parseJsonText.ts';
import { maxRows, type Comparison, type ComparedRow, type Difference, type DifferenceKind } from './comparison.ts';
import { pairItems } from '../mcp/pairItems.ts';
import { alignTexts } from '../../../../src-core/base/alignTexts.ts';
import { stepText } from '../../../ui/json/stepText.ts';
import { compareNumbers } from '../../../ui/forms/json/decimal.ts';
import { propertyOf, type JsonContent } from '../../../ui/forms/json/jsonNode.ts';

/** Lines between what both begin and end with, beyond which they are put side by side by their number. */
const mostAligned = 1_500;

/** Compares two results: as JSON if both are objects or lists, otherwise line by line. What is at an `ignored` path does not differ. */
export function compareResults(left: string, right: string, ignored?: ReadonlySet<string>): Comparison {
  if (![left, right].every((text) => /^\s*[[{]/.test(text))) return compareText(left, right);
  const [one, other] = [parseJsonText(left), parseJsonText(right)];
  return one.ok && other.ok ? compareJson(one.root, other.root, ignored) : compareText(left, right);
}

/** Two texts line by line. */
function compareText(left: string, right: string): Comparison {
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

/**
 * Two JSON values by path: members by key, whatever their order; items by index, those of lists of MCP by name. Numbers are compared
 * as written.
 */
function compareJson(left: JsonContent, right: JsonContent, ignored?: ReadonlySet<string>): Comparison {
  const rows: ComparedRow[] = [];
  const differences: Difference[] = [];

  /** `name` is what stands before the value in its line. */
  function both(a: JsonContent, b: JsonContent, name: string, depth: number, path: string): void {
    if (rows.length >= maxRows) return;
    if (a.kind === 'object' && b.kind === 'object') return members(a, b, name, depth, path);
    if (a.kind === 'array' && b.kind === 'array') return items(a, b, name, depth, path);
    if (!isSame(a, b) && ignored?.has(path) !== true) {
      const [one, other] = [jsonIn(a, path), jsonIn(b, path)];
      return one && other ? both(one, other, name, depth, path) : differ(a, b, name, depth, path);
    }
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
    const pairs = pairItems(a.items, b.items, path);
    around(name, depth, pairs.length === 0 ? '[]' : '[', ']', () => {
      for (const [step, one, other] of pairs)
        if (rows.length < maxRows) oneOrBoth(one, other, '', depth + 1, path + step);
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

/** The object or list that a member `text` has as JSON, as results of MCP do. */
function jsonIn(value: JsonContent, path: string): JsonContent | undefined {
  if (value.kind !== 'string' || !path.endsWith('.text') || !/^\s*[[{]/.test(value.value)) return undefined;
  const read = parseJsonText(value.value);
  return read.ok ? read.root : undefined;
}

type Of<K extends JsonContent['kind']> = Extract<JsonContent, { kind: K }>;

/** Of two values that are not both objects, nor both arrays. */
function isSame(a: JsonContent, b: JsonContent): boolean {
  if (a.kind === 'number' && b.kind === 'number') return a.raw === b.raw || compareNumbers(a.raw, b.raw) === 0;
  if (a.kind === 'string' && b.kind === 'string') return a.value === b.value;
  return a.kind === 'word' && b.kind === 'word' && a.value === b.value;
}

/** A value over its lines, at most `most` of them; `name` stands before it. */
function jsonLines(value: JsonContent, name: string, depth: number, most: number): { text: string; depth: number }[] {
  const lines: { text: string; depth: number }[] = [];
  function write(each: JsonContent, before: string, at: number): void {
    if (lines.length >= most) return;
    const [open, close] = each.kind === 'object' ? ['{', '}'] : ['[', ']'];
    if (each.kind === 'object' && each.properties.length > 0) {
      lines.push({ text: before + open, depth: at });
      for (const member of each.properties) write(member.value, `${JSON.stringify(member.key)}: `, at + 1);
    } else if (each.kind === 'array' && each.items.length > 0) {
      lines.push({ text: before + open, depth: at });
      for (const item of each.items) write(item, '', at + 1);
    } else {
      lines.push({ text: before + scalarText(each), depth: at });
      return;
    }
    if (lines.length < most) lines.push({ text: close, depth: at });
  }
  write(value, name, depth);
  return lines;
}

/** A value without members as JSON, a number as it was written. */
function scalarText(value: JsonContent): string {
  switch (value.kind) {
    case 'object':
      return '{}';
    case 'array':
      return '[]';
    case 'number':
      return value.raw;
    default:
      return JSON.stringify(value.value);
  }
}

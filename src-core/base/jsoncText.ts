import { parseTree, type Node, type ParseError } from 'jsonc-parser';

import { parseExactly } from './exactNumber.ts';
import { createJsonObject, type JsonValue } from './json.ts';
import { localize, type Localized } from './messages/localize.ts';

/** A text that was read, with the lines of its values. */
export interface ReadText {
  value?: JsonValue;
  faults: { line: number; message: Localized }[];
  /** The line of the value at a path, or of the nearest value above it. Counts from 1. */
  lineOf(path: readonly string[]): number;
}

/** Reads JSON that may have comments and trailing commas. Numbers are exact. A text with a fault has no value. */
export function readJsonc(text: string): ReadText {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { allowTrailingComma: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { faults: [{ line: 1, message: localize('configFiles.tooDeep') }], lineOf: () => 1 };
  }
  // The first fault is the cause of the others.
  const faults = errors
    .slice(0, 1)
    .map(({ error, offset }) => ({ line: lineAt(text.trimEnd(), offset), message: describe(error) }));
  const twice = root === undefined ? [] : duplicates(root, text);
  const value = root === undefined || errors.length > 0 ? undefined : toValue(root, text);
  return {
    ...(value !== undefined && twice.length === 0 && { value }),
    faults: [...faults, ...(errors.length > 0 ? [] : twice)],
    lineOf: (path) => lineAt(text, find(root, path)?.offset ?? 0),
  };
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** Numbers of jsonc-parser's `ParseErrorCode`, which is a const enum. */
function describe(code: number): Localized {
  if (code === 3) return localize('configFiles.nameExpected');
  if (code === 5) return localize('configFiles.colonExpected');
  if (code === 6) return localize('configFiles.commaExpected');
  if (code === 7 || code === 8) return localize('configFiles.notClosed', { bracket: code === 7 ? '}' : ']' });
  if (code === 9) return localize('configFiles.somethingFollows');
  if (code === 11) return localize('configFiles.notClosed', { bracket: '*/' });
  if (code === 12) return localize('configFiles.notClosed', { bracket: '"' });
  if (code >= 14) return localize('configFiles.badEscape');
  return localize('configFiles.valueExpected');
}

function toValue(node: Node, text: string): JsonValue {
  if (node.type === 'number') return parseExactly(text.slice(node.offset, node.offset + node.length));
  if (node.type === 'array') return (node.children ?? []).map((child) => toValue(child, text));
  if (node.type !== 'object') return node.value as JsonValue;
  const object = createJsonObject();
  for (const [name, value] of members(node)) object[name] = toValue(value, text);
  return object;
}

function members({ children = [] }: Node): [string, Node][] {
  return children.flatMap(({ children: [name, value] = [] }): [string, Node][] =>
    name === undefined || value === undefined ? [] : [[String(name.value), value]],
  );
}

/** If two members have the same name, readers may use different ones, so neither is used. */
function duplicates(node: Node, text: string): ReadText['faults'] {
  const found: ReadText['faults'] = [];
  const visit = (each: Node): void => {
    const seen = new Set<string>();
    if (each.type === 'object')
      for (const [name, value] of members(each)) {
        if (seen.has(name))
          found.push({ line: lineAt(text, value.offset), message: localize('configFiles.nameTwice', { name }) });
        seen.add(name);
      }
    each.children?.forEach(visit);
  };
  visit(node);
  return found.slice(0, 20);
}

function find(root: Node | undefined, path: readonly string[]): Node | undefined {
  let node = root;
  for (const name of path) {
    const next =
      node?.type === 'array'
        ? node.children?.[Number(name)]
        : node?.type === 'object'
          ? members(node).find(([each]) => each === name)?.[1]
          : undefined;
    if (next === undefined) break;
    node = next;
  }
  return node;
}

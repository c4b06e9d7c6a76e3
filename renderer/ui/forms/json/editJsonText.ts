import { nodeAt, propertyOf, type JsonNode, type JsonPath, type ObjectNode } from './jsonNode.ts';
import { parseJsonText } from './parseJsonText.ts';

/**
 * Returns the text with the value at `path` set to `json` (JSON text, inserted unchanged). Missing parents are created;
 * an index equal to an array's length adds an item. Everything else, including order and spacing, is unchanged.
 * @throws {RangeError} If the text is not valid JSON, or if a value on the path is not an object or an array.
 */
export function setJsonAt(text: string, path: JsonPath, json: string): string {
  let owner = rootOf(text);
  for (const [depth, step] of path.entries()) {
    const rest = path.slice(depth + 1);
    const found = childOf(owner, step);
    if (found === undefined) return insert(text, owner, step, wrap(rest, json));
    if (rest.length === 0) return splice(text, found, indentAs(json, lineIndent(text, found.from)));
    owner = found.node;
  }
  return json;
}

/** Returns the text without any occurrence of the property or item at `path`; the same text if there is none. */
export function removeJsonAt(text: string, path: JsonPath): string {
  const step = path.at(-1);
  if (step === undefined) return '{}';
  const owner = nodeAt(rootOf(text), path.slice(0, -1));
  if (owner?.kind === 'array' && typeof step === 'number') return removePart(text, owner, owner.items, step, '[]');
  if (owner?.kind !== 'object' || typeof step !== 'string') return text;
  const index = owner.properties.findLastIndex(({ key }) => key === step);
  if (index === -1) return text;
  return removeJsonAt(removePart(text, owner, owner.properties, index, '{}'), path);
}

function rootOf(text: string): JsonNode {
  const parsed = parseJsonText(text);
  if (!parsed.ok) throw new RangeError('The text is not valid JSON.');
  return parsed.root;
}

interface Found {
  node: JsonNode;
  start: number;
  end: number;
  /** Start of the line whose indentation the value's lines have. */
  from: number;
}

function childOf(owner: JsonNode, step: string | number): Found | undefined {
  if (owner.kind === 'object' && typeof step === 'string') {
    const property = propertyOf(owner, step);
    if (property === undefined) return undefined;
    return { node: property.value, start: property.value.start, end: property.value.end, from: property.start };
  }
  if (owner.kind === 'array' && typeof step === 'number') {
    const item = owner.items[step];
    if (item === undefined && step !== owner.items.length) throw new RangeError(`There is no item ${String(step)}.`);
    return item && { node: item, start: item.start, end: item.end, from: item.start };
  }
  throw new RangeError(`The value that should hold ${JSON.stringify(step)} is not an ${kindFor(step)}.`);
}

function kindFor(step: string | number): 'object' | 'array' {
  return typeof step === 'string' ? 'object' : 'array';
}

/** Wraps `json` in new objects and arrays along `path`. */
function wrap(path: JsonPath, json: string): string {
  return path.reduceRight<string>((value, step) => {
    const inner = indentAs(value, '  ');
    return typeof step === 'string' ? `{\n  ${JSON.stringify(step)}: ${inner}\n}` : `[\n  ${inner}\n]`;
  }, json);
}

function removePart(
  text: string,
  owner: JsonNode,
  parts: readonly { start: number; end: number }[],
  index: number,
  empty: string,
): string {
  const part = parts[index];
  if (part === undefined) return text;
  const before = parts[index - 1];
  const after = parts[index + 1];
  if (before !== undefined) return splice(text, { start: before.end, end: part.end }, '');
  if (after !== undefined) return splice(text, { start: part.start, end: after.start }, '');
  return splice(text, owner, empty);
}

function insert(text: string, owner: JsonNode, step: string | number, json: string): string {
  const [parts, open, close] =
    owner.kind === 'object'
      ? ([owner.properties, '{', '}'] as const)
      : ([owner.kind === 'array' ? owner.items : [], '[', ']'] as const);
  const key = typeof step === 'string' ? `${JSON.stringify(step)}: ` : '';
  const last = parts.at(-1);
  const outer = lineIndent(text, owner.start);
  if (last === undefined) {
    const inner = `${outer}  `;
    return splice(text, owner, `${open}\n${inner}${key}${indentAs(json, inner)}\n${outer}${close}`);
  }
  const onOwnLine = text.slice(owner.start, last.start).includes('\n');
  const indent = onOwnLine ? lineIndent(text, last.start) : outer;
  const entry = `${key}${indentAs(json, indent)}`;
  return splice(text, { start: last.end, end: last.end }, onOwnLine ? `,\n${indent}${entry}` : `, ${entry}`);
}

/** Returns the text with the property at `path` renamed to `name`; the same text if it is missing or `name` exists. */
export function renameJsonKey(text: string, path: JsonPath, name: string): string {
  const owner = nodeAt(rootOf(text), path.slice(0, -1)) as ObjectNode | undefined;
  if (owner?.kind !== 'object' || propertyOf(owner, name) !== undefined) return text;
  const property = owner.properties.findLast(({ key }) => key === path.at(-1));
  return property === undefined ? text : splice(text, property.keySpan, JSON.stringify(name));
}

/** Returns the text with two items of the array at `path` swapped. */
export function swapJsonItems(text: string, path: JsonPath, a: number, b: number): string {
  const owner = nodeAt(rootOf(text), path);
  if (owner?.kind !== 'array') return text;
  const first = owner.items[Math.min(a, b)];
  const second = owner.items[Math.max(a, b)];
  if (first === undefined || second === undefined || first === second) return text;
  const held = text.slice(first.start, first.end);
  return splice(splice(text, second, held), first, text.slice(second.start, second.end));
}

/** The text with one stretch of it replaced. */
function splice(text: string, { start, end }: { start: number; end: number }, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end);
}

/** White space the line of `offset` begins with. */
function lineIndent(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** JSON text whose further lines stand `indent` deeper. A line break inside a string is written `\n`: none is touched. */
function indentAs(json: string, indent: string): string {
  return json.replaceAll('\n', `\n${indent}`);
}

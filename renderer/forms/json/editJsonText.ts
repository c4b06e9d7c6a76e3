import { nodeAt, propertyOf, type JsonPath, type ObjectNode } from './jsonNode.ts';
import { parseJsonText } from './parseJsonText.ts';

/**
 * The text with the value at `path` set to `json` (JSON text, put in as it is). Objects missing on the way are made;
 * everything else in the text, order and spacing included, stays as it was.
 * @throws {RangeError} where the text is no JSON object, or the path leads through something that is none.
 */
export function setJsonAt(text: string, path: JsonPath, json: string): string {
  const parsed = parseJsonText(text);
  if (!parsed.ok) throw new RangeError('The text is no JSON.');
  let owner = parsed.root;
  for (const [depth, key] of path.entries()) {
    if (owner.kind !== 'object')
      throw new RangeError(`The value that should hold ${JSON.stringify(key)} is no object.`);
    const rest = path.slice(depth + 1);
    const property = propertyOf(owner, key);
    if (property === undefined) return insertProperty(text, owner, key, wrap(rest, json));
    if (rest.length === 0) {
      const { start, end } = property.value;
      return splice(text, start, end, indentAs(json, lineIndent(text, property.start)));
    }
    owner = property.value;
  }
  return json;
}

/** The text without the property at `path`, every occurrence of it; the same text where there is none. */
export function removeJsonAt(text: string, path: JsonPath): string {
  const key = path.at(-1);
  if (key === undefined) return '{}';
  for (let current = text; ;) {
    const parsed = parseJsonText(current);
    if (!parsed.ok) throw new RangeError('The text is no JSON.');
    const owner = nodeAt(parsed.root, path.slice(0, -1));
    if (owner?.kind !== 'object' || propertyOf(owner, key) === undefined) return current;
    current = removeProperty(current, owner, key);
  }
}

/** `json` as the value at the end of `path`, in objects made for it. */
function wrap(path: JsonPath, json: string): string {
  return path.reduceRight((value, key) => `{\n  ${JSON.stringify(key)}: ${indentAs(value, '  ')}\n}`, json);
}

function removeProperty(text: string, owner: ObjectNode, key: string): string {
  const index = owner.properties.findLastIndex((property) => property.key === key);
  const property = owner.properties[index];
  if (property === undefined) return text;
  const before = owner.properties[index - 1];
  const after = owner.properties[index + 1];
  if (before !== undefined) return splice(text, before.end, property.end, '');
  if (after !== undefined) return splice(text, property.start, after.start, '');
  return splice(text, owner.start, owner.end, '{}');
}

function insertProperty(text: string, owner: ObjectNode, key: string, json: string): string {
  const last = owner.properties.at(-1);
  const outer = lineIndent(text, owner.start);
  if (last === undefined) {
    const inner = `${outer}  `;
    const body = `{\n${inner}${JSON.stringify(key)}: ${indentAs(json, inner)}\n${outer}}`;
    return splice(text, owner.start, owner.end, body);
  }
  const onOwnLine = text.slice(owner.start, last.start).includes('\n');
  const indent = onOwnLine ? lineIndent(text, last.start) : outer;
  const entry = `${JSON.stringify(key)}: ${indentAs(json, indent)}`;
  return splice(text, last.end, last.end, onOwnLine ? `,\n${indent}${entry}` : `, ${entry}`);
}

/** White space the line of `offset` begins with. */
function lineIndent(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function indentAs(json: string, indent: string): string {
  return json.replaceAll('\n', `\n${indent}`);
}

function splice(text: string, start: number, end: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end);
}

/** Half-open, in UTF-16 code units. */
export interface Span {
  start: number;
  end: number;
}

export interface JsonProperty extends Span {
  key: string;
  keySpan: Span;
  value: JsonNode;
}

/** A JSON value with its position in the text. Numbers stay as written, so that none is rounded. */
export type JsonNode =
  | (Span & { kind: 'object'; properties: JsonProperty[] })
  | (Span & { kind: 'array'; items: JsonNode[] })
  | (Span & { kind: 'string'; value: string })
  | (Span & { kind: 'number'; raw: string })
  | (Span & { kind: 'word'; value: true | false | null });

export type ObjectNode = Extract<JsonNode, { kind: 'object' }>;

/** A JSON value without its position, as shown by a field. The same object as long as the value is the same. */
export type JsonContent =
  | { kind: 'object'; properties: readonly { key: string; value: JsonContent }[] }
  | { kind: 'array'; items: readonly JsonContent[] }
  | { kind: 'string'; value: string }
  | { kind: 'number'; raw: string }
  | { kind: 'word'; value: true | false | null };

export type ObjectContent = Extract<JsonContent, { kind: 'object' }>;

/** The path from the root: keys of objects, indexes of arrays. */
export type JsonPath = readonly (string | number)[];

/** A path as a map key. */
export function pathKey(path: JsonPath): string {
  return JSON.stringify(path);
}

/** Below this number of properties, a search is as fast as a map. */
const few = 12;
const tables = new WeakMap<object, ReadonlyMap<string, unknown>>();

/** The effective property: of duplicate keys, JSON parsers use the last one. */
export function propertyOf<P extends { key: string }>(node: { properties: readonly P[] }, key: string): P | undefined {
  const { properties } = node;
  if (properties.length <= few) return properties.findLast((property) => property.key === key);
  let table = tables.get(properties) as ReadonlyMap<string, P> | undefined;
  if (table === undefined) {
    table = new Map(properties.map((property) => [property.key, property]));
    tables.set(properties, table);
  }
  return table.get(key);
}

/** The node at a path, or undefined if there is none. */
export function nodeAt(root: JsonNode | undefined, path: JsonPath): JsonNode | undefined;
export function nodeAt(root: JsonContent | undefined, path: JsonPath): JsonContent | undefined;
export function nodeAt(root: JsonContent | undefined, path: JsonPath): JsonContent | undefined {
  let node = root;
  for (const step of path) {
    if (node?.kind === 'object' && typeof step === 'string') node = propertyOf(node, step)?.value;
    else if (node?.kind === 'array' && typeof step === 'number') node = node.items[step];
    else return undefined;
  }
  return node;
}

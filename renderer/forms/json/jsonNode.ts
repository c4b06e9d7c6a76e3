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

/** A JSON value with where it stands in its text. Numbers stay as written, so that none is ever rounded. */
export type JsonNode =
  | (Span & { kind: 'object'; properties: JsonProperty[] })
  | (Span & { kind: 'array'; items: JsonNode[] })
  | (Span & { kind: 'string'; value: string })
  | (Span & { kind: 'number'; raw: string })
  | (Span & { kind: 'word'; value: true | false | null });

export type ObjectNode = Extract<JsonNode, { kind: 'object' }>;

/** Keys from the root. Only objects are walked: what stands in an array belongs to the array's own editor. */
export type JsonPath = readonly string[];

/** The property that counts: where a key stands twice, JSON readers take the last. */
export function propertyOf(node: ObjectNode, key: string): JsonProperty | undefined {
  return node.properties.findLast((property) => property.key === key);
}

/** The node at a path, or undefined where the text has none. */
export function nodeAt(root: JsonNode | undefined, path: JsonPath): JsonNode | undefined {
  let node = root;
  for (const key of path) {
    if (node?.kind !== 'object') return undefined;
    node = propertyOf(node, key)?.value;
  }
  return node;
}

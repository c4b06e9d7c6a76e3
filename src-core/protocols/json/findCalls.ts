import { memberOf, type JsonNode } from '../../base/jsonNode.ts';

/** A JSON value that means to be a call. */
export interface CallCandidate {
  /** The whole call. */
  node: JsonNode;
  /** The object with name and arguments: the call itself, or its `function`. */
  inner: JsonNode;
  name?: JsonNode;
  args?: JsonNode;
  id?: JsonNode;
  /** As in a chat API's message, which is unambiguous whatever surrounds it. */
  api: boolean;
}

/** What a JSON value holds for a tool caller. */
export interface FoundCalls {
  calls: CallCandidate[];
  /** Tools that are described, not called. */
  definitions: JsonNode[];
  /** Pieces of a streamed answer: a call in them is not whole. */
  fragments: JsonNode[];
}

const nameKeys = ['name', 'tool', 'tool_name', 'function'];
const argumentKeys = ['arguments', 'parameters', 'args', 'input'];
const idKeys = ['call_id', 'tool_call_id', 'request_id', 'id'];
const apiTypes: ReadonlySet<string | undefined> = new Set(['tool_use', 'function_call', 'tool_call']);

/**
 * The calls in a JSON value, in the order of the text. A value that is a call, or a list of calls, counts as such; deeper
 * inside only what chat APIs write: `tool_calls`, `function_call`, blocks of type `tool_use` or `function_call`. With
 * `explicit` the surroundings say that the value is a call, so that a name suffices.
 */
export function findCalls(root: JsonNode, { explicit }: { explicit: boolean }): FoundCalls {
  const found: FoundCalls = { calls: [], definitions: [], fragments: [] };
  const roots = root.kind === 'array' ? (root.items ?? []) : [root];
  for (const node of roots) {
    const shape = callShape(node);
    if (shape !== undefined && isDefinition(shape)) found.definitions.push(node);
    else if (shape !== undefined && (shape.api || shape.args !== undefined || explicit)) found.calls.push(shape);
    else {
      const before = found.calls.length + found.fragments.length;
      visit(node, found);
      const nothing = found.calls.length + found.fragments.length === before;
      if (nothing && explicit && node.kind === 'object') found.calls.push({ node, inner: node, api: false });
    }
  }
  return found;
}

/** The depth is bounded by the reader of the JSON. */
function visit(node: JsonNode, found: FoundCalls): void {
  for (const item of node.items ?? []) {
    const shape = callShape(item);
    if (shape?.api === true) found.calls.push(shape);
    else visit(item, found);
  }
  for (const { key, value } of node.members ?? []) {
    if (value === undefined) continue;
    if (key.text === 'delta') {
      if (memberOf(value, 'tool_calls') ?? memberOf(value, 'function_call')) found.fragments.push(value);
    } else if (key.text === 'tool_calls' && value.kind === 'array') {
      for (const item of value.items ?? [])
        if (item.kind === 'object')
          found.calls.push({ ...(callShape(item) ?? { node: item, inner: item }), api: true });
    } else {
      const shape = callShape(value);
      if (shape !== undefined && (shape.api || key.text === 'function_call')) found.calls.push({ ...shape, api: true });
      else visit(value, found);
    }
  }
}

/** How an object would be read as a call; undefined if it names none. */
function callShape(node: JsonNode): CallCandidate | undefined {
  if (node.kind !== 'object') return undefined;
  const nested = memberOf(node, 'function');
  const inner = nested?.kind === 'object' ? nested : node;
  const name = firstOf(inner, nameKeys, ({ kind }) => kind === 'string');
  if (name === undefined) return undefined;
  const args = firstOf(inner, argumentKeys, () => true);
  const id = firstOf(node, idKeys, ({ kind }) => kind === 'string' || kind === 'number');
  const type = memberOf(node, 'type')?.text;
  const api = apiTypes.has(type) && (args !== undefined || type === 'tool_use');
  return { node, inner, name, api, ...(args !== undefined && { args }), ...(id !== undefined && { id }) };
}

function firstOf(node: JsonNode, keys: readonly string[], fits: (value: JsonNode) => boolean): JsonNode | undefined {
  for (const key of keys) {
    const value = memberOf(node, key);
    if (value !== undefined && fits(value)) return value;
  }
  return undefined;
}

/** A name with a JSON Schema or an explanation, as prompts and requests offer tools. */
function isDefinition({ inner, args }: CallCandidate): boolean {
  if (memberOf(inner, 'input_schema') ?? memberOf(inner, 'inputSchema')) return true;
  if (args === undefined || args !== memberOf(inner, 'parameters')) return false;
  // A call explains nothing; a schema need not name its type.
  if (memberOf(inner, 'description') !== undefined) return true;
  return memberOf(args, 'type')?.text === 'object' && memberOf(args, 'properties')?.kind === 'object';
}

import type { JsonSchema, JsonValue } from '../../../src-core/api/types.ts';
import { propertyOf, type JsonNode, type JsonPath, type ObjectNode } from '../json/jsonNode.ts';
import { checkNumber, checkString } from './checkScalar.ts';
import type { LocalIssue } from './localIssue.ts';
import { jsonOf, typeOfNode } from '../json/nodeFacts.ts';
import { listOf, objectOf, own, viewSchema } from './schemaView.ts';

const maxDepth = 32;
const maxIssues = 100;

/**
 * The checks that need no engine, while a person types: presence, type, range, length and choice, through nested
 * objects. What it does not know it lets pass: the engine's validator has the last word at the call.
 */
export function checkArguments(schema: JsonSchema, root: JsonNode): LocalIssue[] {
  const issues: LocalIssue[] = [];
  check({ node: root, schema, root: schema, path: [], issues, depth: 0 });
  return issues;
}

interface Place {
  node: JsonNode;
  schema: JsonValue | undefined;
  root: JsonSchema;
  path: JsonPath;
  issues: LocalIssue[];
  depth: number;
}

function check({ node, schema, root, path, issues, depth }: Place): void {
  if (depth > maxDepth || issues.length >= maxIssues) return;
  const view = viewSchema(schema, root);
  const type = typeOfNode(node);
  if (type === 'null' && view.nullable) return;
  const options = listOf(view.schema, 'enum');
  if (options !== undefined) {
    const written = jsonOf(node);
    if (options.some((option) => JSON.stringify(option) === written)) return;
    const wording = options
      .slice(0, 12)
      .map((option) => JSON.stringify(option))
      .join(', ');
    issues.push({ path, code: 'enum', params: { value: short(written), options: wording } });
    return;
  }
  const fits =
    view.types.length === 0 ||
    view.types.some((wanted) => wanted === type || (wanted === 'number' && type === 'integer'));
  if (!fits) {
    issues.push(wrongType(node, type, view.types, path));
    return;
  }
  if (node.kind === 'number') issues.push(...checkNumber(node.raw, view.schema, path));
  if (node.kind === 'string') issues.push(...checkString(node.value, view.schema, path));
  if (node.kind === 'object') checkObject(node, { node, schema: view.schema, root, path, issues, depth });
}

function checkObject(node: ObjectNode, { schema, root, path, issues, depth }: Place): void {
  const view = viewSchema(schema, root).schema;
  const properties = objectOf(view, 'properties') ?? {};
  const known = new Set(Object.keys(properties));
  for (const name of listOf(view, 'required') ?? []) {
    if (typeof name !== 'string' || propertyOf(node, name) !== undefined) continue;
    issues.push({ path: [...path, name], code: 'required', params: { name } });
  }
  const closed = own(view, 'additionalProperties') === false;
  const seen = new Set<string>();
  for (const property of node.properties) {
    const at = [...path, property.key];
    if (seen.has(property.key)) issues.push({ path: at, code: 'duplicate', params: { name: property.key } });
    seen.add(property.key);
    if (known.has(property.key)) {
      check({ node: property.value, schema: own(properties, property.key), root, path: at, issues, depth: depth + 1 });
    } else if (closed && objectOf(view, 'patternProperties') === undefined) {
      issues.push({ path: at, code: 'unknown', params: { name: property.key } });
    }
  }
}

function wrongType(node: JsonNode, type: string, types: string[], path: JsonPath): LocalIssue {
  if (type === 'null') return { path, code: 'null', params: { wanted: types.join(' | ') } };
  const params = { value: short(jsonOf(node)), wanted: types.join(' | ') };
  const remedy = types.length === 1 ? converted(node, types[0] ?? '') : undefined;
  return { path, code: 'type', params, ...(remedy === undefined ? {} : { remedy }) };
}

/** The same value as the wanted type, where that is beyond doubt. */
function converted(node: JsonNode, wanted: string): string | undefined {
  if (wanted === 'string' && (node.kind === 'number' || node.kind === 'word')) return JSON.stringify(jsonOf(node));
  if (node.kind !== 'string') return undefined;
  if (wanted === 'boolean' && /^(true|false)$/.test(node.value)) return node.value;
  if (wanted === 'integer' && /^-?(0|[1-9]\d*)$/.test(node.value)) return node.value;
  if (wanted === 'number' && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(node.value)) return node.value;
  return undefined;
}

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

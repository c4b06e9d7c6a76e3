import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { isExactNumber } from '../base/exactNumber.ts';

/**
 * Arguments that Streamable HTTP of 2026-07-28 repeats as headers: a property with `x-mcp-header: Name` is sent as
 * `Mcp-Param-Name`.
 */
const annotation = 'x-mcp-header';
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const headerTypes = ['string', 'integer', 'boolean'];
const plainValue = /^[\t\x20-\x7e]+$/;
const encodedValue = /^=\?base64\?.*\?=$/s;

interface Declaration {
  path: string[];
  header: string;
}

/** Why a tool with this schema must be omitted from a list over HTTP, in English. */
export function findHeaderFault(inputSchema: JsonObject): string | undefined {
  return scan(inputSchema).fault;
}

/** The headers of a call. An argument that is missing, null or not a plain value has none. */
export function parameterHeaders(inputSchema: JsonObject, args: JsonObject): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { path, header } of scan(inputSchema).declarations) {
    const value = path.reduce<JsonValue | undefined>(
      (node, key) => (isJsonObject(node) && Object.hasOwn(node, key) ? node[key] : undefined),
      args,
    );
    const text = textOf(value);
    if (text !== undefined) headers[`Mcp-Param-${header}`] = encode(text);
  }
  return headers;
}

function scan(inputSchema: JsonObject): { declarations: Declaration[]; fault?: string } {
  const declarations: Declaration[] = [];
  const seen = new Map<string, string>();
  let fault: string | undefined;

  const check = (schema: JsonObject, path: string[], isReachable: boolean): string | undefined => {
    const header = schema[annotation];
    const place = path.join('.') || 'the schema itself';
    if (!isReachable || path.length === 0)
      return `${place}: ${annotation} is only allowed on properties, nested ones too, not in items, combinations or definitions`;
    if (typeof header !== 'string' || !token.test(header)) return `${place}: ${annotation} is not a valid header name`;
    if (!headerTypes.includes(String(schema['type'])))
      return `${place}: ${annotation} needs the type string, integer or boolean`;
    const earlier = seen.get(header.toLowerCase());
    if (earlier !== undefined) return `${place}: ${annotation} "${header}" is that of ${earlier} as well`;
    seen.set(header.toLowerCase(), place);
    declarations.push({ path, header });
    return undefined;
  };
  const open: { node: JsonValue; path: string[]; isReachable: boolean }[] = [
    { node: inputSchema, path: [], isReachable: true },
  ];
  for (let next = open.pop(); next && fault === undefined; next = open.pop()) {
    const { node, path, isReachable } = next;
    if (Array.isArray(node)) for (const item of node) open.push({ node: item, path, isReachable: false });
    if (!isJsonObject(node)) continue;
    if (annotation in node) fault = check(node, path, isReachable);
    for (const [key, child] of Object.entries(node)) {
      if (dataKeywords.has(key)) continue;
      if (key === 'properties' && isJsonObject(child))
        for (const [name, schema] of Object.entries(child))
          open.push({ node: schema, path: [...path, name], isReachable });
      else if (namedSchemas.has(key) && isJsonObject(child))
        for (const [name, schema] of Object.entries(child))
          open.push({ node: schema, path: [...path, `<${key}>`, name], isReachable: false });
      else open.push({ node: child, path: [...path, `<${key}>`], isReachable: false });
    }
  }
  return fault === undefined ? { declarations } : { declarations: [], fault };
}

/** Their values are data, not schemas. */
const dataKeywords = new Set([annotation, 'default', 'const', 'enum', 'examples']);
const namedSchemas = new Set(['patternProperties', 'dependentSchemas', '$defs', 'definitions']);

function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (isExactNumber(value)) return JSON.stringify(value);
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return String(value);
}

function encode(text: string): string {
  const isPlain = plainValue.test(text) && text === text.trim() && !encodedValue.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

import type { McpDialect } from '../../../../deviceSide/mcp/dialect.ts';
import { maxPageBytes, pageTools } from '../../../../deviceSide/mcp/pageTools.ts';
import { RpcError, rpcCodes } from '../../../../deviceSide/mcp/rpcError.ts';
import { textResult } from '../../../../deviceSide/mcp/toolContent.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../base/json.ts';
import { pythonJson } from './pythonJson.ts';
import type { ToolArguments } from '../../../../deviceSide/mcp/mcpTool.ts';
import type { Property, PropertyValue } from '../../../../deviceSide/mcp/property.ts';
import type { PropertyList } from '../../../../deviceSide/mcp/propertyList.ts';

/** Bytes of a page that py-xiaozhi keeps free (docs/protocols/device-mcp.md). */
const reservedBytes = 100;

/**
 * MCP as py-xiaozhi implements it (docs/protocols/device-mcp.md): ids of any type but null, a payload that is JSON
 * text, one error code for everything, and tool errors in the result.
 */
export const pyXiaozhiDialect: McpDialect = {
  readRequest(payload) {
    const message = typeof payload === 'string' ? parsed(payload) : payload;
    if (!isJsonObject(message) || message['jsonrpc'] !== '2.0') return undefined;
    const { id, method, params } = message;
    if (typeof method !== 'string' || method.startsWith('notifications')) return undefined;
    if (id === undefined || id === null || isTooDeep(id)) return undefined;
    return { id, method, params };
  },
  readParams,
  answersPing: false,
  // py-xiaozhi ignores `withUserTools`.
  listTools(tools, { cursor }) {
    const { tools: page, next } = pageTools({
      tools: tools.map((tool) => tool.toJson()),
      cursor: typeof cursor === 'string' ? cursor : '',
      measure: (tool) => pythonJson(tool).length + 1,
      room: maxPageBytes - reservedBytes,
    });
    // A tool that is too large is named as the next one for ever.
    return { tools: page, ...(next === undefined ? {} : { nextCursor: next['name'] ?? '' }) };
  },
  readCall({ params }) {
    const { name, arguments: args } = readParams(params);
    if (typeof name !== 'string' || name === '') throw failure('Missing tool name');
    return { name, args };
  },
  bindArguments: bindPythonArguments,
  failure: (reason) => textResult(reason, true),
  unknownTool: (name) => {
    throw failure(`Unknown tool: ${name}`);
  },
  toBlock: (content) => ({ ...content }),
  encodeResult: (id, result) => pythonJson({ jsonrpc: '2.0', id, result }),
  encodeError: (id, { message }) =>
    pythonJson({ jsonrpc: '2.0', id, error: { code: rpcCodes.internalError, message } }),
};

/** The params; throws Python's error message if they are given and have no `get`. */
function readParams(params: JsonValue | undefined): JsonObject {
  if (params === undefined) return {};
  if (isJsonObject(params)) return params;
  throw failure(`'${pythonType(params)}' object has no attribute 'get'`);
}

function pythonType(value: JsonValue): string {
  if (value === null) return 'NoneType';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return 'str';
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined; // py-xiaozhi only logs this.
  }
}

/** Python gives up on JSON that is nested deeper than its stack; an id of a few levels is echoed. */
function isTooDeep(id: JsonValue, depth = 0): boolean {
  if (typeof id !== 'object' || id === null) return false;
  return depth > 100 || Object.values(id).some((item) => isTooDeep(item, depth + 1));
}

function failure(message: string): RpcError {
  return new RpcError(rpcCodes.internalError, message);
}

/**
 * Arguments as py-xiaozhi takes them (docs/protocols/device-mcp.md): `true` is an integer, as in Python; what is not an
 * object holds no arguments; extra ones are ignored. Throws its own words.
 */
function bindPythonArguments(properties: PropertyList, args: JsonValue | undefined): ToolArguments {
  const given = isJsonObject(args) ? args : {};
  const bound = Object.create(null) as Record<string, PropertyValue>;
  for (const property of properties) {
    const { name, defaultValue } = property;
    const value = Object.hasOwn(given, name) ? given[name] : defaultValue;
    if (value === undefined) throw new Error(`Missing required argument: ${name}`);
    if (!fits(property, value)) throw new Error(`Invalid type for property ${name}`);
    checkRange(Number(value), property);
    bound[name] = value;
  }
  return bound;
}

function fits({ type }: Property, value: JsonValue): value is PropertyValue {
  if (type === 'integer') return typeof value === 'boolean' || Number.isInteger(value);
  return typeof value === type;
}

function checkRange(value: number, { minimum, maximum }: Property): void {
  if (minimum !== undefined && value < minimum) throw new Error(`Value ${value} is below minimum allowed: ${minimum}`);
  if (maximum !== undefined && value > maximum) throw new Error(`Value ${value} exceeds maximum allowed: ${maximum}`);
}

import type { McpDialect } from '../../../../deviceSide/mcp/dialect.ts';
import type { McpTool, ToolArguments } from '../../../../deviceSide/mcp/mcpTool.ts';
import { maxPageBytes, pageTools } from '../../../../deviceSide/mcp/pageTools.ts';
import { RpcError, rpcCodes } from '../../../../deviceSide/mcp/rpcError.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../base/json.ts';
import type { Property, PropertyValue } from '../../../../deviceSide/mcp/property.ts';
import type { PropertyList } from '../../../../deviceSide/mcp/propertyList.ts';

/** Bytes of a page that the firmware keeps free (docs/protocols/device-mcp.md). */
const reservedBytes = 30;

/**
 * MCP as the firmware has it: an id that is not a number and a version that is not 2.0 get no answer, errors have no
 * code, and their text is not escaped, so that a quote in it makes the answer invalid JSON.
 */
export const firmwareDialect: McpDialect = {
  readRequest(payload) {
    if (!isJsonObject(payload) || payload['jsonrpc'] !== '2.0') return undefined;
    const { id, method, params } = payload;
    if (typeof method !== 'string' || method.startsWith('notifications')) return undefined;
    if (params !== undefined && !isJsonObject(params)) return undefined;
    if (typeof id !== 'number') return undefined;
    return { id: toInt32(id), method, params };
  },
  readParams: (params) => (isJsonObject(params) ? params : {}),
  answersPing: false,
  listTools(tools, { cursor, withUserTools }) {
    const listed = tools.filter(({ userOnly }) => withUserTools === true || !userOnly);
    return onePage(listed, typeof cursor === 'string' ? cursor : '');
  },
  readCall({ params }) {
    if (!isJsonObject(params)) throw failure('Missing params');
    const { name, arguments: args } = params;
    if (typeof name !== 'string') throw failure('Missing name');
    if (args !== undefined && !isJsonObject(args)) throw failure('Invalid arguments');
    return { name, args };
  },
  bindArguments: bindFirmwareArguments,
  failure: (reason) => {
    throw failure(reason);
  },
  unknownTool: (name) => {
    throw failure(`Unknown tool: ${name}`);
  },
  // A picture goes as JSON text under the key `image`.
  toBlock: (content): JsonObject =>
    content.type === 'text' ? { ...content } : { type: 'image', image: JSON.stringify(content) },
  encodeResult: (id, result) => `{"jsonrpc":"2.0","id":${Number(id)},"result":${JSON.stringify(result)}}`,
  encodeError: (id, { message }) => `{"jsonrpc":"2.0","id":${Number(id)},"error":{"message":"${message}"}}`,
};

/** The code never reaches the wire. */
function failure(message: string): RpcError {
  return new RpcError(rpcCodes.internalError, message);
}

/** One tool that is too large ends the list with an error, whatever comes behind it. */
function onePage(tools: readonly McpTool[], cursor: string): JsonObject {
  const { tools: page, next } = pageTools({
    tools: tools.map((tool) => tool.toJson({ emptyRequired: false })),
    cursor,
    measure: (tool) => Buffer.byteLength(JSON.stringify(tool)) + 1,
    room: maxPageBytes - reservedBytes - '{"tools":[]}'.length,
  });
  const name = next === undefined ? '' : String(next['name']);
  if (page.length === 0 && (next !== undefined || cursor !== ''))
    throw failure(`Failed to add tool ${name} because of payload size limit`);
  return { tools: page, ...(next === undefined ? {} : { nextCursor: name }) };
}

/**
 * Arguments as the firmware takes them (docs/protocols/device-mcp.md): names without regard to case, numbers cut to
 * 32-bit integers, a wrong type the same as a missing one, extra ones ignored. Throws the firmware's own words.
 */
function bindFirmwareArguments(properties: PropertyList, args: JsonValue | undefined): ToolArguments {
  const given = Object.entries(isJsonObject(args) ? args : {});
  const byName = new Map(given.map(([name, value]) => [name.toLowerCase(), value]));
  const bound = Object.create(null) as Record<string, PropertyValue>;
  for (const property of properties) {
    const value = read(property, byName.get(property.name.toLowerCase())) ?? property.defaultValue;
    if (value === undefined) throw new Error(`Missing valid argument: ${property.name}`);
    if (typeof value === 'number') checkRange(value, property);
    bound[property.name] = value;
  }
  return bound;
}

function read({ type }: Property, value: JsonValue | undefined): PropertyValue | undefined {
  if (type === 'integer') return typeof value === 'number' ? toInt32(value) : undefined;
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined;
  return typeof value === 'string' ? value : undefined;
}

function checkRange(value: number, { minimum, maximum }: Property): void {
  if (minimum !== undefined && value < minimum) throw new Error(`Value is below minimum allowed: ${minimum}`);
  if (maximum !== undefined && value > maximum) throw new Error(`Value exceeds maximum allowed: ${maximum}`);
}

/** A number as a C int has it: cut, and held at the ends of 32 bits. */
function toInt32(value: number): number {
  return Math.min(2 ** 31 - 1, Math.max(-(2 ** 31), Math.trunc(value)));
}

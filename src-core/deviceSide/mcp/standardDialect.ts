import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { bindArguments } from './bindArguments.ts';
import type { McpDialect } from './dialect.ts';
import type { McpTool } from './mcpTool.ts';
import { maxPageBytes, pageTools } from './pageTools.ts';
import { RpcError, rpcCodes } from './rpcError.ts';
import { textResult } from './toolContent.ts';

/** The envelope around a page, and what a session id may take. */
const reservedBytes = 200;

/**
 * JSON-RPC 2.0 and MCP 2024-11-05 as written, with py-xiaozhi's rule for failures: what a tool or its arguments got
 * wrong is a result with `isError: true` and the reason, what the request got wrong is an `error` with its code.
 */
export const standardDialect: McpDialect = Object.freeze({
  readRequest(payload) {
    if (!isJsonObject(payload)) {
      const what = Array.isArray(payload) ? 'Batches are not taken: send one request a message.' : 'Not a JSON object.';
      return { id: null, error: new RpcError(rpcCodes.invalidRequest, what) };
    }
    const { id, method, params } = payload;
    // Without a method it is an answer, without an id a notification.
    if (method === undefined || id === undefined) return undefined;
    if (typeof id !== 'string' && typeof id !== 'number')
      return { id: null, error: new RpcError(rpcCodes.invalidRequest, '"id" must be a number or a string.') };
    if (payload['jsonrpc'] !== '2.0')
      return { id, error: new RpcError(rpcCodes.invalidRequest, '"jsonrpc" must be "2.0".') };
    if (typeof method !== 'string')
      return { id, error: new RpcError(rpcCodes.invalidRequest, '"method" must be a string.') };
    return { id, method, params };
  },
  readParams: objectParams,
  answersPing: true,
  listTools(tools, params) {
    const { cursor = null } = params;
    if (cursor !== null && typeof cursor !== 'string') throw invalid('"cursor" must be a string.');
    const listed = tools.filter(({ userOnly }) => !userOnly || params['withUserTools'] === true);
    return onePage(listed, cursor ?? '');
  },
  readCall({ params }) {
    const { name, arguments: args } = objectParams(params);
    if (typeof name !== 'string') throw invalid('"name" must say which tool.');
    return { name, args };
  },
  bindArguments,
  failure: (reason) => textResult(reason, true),
  unknownTool: (name) => textResult(`Unknown tool: ${name}`, true),
  toBlock: (content) => ({ ...content }),
  encodeResult: (id, result) => JSON.stringify({ jsonrpc: '2.0', id, result }),
  encodeError: (id, { code, message }) => JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }),
} satisfies McpDialect);

function objectParams(params: JsonValue | undefined): JsonObject {
  if (params === undefined) return {};
  if (!isJsonObject(params)) throw invalid('"params" must be an object.');
  return params;
}

function invalid(message: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, message);
}

/** A page always holds a tool: one that is larger than a page gets a page of its own, and what follows stays reachable. */
function onePage(tools: readonly McpTool[], cursor: string): JsonObject {
  const entries = tools.map((tool) => tool.toJson());
  const measure = (tool: JsonObject): number => Buffer.byteLength(JSON.stringify(tool)) + 1;
  // `nextCursor` is a name, and names have no bound of their own.
  const longestName = Math.max(0, ...tools.map(({ name }) => Buffer.byteLength(JSON.stringify(name))));
  const room = maxPageBytes - reservedBytes - longestName;
  const page = pageTools({ tools: entries, cursor, measure, room });
  const at = entries.findIndex(({ name }) => name === cursor);
  if (cursor !== '' && at < 0) throw invalid(`No tool is named as the cursor "${cursor.slice(0, 100)}" says.`);
  const [alone, after] = entries.slice(Math.max(0, at));
  const shown = page.tools.length > 0 || alone === undefined ? page : { tools: [alone], next: after };
  return { tools: shown.tools, ...(shown.next === undefined ? {} : { nextCursor: shown.next['name'] ?? '' }) };
}

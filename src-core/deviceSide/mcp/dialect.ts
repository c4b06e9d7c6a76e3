import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { McpTool, ToolArguments } from './mcpTool.ts';
import type { PropertyList } from './propertyList.ts';
import type { RpcError } from './rpcError.ts';
import type { CallResult, ToolContent } from './toolContent.ts';

/** A request, taken apart. */
export interface McpRequest {
  /** Goes back as it came. */
  id: JsonValue;
  method: string;
  /** As received; absent if it was absent. */
  params: JsonValue | undefined;
}

/**
 * The differences of devices: how they read requests, bind arguments, cut pages and word answers. `standardDialect` is
 * the library's default; another makes a server behave as a certain client does, quirks included
 * (docs/protocols/device-mcp.md).
 */
export interface McpDialect {
  /** Parses a payload. `undefined` means no answer; an RpcError is sent under `id`. */
  readRequest: (payload: JsonValue | undefined) => McpRequest | { id: JsonValue; error: RpcError } | undefined;
  /** The params of a known method as an object. @throws RpcError */
  readParams: (params: JsonValue | undefined) => JsonObject;
  /** Answers the method `ping`. */
  answersPing: boolean;
  /** One page. @throws RpcError */
  listTools: (tools: readonly McpTool[], params: JsonObject) => JsonObject;
  /** Which tool, and with what. @throws RpcError */
  readCall: (request: McpRequest) => { name: string; args: JsonValue | undefined };
  /** Arguments for a callback. @throws Error whose message says what is wrong with which argument. */
  bindArguments: (properties: PropertyList, args: JsonValue | undefined) => ToolArguments;
  /** The answer to a call whose arguments or callback failed. @throws {RpcError} If the device answers with an error. */
  failure: (reason: string) => CallResult;
  /** The answer to a call of an unknown tool. @throws {RpcError} If the device answers with an error. */
  unknownTool: (name: string) => CallResult;
  toBlock: (content: ToolContent) => JsonObject;
  /** The message as text, whether it is valid JSON or not. */
  encodeResult: (id: JsonValue, result: JsonObject) => string;
  encodeError: (id: JsonValue, error: RpcError) => string;
}

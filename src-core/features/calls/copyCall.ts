import { isExactNumber } from '../../base/exactNumber.ts';
import type { CallForm } from '../../contract/types.ts';
import { formatToolRequest } from '../../protocols/vcp/formatToolRequest.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { parseArgsJson } from '../../schema/parseArgsJson.ts';
import { ToolError } from '../../base/errors.ts';
import { resolveToolName } from '../../registry/resolveToolName.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import type { ToolSourceKind } from '../../base/toolTypes.ts';

/**
 * One call as text: a VCP block, an MCP request, the JSON-RPC frame that goes to its source (a device's in its envelope), a tool call of
 * the OpenAI API, a command for a POSIX shell, or a program of `toolwire/core`.
 * @throws {ToolError} If the arguments are not a JSON object.
 */
export function copyCall(options: {
  toolRegistryManager: ToolRegistryManager;
  toolName: string;
  argsJson: string;
  form: CallForm;
}): string {
  const { toolRegistryManager, toolName, argsJson, form } = options;
  const args = parseArgsJson(argsJson);
  switch (form) {
    case 'vcp':
      return formatToolRequest({ toolName, args });
    case 'mcp':
      return frameOf({ ...callee(toolRegistryManager, toolName), kind: undefined }, args);
    case 'json-rpc':
      return frameOf(callee(toolRegistryManager, toolName), args);
    case 'openai': {
      const call = { name: toolName, arguments: compact(argsJson) };
      return JSON.stringify({ id: 'call_1', type: 'function', function: call }, null, 2);
    }
    case 'cli':
      return `toolwire call ${quoted(toolName)} --args ${quoted(compact(argsJson))}`;
    case 'code':
      return programOf(toolName, args);
  }
}

interface Callee {
  kind: ToolSourceKind | undefined;
  methodName: string;
}

function callee(toolRegistryManager: ToolRegistryManager, toolName: string): Callee {
  try {
    const { registry, method } = resolveToolName({ toolRegistryManager, toolName });
    return { kind: registry.source.kind, methodName: method.name };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { kind: undefined, methodName: toolName }; // The tool has left: its frame names what was asked for.
  }
}

/** docs/protocols/device-mcp.md for a device; any other source is a bare MCP request. */
function frameOf({ kind, methodName }: Callee, args: JsonObject): string {
  const payload = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: methodName, arguments: args } };
  return JSON.stringify(kind === 'device' ? { session_id: '', type: 'mcp', payload } : payload, null, 2);
}

/** A text as one word of a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** JSON on one line, its numbers as they are written. */
function compact(json: string): string {
  return json.trim() === ''
    ? '{}'
    : json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"?|\s+/g, (piece) => (piece.startsWith('"') ? piece : ''));
}

/** A call as a program of `toolwire/core` (docs/core.md), its arguments exactly as they are. */
function programOf(toolName: string, args: JsonObject): string {
  return [
    "import { createToolRegistryManager, executeSingleRequest } from 'toolwire/core';",
    '',
    'const toolRegistryManager = createToolRegistryManager();',
    '// Register the tools that you call here: toolRegistryManager.register(…)',
    '',
    'const result = await executeSingleRequest(',
    `  { toolName: ${JSON.stringify(toolName)}, args: ${literal(args, '  ')} },`,
    "  { toolRegistryManager, caller: 'user' },",
    ');',
    'console.log(result.status, result.result);',
    '',
  ].join('\n');
}

/** A value as JavaScript writes it; `indent` is that of the line it stands on. */
function literal(value: JsonValue, indent: string): string {
  // A number literal would be rounded.
  if (isExactNumber(value)) return `JSON.rawJSON('${JSON.stringify(value)}')`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(([key, item]) => `${keyOf(key)}: ${literal(item, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

/** In a literal a plain `__proto__` would be the prototype, no member. */
function keyOf(key: string): string {
  return key === '__proto__' ? '["__proto__"]' : JSON.stringify(key);
}

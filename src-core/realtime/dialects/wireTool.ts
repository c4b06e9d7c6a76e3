import type { JsonObject } from '../../base/json.ts';
import type { ToolDefinition } from '../../registry/toolDefinition.ts';

/** A tool as OpenAI's servers take it: flat. */
export function flatTool(tool: ToolDefinition): JsonObject {
  return { type: 'function', ...functionOf(tool) };
}

/** A tool as Qwen's servers take it: nested, as for chat completions. */
export function nestedTool(tool: ToolDefinition): JsonObject {
  return { type: 'function', function: functionOf(tool) };
}

function functionOf({ name, description, parameters }: ToolDefinition): JsonObject {
  return { name, description, parameters };
}

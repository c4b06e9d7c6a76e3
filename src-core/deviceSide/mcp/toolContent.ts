import type { JsonObject, JsonValue } from '../../base/json.ts';

/** A piece of an answer (MCP content block). */
export type ToolContent =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; /** base64 */ data: string; mimeType: string };

/** What a callback may return; scalars reach the wire as text (docs/protocols/device-mcp.md). */
export type ToolReturn = boolean | number | string | ToolContent | readonly ToolContent[];

/** The result of tools/call. */
export interface CallResult {
  content: JsonObject[];
  isError: boolean;
}

/** A text as the whole result. */
export function textResult(text: string, isError = false): CallResult {
  return { content: [{ type: 'text', text }], isError };
}

/** What a callback returned, as blocks. @throws TypeError for anything else, with the kinds there are. */
export function toContent(returned: unknown): ToolContent[] {
  if (typeof returned === 'boolean' || typeof returned === 'string') return [{ type: 'text', text: String(returned) }];
  if (typeof returned === 'number' && Number.isFinite(returned)) return [{ type: 'text', text: String(returned) }];
  const blocks = Array.isArray(returned) ? (returned as unknown[]) : [returned];
  return blocks.map((block) => {
    if (isContent(block)) return block;
    const got = block === null ? 'null' : typeof block === 'number' ? String(block) : typeof block;
    throw new TypeError(`The tool returned ${got}. Return a boolean, a number, a string or content blocks.`);
  });
}

function isContent(block: unknown): block is ToolContent {
  if (typeof block !== 'object' || block === null) return false;
  const { type, text, data, mimeType } = block as { [key: string]: JsonValue | undefined };
  if (type === 'text') return typeof text === 'string';
  return (type === 'image' || type === 'audio') && typeof data === 'string' && typeof mimeType === 'string';
}

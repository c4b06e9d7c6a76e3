import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { ContentBlock } from '../base/toolTypes.ts';
import type { ToolOutput } from './types.ts';

/**
 * A tools/call result as our output: every content part, the text of it as value (without one, `structuredContent`),
 * `structuredContent` and `isError` (MCP 2025-06-18, "Tool Result"; docs/protocols/device-mcp.md).
 */
export function readToolAnswer(result: JsonValue | undefined): ToolOutput {
  if (!isJsonObject(result)) return { value: result ?? null };
  const { content: parts, structuredContent, isError } = result;
  if (!Array.isArray(parts) && !isJsonObject(structuredContent)) return { value: result };
  const content: ContentBlock[] = [];
  let text: string | undefined;
  for (const part of Array.isArray(parts) ? parts : []) {
    const block = readBlock(part);
    content.push(block);
    if (block.type === 'text') text = text === undefined ? block.text : `${text}\n${block.text}`;
  }
  const output: ToolOutput = { value: text ?? structuredContent ?? describe(content) };
  if (Array.isArray(parts)) output.content = content;
  if (structuredContent !== undefined) output.structuredContent = structuredContent;
  if (isError === true) output.isError = true;
  return output;
}

const resultMembers = new Set(['content', 'structuredContent', 'isError', '_meta']);

/**
 * What a tool's own code returned, which may be a tools/call result or any value: nothing but the members of such a
 * result, and no content part that is none, makes it one.
 */
export function isToolAnswer(value: JsonValue): boolean {
  if (!isJsonObject(value) || !Object.keys(value).every((member) => resultMembers.has(member))) return false;
  const { content, structuredContent } = value;
  if (content === undefined) return isJsonObject(structuredContent);
  if (!Array.isArray(content)) return false;
  // `{"content": []}` alone may be anything.
  if (content.length === 0 && structuredContent === undefined && value['isError'] === undefined) return false;
  return content.every((part) => knownBlock(part) !== undefined);
}

function readBlock(part: JsonValue): ContentBlock {
  return knownBlock(part) ?? { type: 'text', text: JSON.stringify(part) };
}

function knownBlock(part: JsonValue): ContentBlock | undefined {
  if (!isJsonObject(part)) return undefined;
  if (part['type'] === 'text' && typeof part['text'] === 'string') return { type: 'text', text: part['text'] };
  return readMedia(part) ?? readResource(part) ?? readStringifiedMedia(part);
}

function readMedia(block: JsonValue): ContentBlock | undefined {
  if (!isJsonObject(block)) return undefined;
  const { type, data, mimeType } = block;
  if ((type !== 'image' && type !== 'audio') || typeof data !== 'string' || typeof mimeType !== 'string')
    return undefined;
  return mimeType.startsWith(`${type}/`) ? { type, data, mimeType } : undefined;
}

/** An embedded resource or a link to one (MCP 2025-06-18, tool result). */
function readResource(block: JsonObject): ContentBlock | undefined {
  const held = block['type'] === 'resource' ? block['resource'] : block['type'] === 'resource_link' ? block : undefined;
  if (held === undefined || !isJsonObject(held) || typeof held['uri'] !== 'string') return undefined;
  const { uri, name, mimeType, text, blob } = held;
  return {
    type: 'resource',
    uri,
    ...(typeof name === 'string' && { name }),
    ...(typeof mimeType === 'string' && { mimeType }),
    ...(held !== block && typeof text === 'string' && { text }),
    ...(held !== block && typeof blob === 'string' && { blob }),
  };
}

/** The firmware's own form: the block again, as JSON text, under the key `image`. */
function readStringifiedMedia({ image }: { [key: string]: JsonValue }): ContentBlock | undefined {
  if (typeof image !== 'string') return undefined;
  try {
    return readMedia(JSON.parse(image) as JsonValue);
  } catch {
    return undefined; // Not that form: the block is shown as it came.
  }
}

function describe(content: ContentBlock[]): string {
  return content
    .map((block) =>
      'data' in block
        ? `[${block.mimeType}, ${Buffer.byteLength(block.data, 'base64')} bytes]`
        : block.type === 'resource'
          ? (block.text ?? `[${block.uri}]`)
          : `[${block.type}]`,
    )
    .join('\n');
}

import type { JsonObject, JsonValue } from '../tools/json.ts';
import type { ContentBlock, ToolOutput } from '../tools/types.ts';
import { isJsonObject } from './deviceMessage.ts';

/** A tools/call result as our output: every content part, the text of it as value, and `isError` (spec/xiaozhi.md §1.4). */
export function readToolAnswer(result: JsonValue | undefined): ToolOutput {
  if (!isJsonObject(result) || !Array.isArray(result['content'])) return { value: result ?? null };
  const content: ContentBlock[] = [];
  let text: string | undefined;
  for (const part of result['content']) {
    const block = readBlock(part);
    content.push(block);
    if (block.type === 'text') text = text === undefined ? block.text : `${text}\n${block.text}`;
  }
  const value = text ?? describe(content);
  return result['isError'] === true ? { value, content, isError: true } : { value, content };
}

function readBlock(block: JsonValue): ContentBlock {
  if (isJsonObject(block)) {
    if (block['type'] === 'text' && typeof block['text'] === 'string') return { type: 'text', text: block['text'] };
    const media = readMedia(block) ?? readResource(block) ?? readStringifiedMedia(block);
    if (media !== undefined) return media;
  }
  return { type: 'text', text: JSON.stringify(block) };
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

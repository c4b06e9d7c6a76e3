import type { ContentBlock, JsonObject, JsonValue } from '../../../../src-core/contract/types.ts';
import { isJsonObject } from '../../../../src-core/base/json.ts';

/** A part of a server's answer: Markdown text, or content blocks. `of`: its role or its URI. */
export interface AnswerPart {
  of: string;
  markdown?: string;
  blocks?: ContentBlock[];
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const objectsOf = (value: JsonValue | undefined): JsonObject[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => one !== undefined && isJsonObject(one));

/** The contents of a resource that was read. */
export function partsOfResource({ contents }: JsonObject): AnswerPart[] {
  return objectsOf(contents).map(partOfContents);
}

function partOfContents(contents: JsonObject): AnswerPart {
  const { text, blob } = contents;
  const [of, mimeType] = [textOf(contents['uri']), textOf(contents['mimeType'])];
  if (typeof text === 'string')
    return /^text\/(?:x-)?markdown\b/i.test(mimeType)
      ? { of, markdown: text }
      : { of, blocks: [{ type: 'resource', uri: of, mimeType, text }] };
  const data = textOf(blob);
  const [, kind] = /^(image|audio)\//i.exec(mimeType) ?? [];
  if (kind !== undefined) return { of, blocks: [{ type: kind === 'audio' ? 'audio' : 'image', data, mimeType }] };
  return { of, blocks: [{ type: 'resource', uri: of, mimeType, blob: data }] };
}

/** The messages of a prompt. */
export function partsOfPrompt({ messages }: JsonObject): AnswerPart[] {
  return objectsOf(messages).flatMap(({ role, content }) =>
    objectsOf(content).map((block) => ({ ...partOfBlock(block), of: textOf(role) })),
  );
}

function partOfBlock(block: JsonObject): AnswerPart {
  const { type, resource } = block;
  const [data, mimeType] = [textOf(block['data']), textOf(block['mimeType'])];
  if (type === 'image' || type === 'audio') return { of: '', blocks: [{ type, data, mimeType }] };
  if (isJsonObject(resource)) return partOfContents(resource);
  const uri = textOf(block['uri']);
  if (uri !== '') return { of: '', blocks: [{ type: 'resource', uri, name: textOf(block['name']), mimeType }] };
  return { of: '', markdown: textOf(block['text']) };
}

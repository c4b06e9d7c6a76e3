import type { CallToolResult } from '@modelcontextprotocol/server';

import type { ToolExecutionResult } from '../../base/calls.ts';
import { parseIntegersExactly } from '../../base/exactNumber.ts';
import type { ContentBlock } from '../../base/toolTypes.ts';

/** Characters of base64 that a picture may have in an answer; hosts drop larger ones. */
const maxImageLength = 1024 * 1024;

/** A block of an answer that is too large for it, and can be read as a resource. */
export interface KeptBlock {
  mimeType: string;
  /** base64. */
  blob: string;
}

/** Keeps a block and returns its URI. */
export type KeepBlock = (block: KeptBlock) => string;

/**
 * The answer of a call for a host: text first, numbers as they were written. A picture over 1 MB of base64 is kept and linked
 * to, or omitted without `keep`. Sound and pictures also have a line of text, because most hosts do not pass them to the model.
 */
export function toToolResult(
  { status, result, content, structuredContent }: ToolExecutionResult,
  keep: KeepBlock | undefined,
): CallToolResult {
  const blocks = content?.flatMap((block) => toBlocks(block, keep)) ?? [];
  const text = result !== '' && !blocks.some((block) => block.type === 'text') ? [textBlock(result)] : [];
  const all = [...text, ...blocks];
  return {
    content:
      all.length > 0 ? [...all].sort((a, b) => Number(b.type === 'text') - Number(a.type === 'text')) : [textBlock('')],
    ...(structuredContent !== undefined && { structuredContent: parseIntegersExactly(structuredContent) }),
    ...(status === 'error' && { isError: true }),
  };
}

type McpBlock = CallToolResult['content'][number];

function textBlock(text: string): McpBlock {
  return { type: 'text', text };
}

function toBlocks(block: ContentBlock, keep: KeepBlock | undefined): McpBlock[] {
  switch (block.type) {
    case 'text':
      return [textBlock(block.text)];
    case 'image': {
      const { data, mimeType } = block;
      const said = `A picture, ${mimeType}, ${sizeOf(data)}.`;
      if (data.length <= maxImageLength) return [textBlock(said), { type: 'image', data, mimeType }];
      if (keep === undefined) return [textBlock(`${said} It is too large for the answer.`)];
      const uri = keep({ mimeType, blob: data });
      return [
        textBlock(`${said} It is too large for the answer: read the resource ${uri}.`),
        { type: 'resource_link', uri, name: 'picture', mimeType },
      ];
    }
    case 'audio': {
      const { data, mimeType } = block;
      return [textBlock(`A recording, ${mimeType}, ${sizeOf(data)}.`), { type: 'audio', data, mimeType }];
    }
    case 'resource':
      return [resourceBlock(block)];
    default:
      // A block that this version does not know, from a newer source.
      return [textBlock(JSON.stringify(block))];
  }
}

function resourceBlock({ uri, name, mimeType, text, blob }: Extract<ContentBlock, { type: 'resource' }>): McpBlock {
  const type = mimeType === undefined ? {} : { mimeType };
  if (text !== undefined) return { type: 'resource', resource: { uri, text, ...type } };
  if (blob !== undefined) return { type: 'resource', resource: { uri, blob, ...type } };
  return { type: 'resource_link', uri, name: name ?? uri, ...type };
}

function sizeOf(base64: string): string {
  const bytes = Math.floor((base64.length * 3) / 4);
  return bytes < 1_000 ? `${bytes} bytes` : `${Math.round(bytes / 1_000)} kB`;
}

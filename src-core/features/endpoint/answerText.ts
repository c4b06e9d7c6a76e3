import type { CallToolResult } from '@modelcontextprotocol/server';

const encoder = new TextEncoder();

/**
 * The text of a result in at most `maxBytes` bytes of UTF-8. The other side reads only the first block of text, so all of them are
 * joined. A longer text is cut at a character and ends with a mark that names its size.
 */
export function answerText({ content }: Pick<CallToolResult, 'content'>, maxBytes: number): string {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const bytes = encoder.encode(text).length;
  if (bytes <= maxBytes) return text;
  const mark = `… [cut, ${bytes} bytes]`;
  let left = maxBytes - encoder.encode(mark).length;
  let end = 0;
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, maxBytes))) {
    left -= encoder.encode(segment).length;
    if (left < 0) break;
    end += segment.length;
  }
  return text.slice(0, end) + mark;
}

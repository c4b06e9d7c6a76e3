import type { ContentBlock } from '../../../../src-core/contract/types.ts';

/** Types a browser draws or plays without running anything in them; SVG is not among them. */
const allowed: Record<'image' | 'audio', ReadonlySet<string>> = {
  image: new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/bmp', 'image/avif']),
  audio: new Set([
    'audio/wav',
    'audio/x-wav',
    'audio/mpeg',
    'audio/ogg',
    'audio/webm',
    'audio/mp4',
    'audio/flac',
    'audio/aac',
  ]),
};

/**
 * Characters of base64 above which a block is offered as a file: the page would hold the picture several times over, and
 * checking its text would stall it.
 */
const longest = 8_000_000;

/** A `data:` URL for a picture or sound of a known type; undefined for other types, invalid base64 and too long data. */
export function mediaUrl(block: Extract<ContentBlock, { data: string }>): string | undefined {
  if (block.data.length > longest) return undefined;
  const type = block.mimeType.slice(0, 100).toLowerCase().split(';')[0]?.trim() ?? '';
  if (!allowed[block.type].has(type)) return undefined;
  const data = block.data.replaceAll(/\s+/g, '');
  return /^[A-Za-z0-9+/]*={0,2}$/.test(data) ? `data:${type};base64,${data}` : undefined;
}

import type { ContentBlock } from '../../../src-core/api/types.ts';

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

/** A `data:` URL for a picture or sound of a known type; undefined for every other type and for what is no base64. */
export function mediaUrl(block: Extract<ContentBlock, { data: string }>): string | undefined {
  const type = block.mimeType.toLowerCase().split(';')[0]?.trim() ?? '';
  if (!allowed[block.type].has(type) || !/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(block.data)) return undefined;
  return `data:${type};base64,${block.data.replaceAll(/\s+/g, '')}`;
}

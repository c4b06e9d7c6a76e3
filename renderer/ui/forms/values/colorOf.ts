import { propertyOf, type JsonContent } from '../json/jsonNode.ts';

/** The colour an object of `r`, `g`, `b` (0–255) stands for, as `#FFB454`. */
export function colorOf(node: JsonContent | undefined): string | undefined {
  if (node?.kind !== 'object') return undefined;
  const channels = ['r', 'g', 'b'].map((key) => {
    const value = propertyOf(node, key)?.value;
    return value?.kind === 'number' ? Number(value.raw) : Number.NaN;
  });
  if (!channels.every((channel) => Number.isInteger(channel) && channel >= 0 && channel <= 255)) return undefined;
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`.toUpperCase();
}

import { escapeValue, needsEscape } from './escape.ts';
import { fences } from './markers.ts';

/** One field of a block: `key:「始」value「末」`, escaped if the value holds a marker or a fence (docs/protocols/vcp.md). */
export function formatField(key: string, value: string): string {
  return needsEscape(value)
    ? `${key}:${fences.escapeOpen}${escapeValue(value)}${fences.escapeClose}`
    : `${key}:${fences.open}${value}${fences.close}`;
}

/** A block: its marker pair around the fields, one a line. */
export function formatBlock(start: string, fields: readonly string[], end: string): string {
  return `${start}\n${fields.join(',\n')}\n${end}`;
}

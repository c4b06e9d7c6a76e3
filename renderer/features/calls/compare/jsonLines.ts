import type { JsonContent } from '../../../ui/forms/json/jsonNode.ts';

/** A value over its lines, at most `most` of them; `name` stands before it. */
export function jsonLines(
  value: JsonContent,
  name: string,
  depth: number,
  most: number,
): { text: string; depth: number }[] {
  const lines: { text: string; depth: number }[] = [];
  function write(each: JsonContent, before: string, at: number): void {
    if (lines.length >= most) return;
    const [open, close] = each.kind === 'object' ? ['{', '}'] : ['[', ']'];
    if (each.kind === 'object' && each.properties.length > 0) {
      lines.push({ text: before + open, depth: at });
      for (const member of each.properties) write(member.value, `${JSON.stringify(member.key)}: `, at + 1);
    } else if (each.kind === 'array' && each.items.length > 0) {
      lines.push({ text: before + open, depth: at });
      for (const item of each.items) write(item, '', at + 1);
    } else {
      lines.push({ text: before + scalarText(each), depth: at });
      return;
    }
    if (lines.length < most) lines.push({ text: close, depth: at });
  }
  write(value, name, depth);
  return lines;
}

/** A value without members as JSON, a number as it was written. */
export function scalarText(value: JsonContent): string {
  switch (value.kind) {
    case 'object':
      return '{}';
    case 'array':
      return '[]';
    case 'number':
      return value.raw;
    default:
      return JSON.stringify(value.value);
  }
}

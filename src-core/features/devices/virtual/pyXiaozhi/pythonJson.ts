import type { JsonValue } from '../../../../base/json.ts';

/** JSON as Python's `json.dumps` writes it: blanks after colons and commas and, with `ascii`, only ASCII. */
export function pythonJson(value: JsonValue, { ascii = true }: { ascii?: boolean } = {}): string {
  const text = spaced(value);
  return ascii ? text.replace(/[\u007f-\uffff]/g, escape) : text;
}

function spaced(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${spaced(item)}`);
  return `{${entries.join(', ')}}`;
}

function escape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

import { isExactNumber } from '../../base/exactNumber.ts';
import type { JsonValue } from '../../base/json.ts';

const maxDepth = 200;

/** JSON text with the keys of each object in one order. `undefined` if it is nested deeper than 200 levels. */
export function canonicalJson(value: JsonValue, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return JSON.stringify(value);
  if (depth > maxDepth) return undefined;
  const parts: string[] = [];
  const entries = Array.isArray(value) ? value.map((item) => ['', item] as const) : sorted(Object.entries(value));
  for (const [key, item] of entries) {
    const text = canonicalJson(item, depth + 1);
    if (text === undefined) return undefined;
    parts.push(Array.isArray(value) ? text : `${JSON.stringify(key)}:${text}`);
  }
  return Array.isArray(value) ? `[${parts.join()}]` : `{${parts.join()}}`;
}

function sorted(entries: [string, JsonValue][]): [string, JsonValue][] {
  return entries.sort(([one], [other]) => (one < other ? -1 : 1));
}

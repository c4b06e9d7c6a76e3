import { isExactNumber } from './exactNumber.ts';
import type { JsonValue } from './json.ts';

/** A JSON value with every text in it replaced; names of members and all else stay as they are. */
export function mapTexts(value: JsonValue, inText: (text: string) => string): JsonValue {
  if (typeof value === 'string') return inText(value);
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return value;
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, inText));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, inText)]));
}

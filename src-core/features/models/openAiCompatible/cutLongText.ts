import { isJsonObject, type JsonValue } from '../../../base/json.ts';

/** Characters of one text in a request that are kept. */
const maxText = 64 * 1024;
/** Of a picture's data URL, enough to see what it is. */
const maxDataUrl = 64;

/** JSON with very long texts truncated and `change` applied to every text. Truncated texts say how much is missing. */
export function cutLongTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(cutText(value, value.startsWith('data:') ? maxDataUrl : maxText));
  if (Array.isArray(value)) return value.map((item) => cutLongTexts(item, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutLongTexts(item, change)]));
}

/** The beginning of a text, and how much is missing if it is truncated. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const missing = (text.length - limit).toLocaleString('en');
  return `${text.slice(0, limit).toWellFormed()}… (${missing} more characters were not kept)`;
}

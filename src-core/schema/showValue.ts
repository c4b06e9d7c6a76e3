import { isJsonObject, type JsonValue } from '../base/json.ts';

const maximumLength = 60;

const typeWords = new Map([
  ['boolean', 'true or false'],
  ['integer', 'a whole number'],
  ['number', 'a number'],
  ['string', 'text'],
  ['array', 'a list'],
  ['object', 'an object'],
]);

/** A value for a sentence: as JSON, truncated if long; lists and objects by their size. */
export function showValue(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.length} ${value.length === 1 ? 'item' : 'items'}]`;
  if (isJsonObject(value)) return `{${cut(Object.keys(value).slice(0, 10).join(', '))}}`;
  return cut(JSON.stringify(typeof value === 'string' ? value.slice(0, maximumLength + 1) : value));
}

function cut(text: string): string {
  return text.length > maximumLength ? `${text.slice(0, maximumLength)}…` : text;
}

/** Types in words: `a whole number or null`. */
export function showTypes(types: Iterable<string>): string {
  const all = new Set<string>(types);
  if (all.has('number')) all.delete('integer');
  return [...all].map((type) => typeWords.get(type) ?? type).join(' or ') || 'any value';
}

/** At most ten values, for a sentence. */
export function showValues(values: JsonValue[]): string {
  const shown = values.slice(0, 10).map(showValue).join(', ');
  return values.length > 10 ? `${shown} and ${values.length - 10} more` : shown;
}

import { isJsonObject, type JsonValue } from '../base/json.ts';

const maximumLength = 60;

/** A value for a sentence: as JSON, truncated if long; lists and objects by their size. */
export function showValue(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.length} ${value.length === 1 ? 'item' : 'items'}]`;
  if (isJsonObject(value)) return `{${cut(Object.keys(value).slice(0, 10).join(', '))}}`;
  return cut(JSON.stringify(typeof value === 'string' ? value.slice(0, maximumLength + 1) : value));
}

function cut(text: string): string {
  return text.length > maximumLength ? `${text.slice(0, maximumLength)}…` : text;
}

/** The names of types, without `integer` if `number` includes it. */
export function typeNames(types: Iterable<string>): string[] {
  const all = new Set<string>(types);
  if (all.has('number')) all.delete('integer');
  return [...all];
}

/** Types for a sentence: `an integer or null`. */
export function showTypes(types: Iterable<string>): string {
  const words = typeNames(types).map((type) =>
    type === 'null' ? type : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`,
  );
  return words.join(' or ') || 'any value';
}

/** At most ten values, for a sentence. */
export function showValues(values: JsonValue[]): string {
  const shown = values.slice(0, 10).map(showValue).join(', ');
  return values.length > 10 ? `${shown} and ${values.length - 10} more` : shown;
}

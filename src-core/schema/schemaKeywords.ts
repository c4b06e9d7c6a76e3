import { cloneJson } from '../base/cloneJson.ts';
import { isExactNumber } from '../base/exactNumber.ts';
import type { JsonNumber, JsonValue } from '../base/json.ts';

/** Returns a keyword's value as the validator can use it; undefined if it cannot. */
export type KeywordReader = (value: unknown) => JsonValue | undefined;

/** The names that `type` may have. */
export const jsonTypes: ReadonlySet<unknown> = new Set([
  'null',
  'boolean',
  'integer',
  'number',
  'string',
  'array',
  'object',
]);

/** Formats with a check that tools agree on; the others are notes, as draft 2020-12 has it. */
const checkedFormats = new Set<unknown>([
  ...['date', 'time', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6'],
  ...['uri', 'uri-reference', 'uuid', 'json-pointer'],
]);

const text: KeywordReader = (value) => (typeof value === 'string' && value.isWellFormed() ? value : undefined);
const texts: KeywordReader = (value) => (isListOf(value, (item) => typeof item === 'string') ? [...value] : undefined);
const number: KeywordReader = (value) =>
  Number.isFinite(value) || isExactNumber(value) ? (value as JsonNumber) : undefined;
const step: KeywordReader = (value) => {
  const read = number(value);
  return read !== undefined && Number(JSON.stringify(read)) > 0 ? read : undefined;
};
/** Nothing has so many parts that a rounded limit could matter. */
const count: KeywordReader = (value) => {
  const read = isExactNumber(value) ? Number(JSON.stringify(value)) : value;
  return Number.isInteger(read) && Number(read) >= 0 ? Number(read) : undefined;
};
const json: KeywordReader = (value) => {
  const cloned = cloneJson(value);
  return 'value' in cloned ? cloned.value : undefined;
};
const jsonList: KeywordReader = (value) => (Array.isArray(value) && value.length > 0 ? json(value) : undefined);
const type: KeywordReader = (value) => {
  if (typeof value === 'string') return jsonTypes.has(value) ? value : undefined;
  return isListOf(value, (item) => jsonTypes.has(item)) && value.length > 0 ? [...value] : undefined;
};
/** Keywords of other drafts that the validator would misread. */
const never: KeywordReader = () => undefined;

/** The keywords of JSON Schema whose values are not schemas. */
export const keywordReaders: ReadonlyMap<string, KeywordReader> = new Map<string, KeywordReader>([
  ...['$ref', '$id', '$anchor', '$comment', '$schema', 'title', 'description'].map(entryWith(text)),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map(entryWith(number)),
  ['multipleOf', step],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(entryWith(count)),
  ...['minContains', 'maxContains'].map(entryWith(count)),
  ['uniqueItems', (value) => (typeof value === 'boolean' ? value : undefined)],
  ['required', texts],
  ['pattern', (value) => (typeof value === 'string' && isPattern(value) ? value : undefined)],
  ['format', (value) => (typeof value === 'string' && checkedFormats.has(value) ? value : undefined)],
  ...['default', 'const'].map(entryWith(json)),
  ...['enum', 'examples'].map(entryWith(jsonList)),
  ['type', type],
  ...['$recursiveRef', '$recursiveAnchor', '$dynamicRef', 'id'].map(entryWith(never)),
]);

/** True for a regular expression of ECMAScript with the `u` flag, as JSON Schema wants them. */
export function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return source.isWellFormed();
  } catch {
    return false;
  }
}

function entryWith(reader: KeywordReader): (keyword: string) => [string, KeywordReader] {
  return (keyword) => [keyword, reader];
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): value is string[] {
  return Array.isArray(value) && value.every(isItem);
}

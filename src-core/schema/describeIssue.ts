import { isExactNumber, parseExactly } from '../base/exactNumber.ts';
import type { JsonNumber, JsonSchema, JsonValue } from '../base/json.ts';
import { nearestNames } from '../base/nearestNames.ts';
import { nearestMultiple, nextWhole } from '../base/nearestNumber.ts';
import type { SchemaLookup } from './prepareSchema.ts';
import { schemaTypes, typeOfJson, type JsonType } from './schemaTypes.ts';
import { showTypes, showValue, showValues } from './showValue.ts';

/** One keyword that a value does not meet. */
export interface UnmetKeyword {
  keyword: string;
  /** The schema that holds the keyword. */
  schema: JsonSchema;
  value: JsonValue;
  lookup: SchemaLookup | undefined;
  /** The validator's own words, for keywords that have none here. */
  fallback: string;
}

/** What is wrong, in a sentence, and a value that may be right. The value is a proposal: it still has to be checked. */
export interface DescribedIssue {
  message: string;
  proposal?: JsonValue | undefined;
}

const formatExamples: Record<string, string> = {
  date: '2026-01-31',
  time: '08:30:00Z',
  'date-time': '2026-01-31T08:30:00Z',
  duration: 'PT30S',
  email: 'name@example.com',
  uri: 'https://example.com/',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
};

/** Words an unmet keyword for the user and a model: what was given, what is wanted. */
export function describeIssue({ keyword, schema, value, lookup, fallback }: UnmetKeyword): DescribedIssue {
  const shown = showValue(value);
  const limit = schema[keyword];
  switch (keyword) {
    case 'type':
      return describeType(value, schemaTypes(schema, lookup));
    case 'minimum':
      return { message: `${shown} is below the minimum, ${written(limit)}.`, proposal: limit };
    case 'maximum':
      return { message: `${shown} is above the maximum, ${written(limit)}.`, proposal: limit };
    case 'exclusiveMinimum':
      return { message: `${shown} is not above ${written(limit)}.`, proposal: nextWhole(limit, 1) };
    case 'exclusiveMaximum':
      return { message: `${shown} is not below ${written(limit)}.`, proposal: nextWhole(limit, -1) };
    case 'multipleOf':
      return {
        message: `${shown} is not a multiple of ${written(limit)}.`,
        proposal: nearestMultiple(value, limit),
      };
    case 'enum': {
      const values = Array.isArray(limit) ? limit : [];
      return { message: `${shown} is not one of ${showValues(values)}.`, proposal: nearestValue(value, values) };
    }
    case 'const':
      return { message: `${shown} is not ${showValue(limit ?? null)}, the only value accepted.`, proposal: limit };
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return { message: `${describeSize(value)}; the minimum is ${String(limit)}.` };
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return { message: `${describeSize(value)}; the maximum is ${String(limit)}.` };
    case 'pattern':
      return { message: `${shown} does not match the pattern ${String(limit)}.` };
    case 'format':
      return { message: describeFormat(shown, String(limit)) };
    case 'anyOf':
    case 'oneOf':
      return describeChoice(shown, value, schemaTypes({ [keyword]: limit ?? [] }, lookup), fallback);
    case 'not':
      return { message: `${shown} is not accepted here.` };
    default:
      return { message: fallback };
  }
}

function describeType(value: JsonValue, types: Set<JsonType>): DescribedIssue {
  const shown = showValue(value);
  const wanted = showTypes(types);
  if (value === '') return { message: `The value is empty, not ${wanted}.` };
  if (typeof value === 'string') {
    // Full-width digits are those of a Chinese keyboard.
    const proposal = nearestOfType(value.trim().normalize('NFKC'), types);
    return {
      message: proposal === undefined ? `${shown} is not ${wanted}.` : `${shown} is a string, not ${wanted}.`,
      proposal,
    };
  }
  if (typeof value === 'number' && types.has('integer'))
    return { message: `${shown} is not ${wanted}.`, proposal: Math.round(value) };
  const asText = types.has('string') && isScalar(value) ? written(value) : undefined;
  return { message: `${shown} is not ${wanted}.`, proposal: asText };
}

/** What a text was probably meant to be. Only a proposal: nothing is sent that was not asked for. */
function nearestOfType(text: string, types: Set<JsonType>): JsonNumber | boolean | undefined {
  if (types.has('boolean')) {
    if (/^(?:true|yes|on|1)$/i.test(text)) return true;
    if (/^(?:false|no|off|0)$/i.test(text)) return false;
  }
  if (text === '' || text.length > 40 || !(types.has('integer') || types.has('number'))) return undefined;
  const number = Number(text);
  if (!Number.isFinite(number)) return undefined;
  if (/^-?[1-9]\d*$/.test(text)) return parseExactly(text) as JsonNumber;
  return types.has('number') ? number : Math.round(number);
}

function describeChoice(shown: string, value: JsonValue, types: Set<JsonType>, fallback: string): DescribedIssue {
  const matches = types.has(typeOfJson(value)) || (typeof value === 'number' && types.has('number'));
  if (types.size > 0 && !matches) return describeType(value, types);
  // Only the validator counted how many forms of a `oneOf` fit.
  const several = /\((?!0 )\d+ matches\)/.test(fallback);
  const message = several
    ? 'fits more than one of the accepted forms; it has to fit one'
    : 'fits none of the accepted forms';
  return { message: `${shown} ${message}.` };
}

function describeFormat(shown: string, format: string): string {
  const example = formatExamples[format];
  return `${shown} is not a valid ${format}.${example === undefined ? '' : ` One looks like this: ${example}`}`;
}

/** A text, number or boolean as text, without quotation marks. */
function written(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function nearestValue(value: JsonValue, values: JsonValue[]): JsonValue | undefined {
  if (!isScalar(value)) return undefined;
  const items = values.filter(isScalar);
  const asText = items.find((item) => written(item) === written(value));
  return asText ?? nearestNames({ query: written(value), items, keysOf: (item) => [written(item)], limit: 1 }).at(0);
}

/** True for what a remedy may be: a text, a number or a boolean. */
export function isScalar(value: JsonValue | undefined): value is string | JsonNumber | boolean {
  return value !== undefined && value !== null && (typeof value !== 'object' || isExactNumber(value));
}

function describeSize(value: JsonValue): string {
  if (typeof value === 'string') return `The string has ${count([...value].length, 'character')}`;
  if (Array.isArray(value)) return `The array has ${count(value.length, 'item')}`;
  return `The object has ${count(Object.keys(value ?? {}).length, 'entry', 'entries')}`;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

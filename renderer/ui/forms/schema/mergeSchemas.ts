import type { JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';
import { compareNumbers } from '../json/decimal.ts';
import { numberText } from '../json/exactNumber.ts';
import { asObject, listOf } from './readKeyword.ts';

const lowest = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);
const highest = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);

/**
 * Two schemas that both hold, as one to draw a form by: words are the first one's, limits the narrower, properties
 * those of both. What cannot be joined (two patterns) is the first one's; the check looks at the schemas themselves.
 */
export function mergeSchemas(first: JsonSchema, second: JsonSchema): JsonSchema {
  const merged: JsonSchema = { ...first };
  for (const [key, value] of Object.entries(second)) {
    merged[key] = Object.hasOwn(first, key) ? mergeKeyword(key, first[key] ?? null, value) : value;
  }
  return merged;
}

function mergeKeyword(key: string, a: JsonValue, b: JsonValue): JsonValue {
  const [one, other] = [numberText(a), numberText(b)];
  if (one !== undefined && other !== undefined) {
    if (lowest.has(key)) return compareNumbers(one, other) > 0 ? b : a;
    if (highest.has(key)) return compareNumbers(one, other) < 0 ? b : a;
  }
  if (key === 'properties' || key === 'patternProperties') return mergeProperties(a, b);
  if (key === 'required' && Array.isArray(a) && Array.isArray(b)) return [...new Set([...a, ...b])];
  if (key === 'type') return mergeTypes(a, b);
  if (key === 'enum' && Array.isArray(a) && Array.isArray(b)) {
    const texts = new Set(b.map((one) => JSON.stringify(one)));
    return a.filter((one) => texts.has(JSON.stringify(one)));
  }
  if (key === 'additionalProperties' && (a === false || b === false)) return false;
  if (key === 'items' && asObject(a) !== undefined && asObject(b) !== undefined) return { allOf: [a, b] };
  return a;
}

function mergeProperties(a: JsonValue, b: JsonValue): JsonValue {
  const [first, second] = [asObject(a) ?? {}, asObject(b) ?? {}];
  const merged: JsonSchema = { ...first };
  for (const [name, property] of Object.entries(second)) {
    const both = Object.hasOwn(first, name) && asObject(first[name]) !== undefined;
    merged[name] = both ? { allOf: [first[name] ?? true, property] } : property;
  }
  return merged;
}

function mergeTypes(a: JsonValue, b: JsonValue): JsonValue {
  const named = (value: JsonValue): JsonValue[] => listOf({ value }, 'value') ?? [value];
  const wanted = new Set(named(b));
  const common = named(a).filter((type) => wanted.has(type) || (type === 'integer' && wanted.has('number')));
  if (named(a).includes('number') && wanted.has('integer') && !common.includes('integer')) common.push('integer');
  return common.length === 1 ? (common[0] ?? a) : common;
}
